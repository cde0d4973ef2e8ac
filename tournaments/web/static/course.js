/* Where in a record a reader is: deal, step, and the ways from there.  Pure.

   A step is an event of the deal, from 0; its position is the one after the event. */

import { positionsOf } from "./record.js";

const MILESTONES = new Set([
  "deal",
  "contract",
  "trianon",
  "partner",
  "trick",
  "score",
  "end",
]);

/** The way of a reader through a record. */
export class Course {
  constructor(record) {
    this.record = record;
    this.deal = 0; // index of the deal
    this.step = 0;
    this.positions = positionsOf(record, 0);
  }

  get position() {
    return this.positions[this.step];
  }

  get isAtEnd() {
    return (
      this.deal === this.record.deals.length - 1 && this.step === this.positions.length - 1
    );
  }

  /** Go to a deal by its index and a step in it, or to the nearest there is. */
  go(deal, step = 0) {
    const index = between(deal, this.record.deals.length);
    if (index !== this.deal) {
      this.deal = index;
      this.positions = positionsOf(this.record, index);
    }
    this.step = between(step, this.positions.length);
  }

  /** Go on by one step, or back by one (`way` is 1 or -1), also to the next deal. */
  move(way) {
    const step = this.step + way;
    if (step >= 0 && step < this.positions.length) this.step = step;
    else if (way > 0 && !this.isAtEnd) this.go(this.deal + 1, 0);
    else if (way < 0 && this.deal > 0) this.go(this.deal - 1, Infinity);
  }

  /** Go to where a trick, the auction or the deal ends, or ended before. */
  moveTrick(way) {
    do this.move(way);
    while (
      !MILESTONES.has(this.position.event?.e) &&
      !this.isAtEnd &&
      (this.deal > 0 || this.step > 0)
    );
  }

  /** Go to the next deal; back goes to the beginning of this one first. */
  moveDeal(way) {
    if (way < 0) this.go(this.step > 0 ? this.deal : this.deal - 1, 0);
    else if (this.deal < this.record.deals.length - 1) this.go(this.deal + 1, 0);
    else this.go(this.deal, Infinity);
  }

  /** Return the events that belong to this step: its own, and the faults and outs before it
      for which the house made the move. */
  get events() {
    let from = this.step;
    const isTrouble = (step) => ["fault", "out"].includes(this.positions[step]?.event?.e);
    if (!isTrouble(this.step)) while (isTrouble(from - 1)) from -= 1;
    return this.positions.slice(from, this.step + 1);
  }

  /** Return this moment as it stands in an address: `#DEAL/STEP`, and `/SEAT` for a view. */
  address(viewer) {
    const place = `#${this.record.deals[this.deal].no}/${this.step}`;
    return viewer === null ? place : `${place}/${viewer}`;
  }

  /** Go where an address leads; return the viewer that it names, or null. */
  follow(address) {
    const found = /^#(\d{1,9})(?:\/(\d{1,9}))?(?:\/([0-2]))?$/.exec(address);
    if (!found) return null;
    const [, no, step, seat] = found;
    const index = this.record.deals.findIndex((deal) => deal.no === Number(no));
    this.go(index < 0 ? 0 : index, index < 0 ? 0 : Number(step ?? 0));
    return seat === undefined ? null : Number(seat);
  }
}

function between(value, count) {
  return Math.max(0, Math.min(value, count - 1));
}
