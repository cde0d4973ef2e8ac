/* What is played, and how it stands, in a line. */

import { smallCall } from "./cards.js";
import { element, foreign, sentence } from "./elements.js";
import { isBid, tricksOf } from "./notation.js";
import { sideOf } from "./position.js";

/** Return the lines that say it, as elements. */
export function state(t, position, names) {
  const who = (seat) => () => foreign(names[seat]);
  if (position.no === 0) return [];
  const { contract, partner, dealer } = position;
  const lines = [];
  if (isBid(contract)) {
    lines.push(
      big(smallCall(t, contract)),
      said(t, "table.by", { who: who(position.declarer) }),
      soFar(t, position),
    );
  } else if (contract === "trianon") {
    lines.push(big(t("call.trianon")), said(t, "table.few"));
  } else if (partner === "alone") {
    lines.push(
      big(t("table.alone")),
      said(t, "table.by", { who: who(dealer) }),
      soFar(t, position),
    );
  } else if (partner !== null) {
    const pair = { who: who(dealer), partner: who(partner) };
    lines.push(big(t("table.together")), said(t, "table.pair", pair), soFar(t, position));
  } else {
    lines.push(...before(t, position, who));
  }
  return lines;
}

/** Return the tricks that a declarer or a taker's side needs; null before that is known. */
export function neededBy({ contract, partner }) {
  if (isBid(contract)) return tricksOf(contract);
  if (partner === null) return null;
  return partner === "alone" ? 5 : 7; // rule L6
}

function before(t, { game, dealer, calls }, who) {
  if (game === "loyatais") return [said(t, "table.takes", { who: who(dealer) })];
  const bids = calls.filter(([, call]) => call !== "pass");
  if (bids.length === 0) return [said(t, "table.deals", { who: who(dealer) })];
  const [seat, bid] = bids.at(-1);
  return [big(smallCall(t, bid)), said(t, "table.by", { who: who(seat) })];
}

function soFar(t, position) {
  const won = sideOf(position).reduce((sum, seat) => sum + position.won[seat], 0);
  const needed = neededBy(position);
  const kind = won >= needed ? "progress is-made" : "progress";
  return element("span", { class: kind }, t("table.so_far", { won, needed }));
}

function big(what) {
  return element("strong", { class: "contract" }, what);
}

function said(t, key, values) {
  return element("span", {}, ...sentence(t, key, values));
}
