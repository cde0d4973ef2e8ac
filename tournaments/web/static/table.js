/* The table: three hands, what lies between them, who has how much.

   `makeTable(root, t)` fills an element and returns {show, focusHand}.  `show(position,
   options)` draws a position (see position.js), which is plain data: a replay and a seat
   at the table differ only in the options:

     names      three names, as they came from others
     viewer     the seat at the bottom; its left-hand neighbour sits on the left
     open       three: whether the whole hand may be looked at, where it is known
     legal      the cards that may be chosen: lit, and buttons; null when nothing is asked
     chosen     those of them that are chosen already (two cards are shown in Loyatais)
     onCard     called with a card that is chosen
     isLastShown  whether the last trick lies there again, in place of the present one
     moveMs     how long a card is under way; 0 for at once

   Every card has `data-card`; hands have `data-hand` and places of played cards
   `data-spot`, with the seat. */

import { back, face, smallCall } from "./cards.js";
import { element, foreign } from "./elements.js";
import { explain, places } from "./explain.js";
import { inOrder, SEATS } from "./notation.js";
import { flight } from "./flight.js";
import { held } from "./position.js";
import { state } from "./state.js";
import { shown } from "./text.js";

const DEFAULTS = {
  names: ["0", "1", "2"],
  viewer: 0,
  open: [true, true, true],
  legal: null,
  chosen: [],
  onCard: () => {},
  isLastShown: false,
  moveMs: 0,
};

/** Fill `root` with an empty table; see above. */
export function makeTable(root, t) {
  const parts = SEATS.map(() => makePlace());
  const info = element("div", { class: "state" });
  const result = element("div", { class: "result", hidden: true });
  const spots = SEATS.map((seat) =>
    element("div", { class: "spot", dataset: { spot: seat } }),
  );
  const middle = element("div", { class: "middle" }, info, ...spots, result);
  const board = element(
    "div",
    { class: "board" },
    ...parts.map((part) => part.place),
    middle,
  );
  root.replaceChildren(board);
  root.classList.add("table");
  let onCard = DEFAULTS.onCard; // the present one: a card may have been drawn for an older
  const draw = drawer(t, (card) => onCard(card));
  root.addEventListener("keydown", moveAlongHand);

  /** Draw a position. */
  function show(position, given = {}) {
    const options = { ...DEFAULTS, ...given };
    onCard = options.onCard;
    const land = flight(board, options.moveMs);
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    const wasInHand = focused?.closest("[data-hand]") ?? null;
    root.dataset.game = position.game;
    for (const seat of SEATS) {
      const side = sideAt(options.viewer, seat);
      seatPart(draw, parts[seat], position, options, seat, side);
      spots[seat].className = `spot ${side}`;
      draw.into(spots[seat], spotKey(position, options, seat), () =>
        spotOf(draw, position, options, seat),
      );
    }
    const { names } = options;
    draw.into(info, keyOf(position, STATE, names), () => state(t, position, names));
    result.hidden = position.points === null && position.end === null;
    draw.into(result, keyOf(position, RESULT, names), () => resultOf(t, position, names));
    board.classList.toggle("is-over", !result.hidden);
    land();
    if (wasInHand && !(focused.isConnected && focused.matches("button")))
      focusHand(options.viewer);
  }

  /** Move the focus to the first card of a hand that may be played, or to the hand. */
  function focusHand(seat) {
    const { hand } = parts[seat];
    (hand.querySelector("button") ?? hand).focus({ preventScroll: true });
  }

  return { show, focusHand };
}

function makePlace() {
  const name = element("span", { class: "name" });
  const badges = element("span", { class: "badges" });
  const pile = element("span", { class: "pile", "aria-hidden": "true" });
  const tricks = element("span", { class: "tricks" });
  const score = element("span", { class: "score" });
  const plate = element("div", { class: "plate" }, name, badges, pile, tricks, score);
  const hand = element("ul", { class: "hand", tabindex: "-1" });
  const place = element("section", { class: "place" }, plate, hand);
  return { place, name, badges, pile, tricks, score, hand };
}

/** Return where a seat sits as `viewer` sees it: clockwise is from `me` to `left`. */
function sideAt(viewer, seat) {
  return ["me", "left", "right"][(seat - viewer + 3) % 3];
}

/** Draw only what has changed: `into` fills an element anew when its key is another. */
function drawer(t, choose) {
  const keys = new WeakMap();
  const faces = new Map();
  return {
    t,
    choose,
    into(parent, key, make) {
      if (keys.get(parent) === key) return;
      keys.set(parent, key);
      parent.replaceChildren(...make());
    },
    face(card) {
      if (!faces.has(card)) faces.set(card, face(t, card));
      return faces.get(card).cloneNode(true);
    },
  };
}

// --- a seat -----------------------------------------------------------------------------

