// A careful player of both games, to show how the snapshot `deal` is used: everything
// that it needs stands in each request, so that it carries nothing from one to the next.
//
// C++ has no JSON.  This relies on what the protocol promises of each line: no blanks
// between tokens, "id" first, "type" second, the keys of `deal` in the order of its page,
// and no quote mark or backslash inside of a move or a card.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <set>
#include <string>
#include <vector>

using std::string;
using Names = std::vector<string>;

const string SUITS = "CDHS";  // also the order of Loyatais, lowest first (rule L1)
const double HONOURS[] = {1.15, 0.9, 0.6, 0.4};  // tricks that a suit's highest four bring

// ------------------------------------------------------- to read a request

// What stands behind `start`, up to the next `end`; empty if `start` is not there.
string between(const string& text, const string& start, const string& end) {
    const auto found = text.find(start);
    if (found == string::npos) return "";
    const auto from = found + start.size(), to = text.find(end, from);
    return text.substr(from, to == string::npos ? to : to - from);
}

// The strings in a piece of JSON, without their quote marks.
Names strings(const string& text) {
    Names found;
    for (size_t from = 0; (from = text.find('"', from)) != string::npos;) {
        const auto to = text.find('"', from + 1);
        found.push_back(text.substr(from + 1, to - from - 1));
        from = to + 1;
    }
    return found;
}

int number(const string& text) { return std::atoi(text.c_str()); }

// The move with the highest value; of equals the first.
string best(const Names& moves, const std::function<double(const string&)>& value) {
    return *std::max_element(moves.begin(), moves.end(), [&](const string& a, const string& b) {
        return value(a) < value(b);
    });
}

