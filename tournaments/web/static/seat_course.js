/* A match as it unfolds at the table: events come in a bunch, and are shown one by one, so
   that the eye can follow.  Pure, but for what the caller waits.

   The person's own move is shown before the arena tells of it. */

import { after, begin } from "./position.js";

/* How long the table stays as it is before an event is shown, in ms. */
const PAUSES = {
  deal: 0,
  bid: 650,
  contract: 700,
  trianon: 700,
  show: 900,
  partner: 900,
  play: 650,
  trick: 1100, // three cards lie there: time to see them
  fault: 700,
  out: 700,
};

/** How a match has unfolded so far. */
export class SeatCourse {
  constructor(name, game, you) {
    this.name = name;
    this.you = you;
    this.position = begin(game);
    this.scored = null; // the last position with the points of a deal
    this.at = 0; // events shown
    this._events = [];
    this._ahead = null; // the person's move that is shown ahead
  }

  /** The number of events that are known. */
  get known() {
    return this._events.length;
  }

  /** Take in events of which the first has number `since`; what is known is passed over. */
  add(since, events) {
    this._events.push(...events.slice(this.known - since));
  }

  /** The next event that is to be shown, or null. */
  get next() {
    return this._events[this.at] ?? null;
  }

  /** Whether a deal has just been scored. */
  get isScored() {
    return this.position.event?.e === "score";
  }

  /** How long to wait before the next event. */
  get pause() {
    const { e } = this.next;
    if (this._ahead !== null && isOwn(this.next, this.you)) return 0;
    return PAUSES[e] ?? 0;
  }

  /** Show the next event. */
  step() {
    const event = this.next;
    this._ahead = null;
    this.position = after(this.position, event);
    this.at += 1;
    if (this.position.points !== null) this.scored = this.position;
  }

  /** Show the person's move, which was sent, until the arena tells of it. */
  moveAhead(ask, move) {
    this._ahead = { ask, move };
  }

  /** Whether a move is shown ahead. */
  get isAhead() {
    return this._ahead !== null;
  }

  /** Take a move back that the server did not take. */
  takeBack() {
    this._ahead = null;
  }

  /** The position as it is shown. */
  get shown() {
    if (this._ahead === null) return this.position;
    const event = eventOf(this._ahead, this.you, this.position);
    return event === null ? this.position : after(this.position, event);
  }
}

function isOwn(event, you) {
  return event.seat === you || event.declarer === you;
}

/** Return the event that a move leads to; null where the move says nothing by itself. */
function eventOf({ ask, move }, seat, position) {
  switch (ask) {
    case "bid":
      return { e: "bid", seat, bid: move };
    case "raise": {
      const last = position.calls.findLast(([, call]) => call !== "pass")[1];
      return { e: "contract", declarer: seat, contract: move === "keep" ? last : move };
    }
    case "show":
      return { e: "show", seat, cards: move.split(" ") };
    case "partner":
      return { e: "partner", seat, partner: move === "alone" ? move : Number(move.slice(-1)) };
    case "play":
      return { e: "play", seat, card: move };
    default:
      return null;
  }
}
