/* What the person is asked, and the buttons to answer with; cards are chosen in the hand.

   `makeAsk(root, t, on)` fills an element and returns {show, clear, mark}.  `on.move` is
   told the move that was chosen. */

import { smallCall, smallCard } from "./cards.js";
import { element, foreign, sentence } from "./elements.js";
import { isBid, tricksOf } from "./notation.js";

const DENOMINATIONS = ["C", "S", "D", "H", "SS", "NT"]; // ascending: rule T5
const ROWS = 3; // levels of bids that are shown at first
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export function makeAsk(root, t, on) {
  let key = null;

  /** Ask for a move.  `chosen` are the cards that are chosen to be shown. */
  function show({ id, ask, legal }, names, chosen) {
    const wanted = JSON.stringify([id, ask === "show" ? chosen : null]);
    if (key === wanted) return;
    const isNew = key === null || JSON.parse(key)[0] !== id;
    key = wanted;
    root.dataset.ask = ask;
    root.replaceChildren(...MAKE[ask]({ t, legal, names, chosen, move: on.move }));
    if (isNew && ask !== "play" && ask !== "show") root.focus({ preventScroll: true });
  }

  function clear() {
    if (key === null) return;
    key = null;
    delete root.dataset.ask;
    root.replaceChildren();
  }

  /** Mark what an adviser would do. */
  function mark(move) {
    for (const button of root.querySelectorAll("button")) {
      button.classList.toggle("is-hinted", button.dataset.move === move);
      if (button.dataset.move === move) {
        const row = button.closest("[hidden]");
        if (row) root.querySelector(".more").click();
        button.focus();
      }
    }
  }

  root.tabIndex = -1;
  return { show, clear, mark };
}

/** Return a move in a few words, as an element. */
export function moveShown(t, ask, move, names) {
  switch (ask) {
    case "play":
      return smallCard(t, move);
    case "show":
      return element("span", {}, ...move.split(" ").flatMap((card, k) => [k ? " " : "", smallCard(t, card)]));
    case "partner":
      return element("span", {}, ...partner(t, move, names));
    default:
      return smallCall(t, move);
  }
}

const MAKE = { bid: calls, raise: calls, partner: partners, show: showing, play: () => [] };

function choice(move, on, ...content) {
  return element("button", { type: "button", dataset: { move }, on: { click: () => on(move) } }, ...content);
}

// --- bids ---------------------------------------------------------------------------------

function calls({ t, legal, move }) {
  const [mildest, ...bids] = legal;
  const first = choice(mildest, move, t(`call.${mildest}`));
  first.classList.add("wide");
  const levels = [...new Set(bids.filter(isBid).map(tricksOf))];
  const rows = levels.map((level, place) => {
    const cells = DENOMINATIONS.map((denomination) => {
      const bid = `${level}${denomination}`;
      if (bids.includes(bid)) return choice(bid, move, smallCall(t, bid));
      return element("span", { class: "gap", "aria-hidden": "true" });
    });
    return element("div", { class: "level", hidden: place >= ROWS }, ...cells);
  });
  const box = element("div", { class: "bids", on: { keydown: moveInBox } }, ...rows);
  const more = element("button", { type: "button", class: "more wide", on: { click: open } }, t("seat.more_bids"));
  function open() {
    for (const row of rows) row.hidden = false;
    rows[ROWS].querySelector("button").focus();
    more.remove();
  }
  return [first, box, rows.length > ROWS ? more : null].filter((part) => part !== null);
}

/** Let the arrow keys go through the bids, which lie in rows. */
function moveInBox(event) {
  const step = STEPS[event.key];
  const cell = event.target.closest(".level > *");
  if (step === undefined || cell === null) return;
  const rows = [...event.currentTarget.children].filter((row) => !row.hidden);
  let row = rows.indexOf(cell.parentElement);
  let column = [...cell.parentElement.children].indexOf(cell);
  do {
    row += step[0];
    column += step[1];
  } while (rows[row]?.children[column] && !rows[row].children[column].matches("button"));
  rows[row]?.children[column]?.focus();
  event.preventDefault();
}

// --- Loyatais -------------------------------------------------------------------------------

function partner(t, move, names) {
  return move === "alone"
    ? [t("seat.alone")]
    : sentence(t, "seat.with", { who: () => foreign(names[Number(move.slice(-1))]) });
}

function partners({ t, legal, names, move }) {
  return legal.map((one) => {
    const button = choice(one, move, ...partner(t, one, names));
    button.classList.add("wide");
    return button;
  });
}

function showing({ t, legal, chosen, move }) {
  const pair = legal.find((one) => one.split(" ").every((card) => chosen.includes(card)));
  const isWhole = chosen.length === 2 && pair !== undefined;
  const content = isWhole
    ? sentence(t, "seat.show_these", { cards: () => moveShown(t, "show", pair, []) })
    : [t("seat.show_two")];
  const button = choice(pair ?? "", move, ...content);
  button.disabled = !isWhole;
  button.classList.add("wide", "primary");
  return [button];
}