bool has(const Names& names, const string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// ------------------------------------------------------ Trianon: the auction

// How many tricks we expect as declarer with a trump suit.  An honour counts only with
// enough small cards beside it to outlive the higher ones.
double expected_tricks(const Names& hand, char trump) {
    double tricks = -4.2;
    for (char suit : SUITS) {
        const auto length = std::count_if(
            hand.begin(), hand.end(), [&](const string& card) { return card[1] == suit; });
        for (int higher = 0; higher < 4; higher++)
            if (length > higher && has(hand, string{"AKQJ"[higher], suit})) tricks += HONOURS[higher];
        if (suit == trump) tricks += 1.3 * length;
    }
    return tricks;
}

// Bid low in our best suit while it is safe; the declarer may raise, and then bids all.
string choose_bid(bool is_raise, const Names& legal, const Names& hand) {
    char trump = 'C';
    for (char suit : SUITS)
        if (expected_tricks(hand, suit) > expected_tricks(hand, trump)) trump = suit;
    const int safe = int(expected_tricks(hand, trump));
    Names bids;
    for (const string& bid : legal) {
        const int tricks = number(bid);  // 0 for pass and keep
        const string denomination = bid.substr(tricks > 9 ? 2 : 1);
        if (tricks > 0 && tricks <= safe && denomination == string(1, trump)) bids.push_back(bid);
    }
    if (safe < 5 || bids.empty()) return legal[0];  // pass, or keep
    return is_raise ? bids.back() : bids.front();
}

// ------------------------------------------ Loyatais: before the first card

// Roughly the tricks in some cards: spades are rich and clubs are poor (L1).
double strength(const Names& cards) {
    const double by_suit[] = {-0.2, -0.1, 0.05, 0.65};
    double sum = 0;
    for (const string& card : cards) {
        sum += by_suit[SUITS.find(card[1])];
        sum += card[0] == 'A' ? 0.95 : card[0] == 'K' ? 0.5 : card[0] == 'Q' ? 0.2 : 0;
    }
    return sum;
}

// Alone with a strong hand, else with who has shown more.
string choose_partner(const Names& legal, const Names& hand, const string& deal) {
    if (strength(hand) > 5.2) return legal[0];
    string rest = between(deal, "\"shown\":[", "]],");  // [],["7C","AS"],["8D","9D"
    double shown[3];
    for (double& seat : shown) {
        seat = strength(strings(between(rest, "[", "]")));
        rest = rest.substr(std::min(rest.size(), rest.find(']') + 1));
    }
    return best({legal.begin() + 1, legal.end()},
                [&](const string& move) { return shown[move[5] - '0']; });
}

// ----------------------------------------------------- both games: the play

string choose_card(const Names& legal, int you, const Names& hand, const string& deal) {
    const string contract = between(deal, "\"contract\":\"", "\"");  // none in Loyatais
    const bool is_loyatais = contract.empty(), is_ducking = contract == "trianon";  // T16
    const string denomination = is_ducking ? "" : contract.substr(std::min<size_t>(
        contract.size(), number(contract) > 9 ? 2 : 1));
    const string ranks = denomination == "SS" ? "JQKA6789T" : "6789TJQKA";  // T14, T1
    const char trump = denomination.size() == 1 ? denomination[0] : '-';
    const Names trick = strings(between(deal, "\"trick\":[", "]"));
    const int lead = number(between(deal.substr(deal.find("\"won\":")), "\"lead\":", ","));

    const auto rank = [&](const string& card) { return int(ranks.find(card[0])); };
    const auto cost = [&](const string& card) { return rank(card) + (card[1] == trump ? 9 : 0); };
    // Who wins a trick: in Loyatais the highest of all (L9), in Trianon trumps, then the
    // suit led (T13).
    const auto power = [&](const string& card) {
        if (is_loyatais) return 10 * int(SUITS.find(card[1])) + rank(card);
        if (card[1] == trump) return 20 + rank(card);
        return card[1] == trick[0][1] ? 10 + rank(card) : -1;
    };

    // The cards that we have seen: held, or played in a trick.
    std::set<string> seen(hand.begin(), hand.end());
    for (const string& card : trick) seen.insert(card);
    for (const string& text : strings(between(deal, "\"tricks\":[", "\"won\":")))
        if (text.size() == 2) seen.insert(text);  // the others are keys
    const auto is_highest = [&](const string& card) {
        for (char other : ranks.substr(rank(card) + 1))
            if (!seen.count({other, card[1]})) return false;
        return true;
    };

    const string lowest = best(legal, [&](const string& card) { return -cost(card); });
    if (trick.empty()) {
        const auto sure = std::find_if(legal.begin(), legal.end(), is_highest);
        return is_ducking || sure == legal.end() ? lowest : *sure;
    }

    const string strongest = best(trick, power);
    Names winning, losing, enough;
    for (const string& card : legal)
        (power(card) > power(strongest) ? winning : losing).push_back(card);
    // The highest card that does not win; else, if we must win, the lowest.
    if (is_ducking) return losing.empty() ? lowest : best(losing, rank);

    const int step = is_loyatais ? 2 : 1;  // to the next seat on turn (L2, T2)
    const int place = int(std::find(trick.begin(), trick.end(), strongest) - trick.begin());
    const int winner = (lead + step * place) % 3;
    const auto attacks = [&](int seat) {
        if (!is_loyatais) return seat == number(between(deal, "\"declarer\":", ","));
        const string partner = between(deal, "\"partner\":", ",");  // "alone" or a seat
        return seat == number(between(deal, "\"taker\":", ",")) || partner == std::to_string(seat);
    };
    for (const string& card : winning)
        if (trick.size() == 2 || is_highest(card)) enough.push_back(card);
    if (attacks(winner) == attacks(you) || enough.empty()) return lowest;
    return best(enough, [&](const string& card) { return -power(card); });  // the cheapest
}

string choose(const string& line) {
    const string ask = between(line, "\"ask\":\"", "\"");
    const Names legal = strings(between(line, "\"legal\":[", "]"));
    const string deal = between(line, "\"deal\":{", "\"events\":");
    const Names hand = strings(between(deal, "\"hand\":[", "]"));
    if (ask == "bid" || ask == "raise") return choose_bid(ask == "raise", legal, hand);
    if (ask == "show")
        return best(legal, [](const string& pair) {
            return -strength({pair.substr(0, 2), pair.substr(3)});
        });
    if (ask == "partner") return choose_partner(legal, hand, deal);
    if (ask == "play") return choose_card(legal, number(between(line, "\"you\":", ",")), hand, deal);
    return legal[0];  // a question that came after us
}

int main() {
    for (string line; std::getline(std::cin, line);) {
        const auto comma = line.find(',');
        string reply = line.substr(0, comma);  // {"id":17
        if (line.compare(comma, 13, ",\"type\":\"act\"") == 0)
            reply += ",\"move\":\"" + choose(line) + "\"";
        std::cout << reply << "}" << std::endl;  // endl flushes
    }
}
