/* A deal on one sheet: the auction and the tricks, each move a button that leads to it. */

import { smallCall, smallCard } from "./cards.js";
import { element, foreign, sentence } from "./elements.js";
import { SEATS } from "./notation.js";

/** Fill `root` with the sheet of a deal; return what marks the present step.

    `positions` are those of the deal; `go(step)` is called when a move is chosen. */
export function makeSheet(root, t, names, positions, go) {
  const buttons = new Map();
  const troubles = troubled(positions);
  const cell = (step, ...content) => {
    const { event } = positions[step];
    const marks = [
      troubles.has(step) ? mark("!", "fault-mark", t("table.fault")) : null,
      event.note ? mark("”", "note-mark", t("replay.notes")) : null,
    ];
    const button = element(
      "button",
      { type: "button", on: { click: () => go(step) } },
      ...content,
      ...marks,
    );
    buttons.set(step, button);
    return button;
  };
  const heads = SEATS.map((seat) => element("th", { scope: "col" }, foreign(names[seat])));
  const table = element(
    "table",
    {},
    element("caption", {}, t("replay.sheet")),
    element("thead", {}, element("tr", {}, element("td"), ...heads)),
    element(
      "tbody",
      {},
      ...rowsOf(positions).map((row) => DRAW[row.kind](row, { t, names, positions, cell })),
    ),
  );
  root.replaceChildren(table);
  let current = null;
  return (step) => {
    current?.removeAttribute("aria-current");
    current = null;
    for (let at = step; at >= 0 && !current; at -= 1) current = buttons.get(at);
    current?.setAttribute("aria-current", "step");
  };
}

function mark(sign, kind, words) {
  return element(
    "span",
    { class: kind, title: words },
    element("span", { "aria-hidden": "true" }, sign),
    element("span", { class: "unseen" }, words),
  );
}

/** Return the steps of the moves that the house made for a fault, or for who is out. */
function troubled(positions) {
  const found = new Set();
  let isOpen = false;
  positions.forEach(({ event }, step) => {
    if (event === null) return;
    if (event.e === "fault") isOpen = true;
    else if (isOpen && event.e !== "out") {
      found.add(step);
      isOpen = false;
    }
  });
  return found;
}

/** Return the rows: each has a kind, and per seat the step of its move. */
export function rowsOf(positions) {
  const rows = [];
  let row = null;
  const begin = (kind, more = {}) => {
    row = { kind, steps: [null, null, null], ...more };
    rows.push(row);
  };
  positions.forEach(({ event, calls }, step) => {
    switch (event?.e) {
      case "bid": {
        const first = calls[0][0];
        const isNew = row?.kind !== "bid" || row.steps[event.seat] !== null;
        if (isNew || round(event.seat, first) < round(calls.at(-2)[0], first)) begin("bid");
        row.steps[event.seat] = step;
        break;
      }
      case "contract":
      case "trianon":
      case "partner":
        begin(event.e, { step, event });
        break;
      case "show":
        if (row?.kind !== "show") begin("show");
        row.steps[event.seat] = step;
        break;
      case "play":
        if (row?.kind !== "trick" || row.isDone)
          begin("trick", { no: null, lead: event.seat, isDone: false });
        row.steps[event.seat] = step;
        break;
      case "trick":
        if (row?.kind === "trick")
          Object.assign(row, { no: event.no, winner: event.winner, isDone: true, step });
        break;
      case "score":
        begin("score", { step, event });
        break;
      default:
        break;
    }
  });
  return rows;
}

/** Return how far a seat is behind the first to speak. */
function round(seat, first) {
  return (seat - first + 3) % 3;
}

const head = (...content) => element("th", { scope: "row" }, ...content);

/** How a row of each kind is drawn: `look` has t, names, positions and cell. */
const DRAW = {
  bid: (row, look) => saidRow(row, "replay.auction", look),
  show: (row, look) => saidRow(row, "replay.shows", look),
  contract: (row, look) => decidedRow(row, played(row.event, look), look),
  trianon: (row, look) => decidedRow(row, [look.t("call.trianon")], look),
  partner: (row, look) => decidedRow(row, chosen(row.event, look), look),
  trick: trickRow,
  score: scoreRow,
};

function saidRow({ kind, steps }, key, { t, positions, cell }) {
  const words = element("span", { class: "unseen" }, t(key));
  const cells = steps.map((step) =>
    element("td", {}, step === null ? null : cell(step, ...said(t, positions[step].event))),
  );
  return element("tr", { class: kind }, head(words), ...cells);
}

function said(t, { e, bid, cards }) {
  if (e === "bid") return [smallCall(t, bid)];
  return cards.flatMap((card) => [smallCard(t, card), " "]);
}

function decidedRow({ step }, content, { t, cell }) {
  const wide = element("td", { colspan: 3 }, cell(step, ...content));
  return element("tr", { class: "decided" }, head(t("replay.contract")), wide);
}

function played({ contract, declarer }, { t, names }) {
  const by = sentence(t, "table.by", { who: () => foreign(names[declarer]) });
  return [smallCall(t, contract), " ", ...by];
}

function chosen({ seat, partner }, { t, names }) {
  const who = () => foreign(names[seat]);
  if (partner === "alone") return sentence(t, "event.partner_alone", { who });
  return sentence(t, "event.partner", { who, partner: () => foreign(names[partner]) });
}

function trickRow({ no, step, steps, lead, winner, isDone }, { t, positions, cell }) {
  const cells = SEATS.map((seat) => {
    if (steps[seat] === null) return element("td");
    const card = smallCard(t, positions[steps[seat]].event.card);
    const leads = lead === seat ? mark("▸", "lead-mark", t("replay.leads")) : null;
    const wins = winner === seat ? mark("✓", "win-mark", t("replay.wins")) : null;
    return element("td", { class: wins && "won" }, cell(steps[seat], leads, card, wins));
  });
  const words = element("span", { class: "unseen" }, t("replay.trick"), " ");
  const first = isDone ? cell(step, words, String(no)) : null;
  return element("tr", { class: "trick" }, head(first), ...cells);
}

function scoreRow({ step, event }, { t, cell }) {
  const cells = event.points.map((points) => element("td", {}, t.number(points)));
  return element("tr", { class: "scored" }, head(cell(step, t("replay.points"))), ...cells);
}
