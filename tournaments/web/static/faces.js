/* What is printed on the cards: suits, pips and courts, drawn here and nowhere borrowed.

   A card is 60 wide and 84 high.  A suit is drawn around its own middle, some 20 wide.
   Colours come from the sheet of styles: each suit has its own. */

import { drawing } from "./elements.js";

const SUIT_PATHS = {
  S: "M0-10C3-5.5 9-2 9 3 9 6.5 6.6 8 4.6 8 2.9 8 1.5 7.2.8 6 1 8 1.8 9.4 3.2 10H-3.2C-1.8 9.4-1 8-.8 6-1.5 7.2-2.9 8-4.6 8-6.6 8-9 6.5-9 3-9-2-3-5.5 0-10Z",
  H: "M0 10C-3 5.5-9.2 1.6-9.2-3.8-9.2-7.6-6.8-9.4-4.6-9.4-2.4-9.4-.8-8.2 0-6.2.8-8.2 2.4-9.4 4.6-9.4 6.8-9.4 9.2-7.6 9.2-3.8 9.2 1.6 3 5.5 0 10Z",
  D: "M0-10.4Q3.2-4.8 7.8 0 3.2 4.8 0 10.4-3.2 4.8-7.8 0-3.2-4.8 0-10.4Z",
  C: "M0-10A4.5 4.5 0 0 1 3-2.1 4.5 4.5 0 1 1 1 4.6C1.1 7.2 1.9 9.2 3.3 10H-3.3C-1.9 9.2-1.1 7.2-1 4.6A4.5 4.5 0 1 1-3-2.1 4.5 4.5 0 0 1 0-10Z",
};

/** Return a suit, `size` wide around (x, y); `turned` has it upside down. */
export function suitMark(suit, x, y, size, turned = false) {
  const scale = size / 20;
  return drawing("path", {
    d: SUIT_PATHS[suit],
    fill: "currentColor",
    transform: `translate(${x} ${y}) scale(${scale})${turned ? " rotate(180)" : ""}`,
  });
}

const MIDDLE = 38; // of what is beside the index, across
const HALF = 42; // of a card's height

// Where the pips stand: [x, y]; below the middle they are upside down.
const columns = (...ys) =>
  ys.flatMap((y) => [
    [MIDDLE - 9.5, y],
    [MIDDLE + 9.5, y],
  ]);
const PIPS = {
  6: columns(16, 42, 68),
  7: [...columns(16, 42, 68), [MIDDLE, 29]],
  8: [...columns(16, 42, 68), [MIDDLE, 29], [MIDDLE, 55]],
  9: [...columns(14, 32.5, 51.5, 70), [MIDDLE, 42]],
  T: [...columns(14, 32.5, 51.5, 70), [MIDDLE, 23], [MIDDLE, 61]],
};

// The upper half of each court, around 30 and above 42; it is drawn twice, once upside down.
const ROBE = "M18.5 42V39.5C19 36.2 24 35 30 35S41 36.2 41.5 39.5V42Z";
const COURTS = {
  K: {
    crown: "M22.5 25.5 21 15.5 26 19.6 30 14 34 19.6 39 15.5 37.5 25.5Z",
    hair: "M24.6 29C24.6 39 35.4 39 35.4 29Z",
  },
  Q: {
    crown: "M22 23.5C26 22.5 28.5 19.5 30 14.5 31.5 19.5 34 22.5 38 23.5L36.8 26.5H23.2Z",
    hair: "M30 22.5C23 22.5 21.6 29 22.6 36.5H26L25.5 30H34.5L34 36.5H37.4C38.4 29 37 22.5 30 22.5Z",
  },
  J: {
    crown: "M22.8 26C22 18.5 27 16.6 31 16.6 36.5 16.6 38 20.5 37.2 26Z",
    hair: "M37 21C41.5 17.5 44.5 13.5 43.6 12.6 42.4 11.6 37.5 15 35.6 19.4Z",
  },
};

function court(rank) {
  const { crown, hair } = COURTS[rank];
  const face = { fill: "var(--card)", stroke: "currentColor", "stroke-width": 1 };
  return drawing(
    "g",
    {},
    drawing("path", { d: ROBE, fill: "currentColor", opacity: 0.85 }),
    drawing("circle", { cx: 30, cy: 29.5, r: 5.4, ...face }),
    drawing("path", { d: hair, fill: "currentColor" }),
    drawing("path", { d: crown, fill: "currentColor" }),
    drawing("path", { d: "M30 35V42", stroke: "var(--card)", "stroke-width": 1.2 }),
  );
}

function middle(rank, suit) {
  if (rank === "A") return [suitMark(suit, MIDDLE - 2, HALF + 4, 34)];
  if (rank in PIPS) return PIPS[rank].map(([x, y]) => suitMark(suit, x, y, 13, y > HALF));
  const half = court(rank);
  const other = drawing("g", { transform: "rotate(180 30 42)" }, half.cloneNode(true));
  const place = `translate(${MIDDLE} ${HALF}) scale(1.25) translate(-30 -42)`;
  const frame = { x: MIDDLE - 16.5, y: 5, width: 33, height: 74, rx: 3, class: "court" };
  return [drawing("rect", frame), drawing("g", { transform: place }, half, other)];
}

/** Return the parts of a face: `index` is how its rank is written in the corner. */
export function faceParts(rank, suit, index) {
  const kind = index.length > 1 ? "index wide" : "index";
  return [
    ...middle(rank, suit),
    drawing("text", { x: 10.5, y: 20, class: kind }, index),
    suitMark(suit, 10.5, 31, 13.5),
  ];
}

/** Return the parts of the back of a card: a frame full of small diamonds. */
export function backParts() {
  const marks = [];
  for (let x = 10; x <= 50; x += 8) {
    for (let y = 10; y <= 74; y += 8) marks.push(`M${x} ${y - 2.6}l2 2.6-2 2.6-2-2.6Z`);
  }
  const frame = { x: 5, y: 5, width: 50, height: 74, rx: 3, class: "frame" };
  return [drawing("rect", frame), drawing("path", { d: marks.join(""), class: "lattice" })];
}
