/* Reads the record of a match (docs/protocol.md, section 8), which anybody may have written:
   every line is bounded and checked before anything is made of it.  Pure. */

import { after, begin } from "./position.js";
import { isBid, isCard } from "./notation.js";

export const MAX_BYTES = 64 * 1024 * 1024; // of a record; a long match has under 2 MiB
const MAX_LINE = 64 * 1024; // characters, as the arena's own reader has it
const MAX_COUNT = 2 ** 31;
const MAX_EVENTS = 512; // in a deal; every bid, card and fault at its most are some 210

/** What is wrong with a record: `line` from 1, and `code`, the key of the words for it. */
export class RecordError extends Error {
  constructor(code, line) {
    super(`${code}, line ${line}`);
    this.code = code;
    this.line = line;
  }
}

/** Return {header, events, deals, isCut} of a record's text, without events of unknown kinds.

    `deals` has {no, from, to}: the events from `from` up to, not including, `to`.  What comes
    before the first deal belongs to it.  `isCut` says that the record does not reach the
    end of its match. */
export function readRecord(text) {
  if (text.length > MAX_BYTES) throw new RecordError("too_long", 1);
  let lines = text.split("\n");
  if (lines.at(-1) === "") lines = lines.slice(0, -1);
  const header = parsed(lines[0] ?? "", 1);
  if (!isHeader(header)) throw new RecordError("no_record", 1);
  const events = [];
  let inDeal = 0;
  for (let index = 1; index < lines.length; index += 1) {
    const event = parsed(lines[index], index + 1);
    const check =
      typeof event?.e === "string" && Object.hasOwn(CHECKS, event.e)
        ? CHECKS[event.e]
        : null;
    if (check === null) continue; // protocol page, section 9: kinds yet to come
    if (!isCount(event.n) || !fits(check, event, header.game)) {
      throw new RecordError("wrong_event", index + 1);
    }
    inDeal = event.e === "deal" ? 1 : inDeal + 1;
    if (inDeal > MAX_EVENTS) throw new RecordError("too_long", index + 1);
    events.push(event);
  }
  return { header, events, deals: dealsOf(events), isCut: events.at(-1)?.e !== "end" };
}

function parsed(line, number) {
  if (line.length > MAX_LINE) throw new RecordError("too_long", number);
  try {
    return JSON.parse(line);
  } catch {
    throw new RecordError(number === 1 ? "no_record" : "no_json", number);
  }
}

function dealsOf(events) {
  const starts = events.flatMap((event, index) => (event.e === "deal" ? [index] : []));
  if (starts.length === 0) return [{ no: 0, from: 0, to: events.length }];
  return starts.map((start, place) => ({
    no: events[start].no,
    from: place === 0 ? 0 : start,
    to: starts[place + 1] ?? events.length,
  }));
}

/** Return the positions of one deal of a record, one after each of its events.

    Of a deal that is not the first, `out` is what all earlier deals have left. */
export function positionsOf(record, index) {
  const deal = record.deals[index];
  let position = begin(record.header.game);
  for (const event of record.events.slice(0, deal.from)) {
    if (event.e === "out") position = after(position, event);
  }
  const positions = [];
  for (const event of record.events.slice(deal.from, deal.to)) {
    position = after(position, event);
    positions.push(position);
  }
  return positions.length > 0 ? positions : [position];
}

// --- what each line must hold ---------------------------------------------------------

const isCount = (value) => Number.isInteger(value) && value >= 0 && value < MAX_COUNT;
const isScore = (value) => Number.isInteger(value) && Math.abs(value) < MAX_COUNT;
const isSeat = (value) => value === 0 || value === 1 || value === 2;
const isText = (value) => typeof value === "string";
const isThreeOf = (is) => (value) =>
  Array.isArray(value) && value.length === 3 && value.every(is);
const isOr = (is, other) => (value) => value === other || is(value);
const isOptional = (is) => (value) => value === undefined || value === null || is(value);
const isOneOf = (text) => (value) => isText(value) && text.split(" ").includes(value);
const isCards = (least, most) => (value) =>
  Array.isArray(value) &&
  value.length >= least &&
  value.length <= most &&
  value.every(isCard) &&
  new Set(value).size === value.length;
const isGame = isOneOf("trianon loyatais");
const isThree = isThreeOf(isScore);

const isFault = isOneOf(
  "too_long bad_encoding not_json bad_message wrong_id illegal_move timeout",
);
const isOut = isOneOf("exited closed flood no_hello no_start over_limit strikes");
const isReason = isOneOf("target deals max_deals walkover all_out strict void");

const DECISION = { ms: isOptional(isCount), note: isOptional(isText) };
const CHECKS = {
  deal: {
    no: isCount,
    dealer: isOptional(isSeat),
    taker: isOptional(isSeat),
    scores: isThree,
    hands: isThreeOf(isOr(isCards(0, 12), null)),
  },
  bid: { seat: isSeat, bid: isOr(isBid, "pass"), ...DECISION },
  contract: { declarer: isSeat, contract: isBid, ...DECISION },
  trianon: {},
  show: { seat: isSeat, cards: isCards(2, 2), ...DECISION },
  partner: { seat: isSeat, partner: isOr(isSeat, "alone"), ...DECISION },
  play: { seat: isSeat, card: isCard, ...DECISION },
  trick: { no: isCount, winner: isSeat },
  score: {
    no: isCount,
    tricks: isThree,
    points: isThree,
    scores: isThree,
    aside: isOptional(isCards(2, 2)),
  },
  fault: {
    seat: isSeat,
    code: isFault,
    played: isText,
    text: isOptional(isText),
    line: isOptional(isText),
    id: isOptional(isCount),
    ms: isOptional(isCount),
  },
  out: { seat: isSeat, code: isOut, ms: isOptional(isCount) },
  end: { reason: isReason, scores: isThree, places: isOptional(isThree) },
};

/** Which events only one of the games has, and who begins its deals. */
const OF_ONE_GAME = {
  trianon: { kinds: ["bid", "contract", "trianon"], first: "dealer" },
  loyatais: { kinds: ["show", "partner"], first: "taker" },
};

function fits(check, event, game) {
  if (!Object.entries(check).every(([key, is]) => is(event[key]))) return false;
  if (event.e === "deal") return isSeat(event[OF_ONE_GAME[game].first]);
  const other = game === "trianon" ? "loyatais" : "trianon";
  return !OF_ONE_GAME[other].kinds.includes(event.e);
}

function isHeader(value) {
  return (
    value?.record === 1 &&
    isGame(value.game) &&
    isText(value.match) &&
    isOptional(isText)(value.started) &&
    isOptional(isText)(value.deal_seed) &&
    isOptional((clock) => isCount(clock.move_ms) && isCount(clock.bank_ms))(value.clock) &&
    isThreeOf(
      (player) =>
        isText(player?.name) &&
        isOptional(isText)(player.version) &&
        isOptional(isText)(player.author),
    )(value.players)
  );
}
