/* The page of the table: where everything stands on it.  What happens is in seat.js. */

import { element, foreign } from "./elements.js";
import { makeAsk } from "./seat_ask.js";
import { makeClock } from "./seat_clock.js";
import { makeLog } from "./seat_log.js";
import { makeTable } from "./table.js";

const PACES = { calm: 1.7, normal: 1, quick: 0.4, instant: 0 };
const PACE = "table-pace";

/** Fill `root`; return the parts that change.  `on` is told what is pressed. */
export function makeView(root, t, on) {
  const press = (key, listener, classes = "") =>
    element("button", { type: "button", class: classes || null, on: { click: listener } }, t(`seat.${key}`));
  const trouble = element("p", { class: "trouble", role: "alert", hidden: true });
  const opening = element("div", { hidden: true });
  const cloth = element("div");
  const prompt = element("p", { class: "prompt", role: "status" });
  const clock = element("p", { class: "clock number", hidden: true });
  const advice = element("p", { class: "advice", role: "status" });
  const asked = element("div", { class: "asked" });
  asked.setAttribute("role", "group");
  asked.setAttribute("aria-label", t("seat.your_move"));
  const next = press("go_on", on.goOn, "go-on button primary wide");
  const after = element("div", { class: "after", hidden: true });
  const buttons = {
    hint: press("hint", on.hint),
    last: press("last_trick", on.last),
    score: press("last_score", on.score),
    rules: press("rules", on.rules),
    leave: press("leave", on.leave),
  };
  const pace = paceChoice(t);
  const tools = element("div", { class: "tools" }, ...Object.values(buttons), pace.label);
  const log = element("div", { class: "log", role: "log", tabindex: "0", "aria-label": t("seat.log") });
  const panel = element("div", { class: "panel" }, prompt, clock, asked, next, advice, after, log);
  const playing = element("div", { class: "playing", hidden: true }, cloth, panel, tools);
  root.replaceChildren(trouble, opening, playing);
  next.hidden = true;
  return {
    trouble,
    opening,
    playing,
    prompt,
    advice,
    next,
    after,
    buttons,
    clock: makeClock(clock, t),
    log: makeLog(log, t),
    table: makeTable(cloth, t),
    ask: makeAsk(asked, t, { move: on.move }),
    hand: (seat) => cloth.querySelector(`[data-hand="${seat}"]`),
    pace: pace.value,
  };
}

function paceChoice(t) {
  const options = Object.keys(PACES).map((name) => element("option", { value: name }, t(`seat.pace_${name}`)));
  const select = element("select", {}, ...options);
  const kept = localStorage.getItem(PACE);
  select.value = Object.hasOwn(PACES, kept ?? "") ? kept : "normal";
  select.addEventListener("change", () => localStorage.setItem(PACE, select.value));
  const label = element("label", { class: "pace" }, element("span", {}, t("seat.pace")), select);
  return { label, value: () => PACES[select.value] };
}

/** Show a dialog with this content and a button that closes it; return it. */
export function openDialog(t, title, ...content) {
  const close = element("button", { type: "button", on: { click: () => dialog.close() } }, t("seat.close"));
  const heading = element("h2", { id: "dialog-title" }, title);
  const dialog = element("dialog", { "aria-labelledby": "dialog-title" }, heading, ...content, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Open the rules of a game, which stand in the page. */
export function openRules(game) {
  document.getElementById(`rules-${game}`).showModal();
}

/** Say something in an element, or nothing: it keeps its room. */
export function say(where, ...parts) {
  where.replaceChildren(...parts);
}

/** Return the points of a deal, and the scores after it, as a table. */
export function scoreTable(t, { points, scores }, names) {
  const row = (name, seat) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, foreign(name)),
      element("td", { class: "number" }, `+${t.number(points[seat])}`),
      element("td", { class: "number" }, t.number(scores[seat])),
    );
  const heads = ["name", "points", "total"].map((key) => element("th", { scope: "col" }, t(`seat.${key}`)));
  return element(
    "table",
    { class: "scores" },
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...names.map(row)),
  );
}
