//! A careful player of both games, to show how the snapshot `deal` is used: everything
//! that it needs stands in each request, so that it carries nothing from one to the next.
//!
//! Rust's standard library has no JSON.  This relies on what the protocol promises of each
//! line: no blanks between tokens, "id" first, "type" second, the keys of `deal` in the
//! order of its page, and no quote mark or backslash inside of a move or a card.
use std::io;

const SUITS: &str = "CDHS"; // also the order of Loyatais, lowest first (rule L1)
const HONOURS: [(char, f64); 4] = [('A', 1.15), ('K', 0.9), ('Q', 0.6), ('J', 0.4)];

fn main() -> io::Result<()> {
    for line in io::stdin().lines() {
        let line = line?;
        let id = between(&line, "{\"id\":", ",");
        if line.starts_with(&format!("{{\"id\":{id},\"type\":\"act\"")) {
            println!("{{\"id\":{id},\"move\":\"{}\"}}", choose(&line));
        } else {
            println!("{{\"id\":{id}}}"); // println! flushes at the end of a line
        }
    }
    Ok(())
}

fn choose(line: &str) -> &str {
    let legal = strings(between(line, "\"legal\":[", "]"));
    let deal = between(line, "\"deal\":{", "\"events\":");
    let hand = strings(between(deal, "\"hand\":[", "]"));
    match between(line, "\"ask\":\"", "\"") {
        "bid" => choose_bid(false, &legal, &hand),
        "raise" => choose_bid(true, &legal, &hand),
        "show" => best(&legal, |pair| {
            -strength(&pair.split(' ').collect::<Vec<_>>())
        }),
        "partner" => choose_partner(&legal, &hand, deal),
        "play" => Play::new(between(line, "\"you\":", ","), hand, deal).choose(&legal),
        _ => legal[0], // a question that came after us
    }
}

// ------------------------------------------------------- to read a request

/// Return what stands behind `start`, up to the next `end`; empty if it is not there.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let rest = text.split_once(start).map_or("", |(_, rest)| rest);
    rest.split_once(end).map_or(rest, |(found, _)| found)
}

/// Return the strings in a piece of JSON, without their quote marks.
fn strings(text: &str) -> Vec<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// Return the move with the highest value; of equals the first.
fn best<'a>(moves: &[&'a str], value: impl Fn(&str) -> f64) -> &'a str {
    let mut found = moves[0];
    for candidate in moves {
        if value(candidate) > value(found) {
            found = candidate;
        }
    }
    found
}

fn first(text: &str) -> char {
    text.chars().next().unwrap_or('?')
}

fn rank_of(card: &str) -> char {
    first(card)
}

fn suit_of(card: &str) -> char {
    card.chars().nth(1).unwrap_or('?')
}

// ------------------------------------------------------ Trianon: the auction

/// Return how many tricks we expect as declarer with a trump suit.  An honour counts only
/// with enough small cards beside it to outlive the higher ones.
fn expected_tricks(hand: &[&str], trump: char) -> f64 {
    let mut tricks = -4.2;
    for suit in SUITS.chars() {
        let held: String = hand
            .iter()
            .filter(|card| suit_of(card) == suit)
            .map(|card| rank_of(card))
            .collect();
        for (higher, (honour, brings)) in HONOURS.iter().enumerate() {
            if held.len() > higher && held.contains(*honour) {
                tricks += brings;
            }
        }
        if suit == trump {
            tricks += 1.3 * held.len() as f64;
        }
    }
    tricks
}

/// Bid low in our best suit while it is safe; the declarer may raise, and then bids all.
fn choose_bid<'a>(is_raise: bool, legal: &[&'a str], hand: &[&str]) -> &'a str {
    let value = |suit: &str| expected_tricks(hand, first(suit));
    let trump = best(&["C", "D", "H", "S"], value);
    let safe = value(trump) as i32;
    let is_safe = |bid: &&&str| {
        let tricks = bid.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        bid[tricks.len()..] == *trump && tricks.parse().map_or(false, |goal: i32| goal <= safe)
    };
    let bids: Vec<&&str> = legal.iter().filter(is_safe).collect();
    match (bids.first(), bids.last()) {
        (Some(low), Some(high)) if safe >= 5 => {
            if is_raise {
                high
            } else {
                low
            }
        }
        _ => legal[0], // pass, or keep
    }
}

// ------------------------------------------ Loyatais: before the first card

/// Return roughly the tricks in some cards: spades are rich and clubs are poor (L1).
fn strength(cards: &[&str]) -> f64 {
    let by_suit = |suit| match suit {
        'C' => -0.2,
        'D' => -0.1,
        'H' => 0.05,
        _ => 0.65,
    };
    let by_rank = |rank| match rank {
        'A' => 0.95,
        'K' => 0.5,
        'Q' => 0.2,
        _ => 0.0,
    };
    cards
        .iter()
        .map(|card| by_suit(suit_of(card)) + by_rank(rank_of(card)))
        .sum()
}

