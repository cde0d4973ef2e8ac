/* How the points of a deal come about, in sentences: rules T15, T16, L10 and L11. */

import { smallCall, smallCard } from "./cards.js";
import { element, foreign, sentence } from "./elements.js";
import { denominationOf, isBid, SEATS, tricksOf } from "./notation.js";
import { sideOf } from "./position.js";
import { neededBy } from "./state.js";

const HAND = 10; // tricks in a deal of Loyatais

/** Return sentences, each a list of texts and elements, on a deal that is scored; none for
    one that is not. */
export function explain(t, position, names) {
  if (position.points === null) return [];
  const say = (key, values = {}) => sentence(t, `score.${key}`, values);
  const who = (seat) => () => foreign(names[seat]);
  if (position.game === "loyatais") {
    return [...loyatais(t, position, say, who), ...setAside(t, position, say)];
  }
  return isBid(position.contract)
    ? [contract(t, position, say, who)]
    : trianon(t, position, say, who);
}

function contract(t, { contract: bid, declarer, won }, say, who) {
  const asked = tricksOf(bid);
  const took = won[declarer];
  const hasTrump = denominationOf(bid).length === 1;
  const values = {
    who: who(declarer),
    bid: () => smallCall(t, bid),
    took: t.count("table.tricks", took),
  };
  if (took < asked) {
    const missing = asked - took;
    const each = hasTrump ? 40 : 50;
    return say("failed", { ...values, missing, each, sum: missing * each });
  }
  const above = asked - 4;
  const each = hasTrump ? 30 : 40;
  return above === 0
    ? say("made_four", values)
    : say("made", { ...values, above, each, sum: above * each });
}

const TITLES = ["grand", "petit"];

function trianon(t, { won, points }, say, who) {
  return SEATS.map((seat) =>
    say(TITLES[won[seat]] ?? "trianon", {
      who: who(seat),
      took: t.count("table.tricks", won[seat]),
      sum: points[seat],
    }),
  );
}

function loyatais(t, position, say, who) {
  const side = sideOf(position);
  if (side.length === 0) return [];
  const needed = neededBy(position);
  const won = side.reduce((sum, seat) => sum + position.won[seat], 0);
  const values = {
    who: who(side[0]),
    partner: side.length === 2 ? who(side[1]) : "",
    took: t.count("table.tricks", won),
    needed,
  };
  const first = say(side.length === 2 ? "pair" : "alone", values);
  if (won < needed) return [first, say(side.length === 2 ? "pair_failed" : "alone_failed")];
  const extra = won - needed;
  const capot = won === HAND ? 100 : 0;
  const sum = 100 + 20 * extra + capot;
  const how = capot ? "capot" : extra > 0 ? "fulfilled" : "exact";
  const lines = [first, say(how, { extra, sum })];
  return side.length === 2 ? [...lines, say("shared", { each: sum / 2 })] : lines;
}

function setAside(t, { aside }, say) {
  if (aside === null || aside.length !== 2) return [];
  return [
    say("aside", {
      first: () => smallCard(t, aside[0]),
      second: () => smallCard(t, aside[1]),
    }),
  ];
}

/** Return who has come out where in a match that is over, as a list. */
export function places(t, { end }, names) {
  const order = SEATS.map((seat) => [end.places?.[seat] ?? null, seat]).sort(
    ([a, one], [b, other]) => (a ?? 4) - (b ?? 4) || one - other,
  );
  const rows = order.map(([place, seat]) =>
    element(
      "li",
      {},
      element(
        "span",
        { class: "rank" },
        place === null ? "–" : t("table.place", { place }),
      ),
      element("span", { class: "name" }, foreign(names[seat])),
      element("span", { class: "number" }, t.number(end.scores[seat])),
    ),
  );
  const head = element("p", { class: "ending" }, t(`reason.${end.reason}`));
  return element("div", { class: "places" }, head, element("ol", {}, ...rows));
}
