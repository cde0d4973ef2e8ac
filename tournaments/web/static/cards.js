/* The cards as they are seen and heard: faces, backs, cards and bids within a sentence.

   `t` gives the words (see text.js).  Every card has its name for who listens. */

import { drawing, element } from "./elements.js";
import { backParts, faceParts, suitMark } from "./faces.js";
import { denominationOf, isBid, tricksOf } from "./notation.js";

/** Return the name of a card, such as "king of spades". */
export function cardName(t, card) {
  return t("card.name", {
    rank: t(`card.rank_${card[0]}`),
    suit: t(`card.suit_${card[1]}`),
  });
}

/** Return the name of a call: "7 diamonds", "6 sans souci", "pass", "Trianon". */
export function callName(t, call) {
  if (!isBid(call)) return t(`call.${call}`);
  return t("call.bid", {
    tricks: tricksOf(call),
    what: t(`call.in_${denominationOf(call)}`),
  });
}

/** Return a card lying face up. */
export function face(t, card) {
  const [rank, suit] = card;
  const index = t(`card.index_${rank}`);
  return svg(
    `face suit-${suit.toLowerCase()}`,
    cardName(t, card),
    faceParts(rank, suit, index),
  );
}

/** Return a card lying face down; it has no name, since how many there are is said once. */
export function back() {
  return svg("back", null, backParts());
}

function svg(kind, label, parts) {
  const heard =
    label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  const edge = { x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 5, class: "edge" };
  return drawing(
    "svg",
    { viewBox: "0 0 60 84", class: `card-picture ${kind}`, ...heard },
    drawing("rect", edge),
    ...parts,
  );
}

/** Return a card within a line of text: its rank and suit. */
export function smallCard(t, card) {
  return small(cardName(t, card), t(`card.index_${card[0]}`), card[1]);
}

/** Return a call within a line of text: `7` and a diamond, `6 SS`, `pass`. */
export function smallCall(t, call) {
  if (!isBid(call)) return element("span", { class: "small-call" }, t(`call.${call}`));
  const denomination = denominationOf(call);
  if (denomination.length === 1)
    return small(callName(t, call), String(tricksOf(call)), denomination);
  const short = `${tricksOf(call)}\u202f${t(`call.short_${denomination}`)}`;
  return said(callName(t, call), element("span", { class: "small-call" }, short));
}

function small(name, text, suit) {
  const mark = drawing(
    "svg",
    { viewBox: "-11 -11 22 22", class: "small-suit" },
    suitMark(suit, 0, 0, 20),
  );
  return said(
    name,
    element("span", { class: `small-call suit-${suit.toLowerCase()}` }, text, mark),
  );
}

/** Return what is seen, with the words for it for who listens. */
function said(name, seen) {
  seen.setAttribute("aria-hidden", "true");
  return element(
    "span",
    { class: "said" },
    seen,
    element("span", { class: "unseen" }, name),
  );
}