/// Choose alone with a strong hand, else with who has shown more.
fn choose_partner<'a>(legal: &[&'a str], hand: &[&str], deal: &str) -> &'a str {
    if strength(hand) > 5.2 {
        return legal[0];
    }
    let shown: Vec<&str> = between(deal, "\"shown\":[[", "]],").split("],[").collect();
    best(&legal[1..], |with| {
        let seat: usize = with[5..].parse().unwrap_or(0);
        strength(&strings(shown[seat]))
    })
}

// ----------------------------------------------------- both games: the play

struct Play<'a> {
    you: &'a str,
    deal: &'a str,
    trick: Vec<&'a str>,
    seen: Vec<&'a str>,
    is_loyatais: bool,
    is_ducking: bool, // T16: the fewer tricks the better
    trump: char,
    ranks: &'a str,
}

impl<'a> Play<'a> {
    fn new(you: &'a str, hand: Vec<&'a str>, deal: &'a str) -> Self {
        let contract = between(deal, "\"contract\":\"", "\""); // none in Loyatais
        let denomination = contract.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let trick = strings(between(deal, "\"trick\":[", "]"));
        let mut seen = hand; // the cards that we hold, and those that were played
        seen.extend(&trick);
        seen.extend(strings(between(deal, "\"tricks\":[", "\"won\":"))); // keys, too
        Play {
            you,
            deal,
            trick,
            seen,
            is_loyatais: contract.is_empty(),
            is_ducking: contract == "trianon",
            trump: if denomination.len() == 1 {
                first(denomination)
            } else {
                '-'
            },
            ranks: if denomination == "SS" {
                "JQKA6789T"
            } else {
                "6789TJQKA"
            }, // T14, T1
        }
    }

    fn rank(&self, card: &str) -> f64 {
        self.ranks.find(rank_of(card)).unwrap_or(0) as f64
    }

    /// Tell who wins: in Loyatais the highest of all (L9), else trumps, then the suit led.
    fn power(&self, card: &str) -> f64 {
        let suit = suit_of(card);
        if self.is_loyatais {
            return 10.0 * SUITS.find(suit).unwrap_or(0) as f64 + self.rank(card);
        }
        match suit {
            _ if suit == self.trump => 20.0 + self.rank(card),
            _ if suit == suit_of(self.trick[0]) => 10.0 + self.rank(card),
            _ => -1.0,
        }
    }

    /// Tell whether all higher cards of its suit have been seen.
    fn is_highest(&self, card: &str) -> bool {
        let higher = self
            .ranks
            .split_once(rank_of(card))
            .map_or("", |(_, higher)| higher);
        higher.chars().all(|rank| {
            self.seen
                .contains(&format!("{rank}{}", suit_of(card)).as_str())
        })
    }

    /// Tell whether a seat is on the side of the declarer or the taker.
    fn attacks(&self, seat: &str) -> bool {
        let keys = if self.is_loyatais {
            ["taker", "partner"]
        } else {
            ["declarer", "declarer"]
        };
        keys.iter()
            .any(|key| between(self.deal, &format!("\"{key}\":"), ",") == seat)
    }

    fn choose(&self, legal: &[&'a str]) -> &'a str {
        let lowest = best(legal, |card| {
            -self.rank(card)
                - if suit_of(card) == self.trump {
                    9.0
                } else {
                    0.0
                }
        });
        if self.trick.is_empty() {
            let sure = legal.iter().find(|card| self.is_highest(card));
            return sure.filter(|_| !self.is_ducking).unwrap_or(&lowest);
        }
        let strongest = best(&self.trick, |card| self.power(card));
        let (winning, losing): (Vec<&str>, Vec<&str>) = legal
            .iter()
            .partition(|card| self.power(card) > self.power(strongest));
        if self.is_ducking {
            // the highest that does not win; if we must win, the lowest
            return if losing.is_empty() {
                lowest
            } else {
                best(&losing, |card| self.rank(card))
            };
        }
        let won = self
            .deal
            .split_once("\"won\":")
            .map_or("", |(_, rest)| rest);
        let lead: usize = between(won, "\"lead\":", ",").parse().unwrap_or(0);
        let step = if self.is_loyatais { 2 } else { 1 }; // to the next seat on turn (L2, T2)
        let place = self
            .trick
            .iter()
            .position(|card| *card == strongest)
            .unwrap_or(0);
        let winner = ((lead + step * place) % 3).to_string();
        let is_last = self.trick.len() == 2;
        let enough: Vec<&str> = winning
            .into_iter()
            .filter(|card| is_last || self.is_highest(card))
            .collect();
        if self.attacks(&winner) == self.attacks(self.you) || enough.is_empty() {
            return lowest;
        }
        best(&enough, |card| -self.power(card)) // the cheapest that will do
    }
}