function seatPart(draw, part, position, options, seat, side) {
  const { t } = draw;
  const name = shown(options.names[seat], 64);
  part.place.className = `place ${side}`;
  part.place.classList.toggle("is-on-turn", position.turn === seat);
  part.place.setAttribute("aria-label", t("table.seat", { who: name }));
  draw.into(part.name, name, () => [foreign(name)]);
  const badges = badgesOf(position, seat);
  draw.into(part.badges, badges.join(), () => badges.map((key) => badge(t, key)));
  const pile =
    position.last?.winner === seat ? position.last.cards.map(([, card]) => card) : [];
  draw.into(part.pile, pile.join(), () => pile.map((card) => lying(draw, card, "tiny")));
  draw.into(part.tricks, position.won[seat], () => [
    t.count("table.tricks", position.won[seat]),
  ]);
  const gain = position.points?.[seat] ?? 0;
  draw.into(part.score, `${position.scores[seat]}+${gain}`, () =>
    scoreOf(t, position.scores[seat], gain),
  );
  part.hand.dataset.hand = seat;
  const { cards, hidden } = held(position, seat, options.open[seat]);
  const sorted = inOrder(cards, position.contract);
  const asked = seat === options.viewer ? options.legal : null;
  const open = sorted.filter((card) => position.shown[seat].includes(card));
  const chosen = asked === null ? [] : options.chosen;
  draw.into(part.hand, JSON.stringify([sorted, hidden, asked, chosen, open]), () => [
    ...sorted.map((card) => inHand(draw, card, asked, chosen, open.includes(card))),
    ...Array.from({ length: hidden }, () => element("li", {}, back())),
  ]);
  const count = t.count("table.cards", cards.length + hidden);
  part.hand.setAttribute("aria-label", t("table.hand", { who: name, cards: count }));
}

function badgesOf(position, seat) {
  const { game, dealer, declarer, partner, out } = position;
  const badges = [];
  if (dealer === seat) badges.push(game === "loyatais" ? "taker" : "dealer");
  if (declarer === seat) badges.push("declarer");
  if (partner === seat) badges.push("partner");
  if (out[seat] !== null) badges.push("out");
  return badges;
}

function scoreOf(t, score, gain) {
  const parts = [t.count("table.points", score)];
  return gain === 0
    ? parts
    : [element("span", { class: "gain" }, `+${t.number(gain)}`), " ", ...parts];
}

function badge(t, key) {
  return element("span", { class: `badge ${key}` }, t(`table.${key}`));
}

function lying(draw, card, size = "") {
  return element("span", { class: `card ${size}`, dataset: { card } }, draw.face(card));
}

function inHand(draw, card, asked, chosen, isShown) {
  const { t } = draw;
  const content = [draw.face(card)];
  if (isShown) content.push(element("span", { class: "unseen" }, t("table.is_shown")));
  const classes = isShown ? "card is-shown" : "card";
  const dataset = { card };
  if (!asked?.includes(card)) {
    const kind = asked === null ? classes : `${classes} is-dim`;
    return element("li", {}, element("span", { class: kind, dataset }, ...content));
  }
  const button = {
    type: "button",
    class: `${classes} is-lit`,
    "aria-pressed": chosen.includes(card) ? "true" : null,
    dataset,
    on: { click: () => draw.choose(card) },
  };
  return element("li", {}, element("button", button, ...content));
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** Let the arrow keys go along the cards that may be played. */
function moveAlongHand(event) {
  const hand = event.target.closest("[data-hand]");
  if (!hand || !(event.key in STEPS)) return;
  const buttons = [...hand.querySelectorAll("button")];
  if (buttons.length === 0) return;
  const at = buttons.indexOf(event.target) + STEPS[event.key];
  buttons[Math.min(Math.max(at, 0), buttons.length - 1)].focus();
  event.preventDefault();
  event.stopPropagation();
}

// --- between the hands ------------------------------------------------------------------

function cardAt({ trick, last }, { isLastShown }, seat) {
  const cards = isLastShown && last ? last.cards : trick;
  return cards.find(([by]) => by === seat)?.[1] ?? null;
}

function spotKey(position, options, seat) {
  const card = cardAt(position, options, seat);
  if (card !== null) return card;
  return position.lead === null
    ? JSON.stringify([position.calls, position.shown[seat]])
    : "";
}

const MOST_CALLS = 4; // of a seat, shown at once; the sheet has them all

function spotOf(draw, position, options, seat) {
  const card = cardAt(position, options, seat);
  if (card !== null) return [lying(draw, card)];
  if (position.lead !== null) return [];
  const calls = position.calls.filter(([by]) => by === seat).map(([, call]) => call);
  return calls
    .slice(-MOST_CALLS)
    .map((call) => element("span", { class: "call" }, smallCall(draw.t, call)));
}

const STATE = ["no", "dealer", "contract", "declarer", "partner", "won", "calls"];
const RESULT = ["no", "points", "scores", "end"];

function keyOf(position, fields, names) {
  return JSON.stringify([names, ...fields.map((field) => position[field])]);
}

function resultOf(t, position, names) {
  if (position.points === null && position.end === null) return [];
  return [
    ...explain(t, position, names).map((line) => element("p", {}, ...line)),
    position.end === null ? null : places(t, position, names),
  ].filter((part) => part !== null);
}
