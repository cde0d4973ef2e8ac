/* The match deal by deal: what was played, and the scores after it. */

import { smallCall } from "./cards.js";
import { element, foreign, sentence } from "./elements.js";
import { SEATS } from "./notation.js";

const EMPTY = {
  contract: null,
  declarer: null,
  partner: null,
  points: null,
  scores: null,
  faults: 0,
};

/** What an event adds to the summary of its deal. */
const ADD = {
  contract: (_deal, { contract, declarer }) => ({ contract, declarer }),
  trianon: () => ({ contract: "trianon" }),
  partner: (_deal, { seat, partner }) => ({ declarer: seat, partner }),
  score: (_deal, { points, scores }) => ({ points, scores }),
  fault: ({ faults }) => ({ faults: faults + 1 }),
};

/** Return what each deal of a record came to: EMPTY and its number, filled in; and `isMade`,
    null where there was no contract or no end. */
export function summaries({ events, deals }) {
  return deals.map(({ no, from, to }) => {
    let found = { no, ...EMPTY };
    for (const event of events.slice(from, to)) {
      if (Object.hasOwn(ADD, event.e)) found = { ...found, ...ADD[event.e](found, event) };
    }
    return { ...found, isMade: isMade(found) };
  });
}

/** Tell whether a deal's contract was made; null if there was none.  A made contract of four
    scores nothing: it is the others' points that tell of a failure. */
function isMade({ declarer, partner, points }) {
  if (points === null || declarer === null) return null;
  return SEATS.every((seat) => seat === declarer || seat === partner || points[seat] === 0);
}

/** Fill `root` with the table; return what marks the present deal.  `go(index)` is called when
    a deal is chosen. */
export function makeScores(root, t, names, record, go) {
  const rows = summaries(record).map((deal, index) =>
    drawRow(t, names, deal, () => go(index)),
  );
  const heads = SEATS.map((seat) => element("th", { scope: "col" }, foreign(names[seat])));
  const first = element("th", { scope: "col" }, t("replay.deal"));
  const second = element("th", { scope: "col" }, t("replay.contract"));
  root.replaceChildren(
    element(
      "table",
      {},
      element("caption", {}, t("replay.scores")),
      element("thead", {}, element("tr", {}, first, second, ...heads)),
      element("tbody", {}, ...rows),
    ),
  );
  const buttons = [...root.querySelectorAll("tbody button")];
  let current = null;
  return (index) => {
    current?.removeAttribute("aria-current");
    current = buttons[index];
    current.setAttribute("aria-current", "true");
  };
}

function drawRow(t, names, deal, choose) {
  const button = element(
    "button",
    { type: "button", on: { click: choose } },
    String(deal.no),
  );
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, button, faultMark(t, deal.faults)),
    element("td", {}, ...contract(t, names, deal)),
    ...SEATS.map((seat) =>
      element(
        "td",
        { class: deal.points?.[seat] > 0 ? "won" : null },
        deal.scores === null ? "–" : t.number(deal.scores[seat]),
      ),
    ),
  );
}

function faultMark(t, faults) {
  if (faults === 0) return null;
  const seen = element("span", { "aria-hidden": "true" }, `!${faults}`);
  return element(
    "span",
    { class: "fault-mark" },
    seen,
    element("span", { class: "unseen" }, t.count("table.faults", faults)),
  );
}

function contract(t, names, { contract, declarer, partner, isMade }) {
  const outcome =
    isMade === null
      ? ""
      : element(
          "span",
          { class: isMade ? "good" : "bad" },
          ` ${t(isMade ? "replay.made" : "replay.failed")}`,
        );
  const who = () => foreign(names[declarer]);
  if (contract === "trianon") return [t("call.trianon")];
  if (contract !== null) return [smallCall(t, contract), " ", who(), outcome];
  if (partner === null) return ["–"];
  if (partner === "alone") return [...sentence(t, "replay.solo", { who }), outcome];
  return [
    ...sentence(t, "table.pair", { who, partner: () => foreign(names[partner]) }),
    outcome,
  ];
}
