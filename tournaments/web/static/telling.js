/* An event in a sentence, and what its author left beside it: time, note, fault. */

import { smallCall, smallCard } from "./cards.js";
import { element, foreign, sentence } from "./elements.js";
import { isBid, isCard } from "./notation.js";

/** Return what happened, as texts and elements.

    `position` is the one to which the event led. */
export function tell(t, position, names) {
  const { event } = position;
  const who = (seat) => () => foreign(names[seat]);
  const say = (key, values) => sentence(t, `event.${key}`, values);
  return TELL[event.e](event, { t, position, who, say });
}

const TELL = {
  deal: (event, { position, who, say }) =>
    say(position.game === "loyatais" ? "deal_taker" : "deal_dealer", {
      no: event.no,
      who: who(position.dealer),
    }),
  bid: ({ seat, bid }, { t, who, say }) =>
    bid === "pass"
      ? say("pass", { who: who(seat) })
      : say("bid", { who: who(seat), bid: () => smallCall(t, bid) }),
  contract: ({ declarer, contract }, { t, position, who, say }) => {
    const last = position.calls.findLast(([, call]) => call !== "pass")?.[1];
    const key = last === contract ? "contract" : "raise";
    return say(key, { who: who(declarer), bid: () => smallCall(t, contract) });
  },
  trianon: (_event, { say }) => say("trianon", {}),
  show: ({ seat, cards: [first, second] }, { t, who, say }) =>
    say("show", {
      who: who(seat),
      first: () => smallCard(t, first),
      second: () => smallCard(t, second),
    }),
  partner: ({ seat, partner }, { who, say }) =>
    partner === "alone"
      ? say("partner_alone", { who: who(seat) })
      : say("partner", { who: who(seat), partner: who(partner) }),
  play: ({ seat, card }, { t, who, say }) =>
    say("play", { who: who(seat), card: () => smallCard(t, card) }),
  trick: ({ no, winner }, { who, say }) => say("trick", { who: who(winner), no }),
  score: ({ no }, { say }) => say("score", { no }),
  fault: ({ seat, code, played }, { t, position, who, say }) =>
    say("fault", {
      who: who(seat),
      what: t(`fault.${code}`),
      played: () => move(t, played, position),
    }),
  out: ({ seat, code }, { t, who, say }) =>
    say("out", { who: who(seat), what: t(`out.${code}`) }),
  end: (_event, { say }) => say("end", {}),
};

/** Return a move as it is seen; `6S` is a bid before the play and a card in it. */
function move(t, text, { lead }) {
  if (lead === null && (isBid(text) || text === "pass" || text === "keep"))
    return smallCall(t, text);
  return isCard(text) ? smallCard(t, text) : foreign(text, 40);
}

/** Return the seat whose doing an event is; null if it is nobody's. */
export function doer(event) {
  return event.seat ?? event.declarer ?? null;
}

/** Return what stands beside an event: its time, its note, the text of a fault and the line
    that was at fault. */
export function beside(t, { ms, note, text, line, id }) {
  const parts = [];
  if (Number.isInteger(ms))
    parts.push(element("span", { class: "ms" }, t("event.ms", { ms: t.number(ms) })));
  if (note) parts.push(element("q", { class: "note" }, foreign(note)));
  if (text) {
    const request = Number.isInteger(id) ? `${t("event.request", { id })}: ` : "";
    parts.push(element("span", { class: "fault-text" }, request, foreign(text)));
  }
  if (line) parts.push(element("code", { class: "fault-line" }, foreign(line)));
  return parts;
}
