/* What lies on the table: the events of a match, added up.

   A position is plain data, never changed once made; `after(position, event)` returns the
   next.  The events are those of the protocol (docs/protocol.md, section 4), as a record
   has them or as one seat is told them: a hand that nobody has told is null here.  Nothing
   is judged: a record says what was played, and whether that was right is for
   `trianon verify`.  Pure: no page, no words.

   A position:
     game        "trianon" or "loyatais"
     no          the deal's number from 1; 0 before the first
     dealer      the seat that dealt, in Loyatais the taker; null before the first deal
     scores      of the match: before this deal, and once it is scored after it
     hands       three: the cards held, or null where they are not known
     counts      three: how many cards are held
     played      every card played in this deal, in order
     calls       the auction: [seat, "6S" or "pass"]
     contract    a bid, "trianon", or null;   declarer  a seat or null
     shown       three: the cards shown at first (Loyatais), whether still held or not
     partner     null, "alone" or a seat (Loyatais)
     lead        the seat that leads the present trick; null before the play
     trick       the cards of the present trick: [seat, card]
     last        the last complete trick: {lead, cards: [seat, card], winner}; or null
     won         three: tricks won
     turn        the seat on turn; null when there is none
     points      three: the points of this deal; null until it is scored
     aside       the cards set aside, once they are known (Loyatais); else null
     out         three: why the house holds the seat, or null
     end         {reason, scores, places} of the match, or null
     event       the event that led here, or null */

import { nextSeat, SEATS } from "./notation.js";

/** Return the position before the first event of a match. */
export function begin(game) {
  return {
    ...emptyDeal(),
    game,
    scores: [0, 0, 0],
    out: [null, null, null],
    end: null,
    event: null,
  };
}

function emptyDeal() {
  return {
    no: 0,
    dealer: null,
    hands: [null, null, null],
    counts: [0, 0, 0],
    played: [],
    calls: [],
    contract: null,
    declarer: null,
    shown: [[], [], []],
    partner: null,
    lead: null,
    trick: [],
    last: null,
    won: [0, 0, 0],
    turn: null,
    points: null,
    aside: null,
  };
}

const HAND_SIZE = { trianon: 12, loyatais: 10 };

/** Return the position to which an event leads; one of an unknown kind changes nothing. */
export function after(position, event) {
  const add = Object.hasOwn(ADD, event.e) ? ADD[event.e] : () => ({});
  return { ...position, ...add(position, event), event };
}

const ADD = {
  deal(position, { no, dealer, taker, scores, hands }) {
    const first = taker ?? dealer;
    return {
      ...emptyDeal(),
      no,
      dealer: first,
      scores,
      hands,
      counts: hands.map((hand) => hand?.length ?? HAND_SIZE[position.game]),
      turn: nextSeat(position.game, first), // rules T7 and L5
    };
  },
  bid(position, { seat, bid }) {
    const calls = [...position.calls, [seat, bid]];
    return { calls, turn: nextBidder(calls) };
  },
  contract(_position, { declarer, contract }) {
    const leader = nextSeat("trianon", declarer); // rule T11
    return { declarer, contract, lead: leader, turn: leader };
  },
  trianon({ dealer }) {
    return { contract: "trianon", lead: dealer, turn: dealer }; // rule T16
  },
  show(position, { seat, cards }) {
    return {
      shown: replaced(position.shown, seat, cards),
      turn: nextSeat(position.game, seat),
    };
  },
  partner({ dealer }, { partner }) {
    return { partner, lead: dealer, turn: dealer }; // rule L7
  },
  play(position, { seat, card }) {
    const hand = position.hands[seat];
    const trick = [...position.trick, [seat, card]];
    return {
      hands: replaced(position.hands, seat, hand && hand.filter((held) => held !== card)),
      counts: replaced(position.counts, seat, position.counts[seat] - 1),
      played: [...position.played, card],
      trick,
      turn: trick.length < 3 ? nextSeat(position.game, seat) : null,
    };
  },
  trick(position, { winner }) {
    return {
      last: { lead: position.lead, cards: position.trick, winner },
      trick: [],
      lead: winner,
      won: replaced(position.won, winner, position.won[winner] + 1),
      turn: position.counts.some((count) => count > 0) ? winner : null,
    };
  },
  score(_position, { points, scores, aside }) {
    return { points, scores, aside: aside ?? null, turn: null };
  },
  fault: () => ({}),
  out: (position, { seat, code }) => ({ out: replaced(position.out, seat, code) }),
  end: (_position, { reason, scores, places }) => ({
    end: { reason, scores, places },
    scores,
    turn: null,
  }),
};

function replaced(three, seat, value) {
  return three.map((old, place) => (place === seat ? value : old));
}

/** Return who bids next, or may raise: who has passed is out of it (rules T7 to T10). */
function nextBidder(calls) {
  const passed = new Set(calls.filter(([, call]) => call === "pass").map(([seat]) => seat));
  if (passed.size === 3) return null;
  let seat = calls.at(-1)[0];
  do seat = nextSeat("trianon", seat);
  while (passed.has(seat));
  return seat;
}

/** Return who is on the side of the declarer, or of the taker; nobody's before it is known. */
export function sideOf({ game, dealer, declarer, partner }) {
  if (game === "trianon") return declarer === null ? [] : [declarer];
  if (partner === null) return [];
  return partner === "alone" ? [dealer] : [dealer, partner];
}

/** Return what is known of the cards that a seat holds: their names, and how many more
    there are.  `isOpen` says whether its whole hand may be looked at. */
export function held(position, seat, isOpen) {
  const hand = position.hands[seat];
  if (isOpen && hand) return { cards: hand, hidden: 0 };
  const cards = position.shown[seat].filter((card) => !position.played.includes(card));
  return { cards, hidden: Math.max(0, position.counts[seat] - cards.length) };
}

/** Return which of the three seats may be looked at by `viewer`; null sees all. */
export function openTo(viewer) {
  return SEATS.map((seat) => viewer === null || seat === viewer);
}
