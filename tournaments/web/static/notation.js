/* How cards, bids and seats are spelt on the wire (docs/protocol.md, section 2), and the
   orders in which they are shown.  Pure: no page, no words. */

export const SEATS = [0, 1, 2];
export const SUITS = "SHDC"; // as a hand is shown, from the left; also rule L1, high to low
export const RANKS = "AKQJT9876"; // high to low
const SANS_SOUCI = "T9876AKQJ"; // rule T14
const CARD = /^[AKQJT9876][CDHS]$/;
const BID = /^([4-9]|1[0-2])(C|D|H|S|SS|NT)$/;

/** Every card of Trianon; those of Loyatais have no sixes. */
export const CARDS = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/** Tell whether anything is the name of a card. */
export function isCard(value) {
  return typeof value === "string" && CARD.test(value);
}

/** Tell whether anything is a bid, such as `7SS`; a pass is none. */
export function isBid(value) {
  return typeof value === "string" && BID.test(value);
}

/** Return the tricks that a bid promises. */
export function tricksOf(bid) {
  return Number(BID.exec(bid)[1]);
}

/** Return the denomination of a bid: a suit, `SS` or `NT`. */
export function denominationOf(bid) {
  return BID.exec(bid)[2];
}

/** Return the seat that is on turn after `seat`: rules T2 and L2. */
export function nextSeat(game, seat) {
  return (seat + (game === "loyatais" ? 2 : 1)) % 3;
}

/** Return cards as a hand is shown: by suits, each from high to low in the order that the
    contract has put in force. */
export function inOrder(cards, contract) {
  const ranks = isBid(contract) && denominationOf(contract) === "SS" ? SANS_SOUCI : RANKS;
  const place = (card) => SUITS.indexOf(card[1]) * ranks.length + ranks.indexOf(card[0]);
  return [...cards].sort((a, b) => place(a) - place(b));
}
