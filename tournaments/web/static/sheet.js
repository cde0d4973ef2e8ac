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
    const button = element("button", { type: "button", on: { click: () => go(step) } }, ...content, ...marks);
    buttons.set(step, button);
    return button;
  };
  const heads = SEATS.map((seat) => element("th", { scope: "col" }, foreign(names[seat])));
  const table = element(
    "table",
    {},
    element("caption", {}, t("replay.sheet")),
    element("thead", {}, element("tr", {}, element("td"), ...heads)),
    element("tbody", {}, ...rowsOf(positions).map((row) => drawRow(t, names, positions, row, cell))),
  );
  root.replaceChildren(table);
  let current = null;
  return (step) => {
    current?.removeAttribute("aria-current");
    current = null;
    for (let at = step; at >= 0 && current === null; at -= 1) current = buttons.get(at) ?? null;
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
        if (row?.kind !== "bid" || round(event.seat, first) <= round(calls.at(-2)[0], first)) begin("bid");
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
        if (row?.kind !== "trick" || row.isDone) begin("trick", { no: null, lead: event.seat, isDone: false });
        row.steps[event.seat] = step;
        break;
      case "trick":
        if (row?.kind === "trick") Object.assign(row, { no: event.no, winner: event.winner, isDone: true, step });
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

const HEADS = { bid: "replay.auction", show: "replay.shows" };

function drawRow(t, names, positions, row, cell) {
  const head = (...content) => element("th", { scope: "row" }, ...content);
  const wide = (...content) => element("td", { colspan: 3 }, cell(row.step, ...content));
  switch (row.kind) {
    case "bid":
    case "show":
      return element(
        "tr",
        { class: row.kind },
        head(element("span", { class: "unseen" }, t(HEADS[row.kind]))),
        ...row.steps.map((step) => element("td", {}, step === null ? "" : cell(step, ...said(t, positions[step].event)))),
      );
    case "contract":
      return element(
        "tr",
        { class: "decided" },
        head(t("replay.contract")),
        wide(smallCall(t, row.event.contract), " ", ...sentence(t, "table.by", { who: () => foreign(names[row.event.declarer]) })),
      );
    case "trianon":
      return element("tr", { class: "decided" }, head(t("replay.contract")), wide(t("call.trianon")));
    case "partner":
      return element("tr", { class: "decided" }, head(t("replay.contract")), wide(...chosen(t, names, row.event)));
    case "trick":
      return trickRow(t, positions, row, head, cell);
    default:
      return element(
        "tr",
        { class: "scored" },
        head(cell(row.step, t("replay.points"))),
        ...SEATS.map((seat) => element("td", {}, t.number(row.event.points[seat]))),
      );
  }
}

function said(t, event) {
  if (event.e === "bid") return [smallCall(t, event.bid)];
  return event.cards.flatMap((card) => [smallCard(t, card), " "]);
}

function chosen(t, names, { seat, partner }) {
  const who = () => foreign(names[seat]);
  if (partner === "alone") return sentence(t, "event.partner_alone", { who });
  return sentence(t, "event.partner", { who, partner: () => foreign(names[partner]) });
}

function trickRow(t, positions, row, head, cell) {
  const cells = SEATS.map((seat) => {
    const step = row.steps[seat];
    if (step === null) return element("td");
    const marks = [
      row.lead === seat ? mark("▸", "lead-mark", t("replay.leads")) : null,
      row.winner === seat ? mark("✓", "win-mark", t("replay.wins")) : null,
    ];
    const card = smallCard(t, positions[step].event.card);
    return element("td", { class: row.winner === seat ? "won" : null }, cell(step, marks[0] ?? "", card, marks[1] ?? ""));
  });
  const no = row.isDone ? cell(row.step, element("span", { class: "unseen" }, t("replay.trick"), " "), String(row.no)) : "";
  return element("tr", { class: "trick" }, head(no), ...cells);
}
