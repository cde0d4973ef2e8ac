// A careful player of both games, to show how the snapshot `deal` is used: everything
// that it needs stands in each request, so that it carries nothing from one to the next.
//
// Java has no JSON.  This relies on what the protocol promises of each line: no blanks
// between tokens, "id" first, "type" second, the keys of `deal` in the order of its page,
// and no quote mark or backslash inside of a move or a card.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

public class Bot {
    static final String SUITS = "CDHS";  // also the order of Loyatais, lowest first (L1)
    static final double[] HONOURS = {1.15, 0.9, 0.6, 0.4};  // tricks of the highest four

    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null;) {
            int comma = line.indexOf(',');
            String reply = line.substring(0, comma);  // {"id":17
            if (line.startsWith(",\"type\":\"act\"", comma)) {
                reply += ",\"move\":\"" + choose(line) + "\"";
            }
            System.out.println(reply + "}");
            System.out.flush();
        }
    }

    static String choose(String line) {
        String ask = between(line, "\"ask\":\"", "\"");
        List<String> legal = strings(between(line, "\"legal\":[", "]"));
        String deal = between(line, "\"deal\":{", "\"events\":");
        List<String> hand = strings(between(deal, "\"hand\":[", "]"));
        switch (ask) {
            case "bid":
            case "raise":
                return chooseBid(ask.equals("raise"), legal, hand);
            case "show":
                return best(legal, pair -> -strength(List.of(pair.split(" "))));
            case "partner":
                return choosePartner(legal, hand, deal);
            case "play":
                int you = Integer.parseInt(between(line, "\"you\":", ","));
                return new Play(legal, you, hand, deal).choose();
            default:
                return legal.get(0);  // a question that came after us
        }
    }

    // ------------------------------------------------------- to read a request

    /** What stands behind start, up to the next end; empty if start is not there. */
    static String between(String text, String start, String end) {
        int from = text.indexOf(start);
        if (from < 0) return "";
        int to = text.indexOf(end, from + start.length());
        return text.substring(from + start.length(), to < 0 ? text.length() : to);
    }

    /** The strings in a piece of JSON, without their quote marks. */
    static List<String> strings(String text) {
        List<String> found = new ArrayList<>();
        for (int from = text.indexOf('"'); from >= 0; from = text.indexOf('"', from)) {
            int to = text.indexOf('"', from + 1);
            found.add(text.substring(from + 1, to));
            from = to + 1;
        }
        return found;
    }

    /** The move with the highest value; of equals the first. */
    static String best(List<String> moves, ToDoubleFunction<String> value) {
        String found = moves.get(0);
        for (String move : moves) {
            if (value.applyAsDouble(move) > value.applyAsDouble(found)) found = move;
        }
        return found;
    }

    static List<String> only(List<String> moves, Predicate<String> wanted) {
        List<String> found = new ArrayList<>(moves);
        found.removeIf(wanted.negate());
        return found;
    }

    // ------------------------------------------------------ Trianon: the auction

    /**
     * How many tricks we expect as declarer with a trump suit. An honour counts only with
     * enough small cards beside it to outlive the higher ones.
     */
    static double expectedTricks(List<String> hand, char trump) {
        double tricks = -4.2;
        for (char suit : SUITS.toCharArray()) {
            int length = only(hand, card -> card.charAt(1) == suit).size();
            for (int higher = 0; higher < 4; higher++) {
                String honour = "" + "AKQJ".charAt(higher) + suit;
                if (length > higher && hand.contains(honour)) tricks += HONOURS[higher];
            }
            if (suit == trump) tricks += 1.3 * length;
        }
        return tricks;
    }

    /** Bid low in our best suit while it is safe; the declarer may raise, and bids all. */
    static String chooseBid(boolean isRaise, List<String> legal, List<String> hand) {
        String trump = best(List.of(SUITS.split("")), suit -> expectedTricks(hand, suit.charAt(0)));
        int safe = (int) expectedTricks(hand, trump.charAt(0));
        List<String> bids = only(legal.subList(1, legal.size()), bid -> {
            String tricks = bid.replaceAll("\\D", "");
            return bid.equals(tricks + trump) && Integer.parseInt(tricks) <= safe;
        });
        if (safe < 5 || bids.isEmpty()) return legal.get(0);  // pass, or keep
        return bids.get(isRaise ? bids.size() - 1 : 0);
    }

    // ------------------------------------------ Loyatais: before the first card

    /** Roughly the tricks in some cards: spades are rich and clubs are poor (L1). */
    static double strength(List<String> cards) {
        double sum = 0;
        for (String card : cards) {
            sum += new double[] {-0.2, -0.1, 0.05, 0.65}[SUITS.indexOf(card.charAt(1))];
            int high = "QKA".indexOf(card.charAt(0));
            if (high >= 0) sum += new double[] {0.2, 0.5, 0.95}[high];
        }
        return sum;
    }

    /** Alone with a strong hand, else with who has shown more. */
    static String choosePartner(List<String> legal, List<String> hand, String deal) {
        if (strength(hand) > 5.2) return legal.get(0);
        String[] shown = between(deal, "\"shown\":[[", "]],").split("\\],\\[", -1);
        return best(legal.subList(1, legal.size()),
                move -> strength(strings(shown[move.charAt(5) - '0'])));
    }

    // ----------------------------------------------------- both games: the play

    /** The choice of a card. */
    static class Play {
        final List<String> legal, hand, trick;
        final int you;
        final String deal, ranks;
        final boolean isLoyatais, isDucking;  // T16: the fewer tricks the better
        final char trump;

        Play(List<String> legal, int you, List<String> hand, String deal) {
            this.legal = legal;
            this.you = you;
            this.hand = hand;
            this.deal = deal;
            trick = strings(between(deal, "\"trick\":[", "]"));
            String contract = between(deal, "\"contract\":\"", "\"");  // none in Loyatais
            String denomination = contract.replaceAll("\\d", "");
            isLoyatais = contract.isEmpty();
            isDucking = contract.equals("trianon");
            trump = denomination.length() == 1 ? denomination.charAt(0) : '-';
            ranks = denomination.equals("SS") ? "JQKA6789T" : "6789TJQKA";  // T14, T1
        }

        int rank(String card) {
            return ranks.indexOf(card.charAt(0));
        }

        /** Who wins: in Loyatais the highest of all (L9), else trumps, then the suit led. */
        int power(String card) {
            if (isLoyatais) return 10 * SUITS.indexOf(card.charAt(1)) + rank(card);
            if (card.charAt(1) == trump) return 20 + rank(card);
            return card.charAt(1) == trick.get(0).charAt(1) ? 10 + rank(card) : -1;
        }

        /** Whether all higher cards of its suit have been seen: held, or played. */
        boolean isHighest(String card) {
            Set<String> seen = new HashSet<>(hand);
            seen.addAll(trick);
            seen.addAll(strings(between(deal, "\"tricks\":[", "\"won\":")));  // keys, too
            for (char other : ranks.substring(rank(card) + 1).toCharArray()) {
                if (!seen.contains("" + other + card.charAt(1))) return false;
            }
            return true;
        }

        /** Whether a seat is on the side of the declarer or the taker. */
        boolean attacks(int seat) {
            String number = Integer.toString(seat);
            if (!isLoyatais) return number.equals(between(deal, "\"declarer\":", ","));
            return number.equals(between(deal, "\"taker\":", ","))
                || number.equals(between(deal, "\"partner\":", ","));  // "alone" or a seat
        }

        String choose() {
            String lowest = best(legal, card -> -rank(card) - (card.charAt(1) == trump ? 9 : 0));
            if (trick.isEmpty()) {
                List<String> sure = only(legal, this::isHighest);
                return isDucking || sure.isEmpty() ? lowest : sure.get(0);
            }
            String strongest = best(trick, this::power);
            List<String> winning = only(legal, card -> power(card) > power(strongest));
            if (isDucking) {  // the highest that does not win; if we must win, the lowest
                List<String> losing = only(legal, card -> !winning.contains(card));
                return losing.isEmpty() ? lowest : best(losing, this::rank);
            }
            String won = deal.substring(deal.indexOf("\"won\":"));
            int lead = Integer.parseInt(between(won, "\"lead\":", ","));
            int step = isLoyatais ? 2 : 1;  // to the next seat on turn (L2, T2)
            int winner = (lead + step * trick.indexOf(strongest)) % 3;
            List<String> enough = only(winning, card -> trick.size() == 2 || isHighest(card));
            if (attacks(winner) == attacks(you) || enough.isEmpty()) return lowest;
            return best(enough, card -> -power(card));  // the cheapest that will do
        }
    }
}
