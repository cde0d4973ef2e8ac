/* What a reader presses: buttons, the slider, speed and view; keys and swipes. */

import { element } from "./elements.js";
import { icon } from "./icons.js";
import { SEATS } from "./notation.js";
import { shown } from "./text.js";

/** How long a step lasts while it plays, in ms. */
export const SPEEDS = { slow: 2000, normal: 1000, fast: 400, rapid: 130 };

const STEPS = [
  "deal_back",
  "trick_back",
  "back",
  "play",
  "forward",
  "trick_forward",
  "deal_forward",
];

/** Return {steps, choices, show(state)}: two elements, and what brings them up to date.

    `act` has a function for each of STEPS, and `slide(step)`, `choose(deal)`, `look(viewer)`,
    `hurry(ms)` and `link(button)`.  A state has step, count (of steps),
    deal, isPlaying, viewer, isAtStart and isAtEnd. */
export function makeControls(t, names, deals, act) {
  const buttons = Object.fromEntries(
    STEPS.map((name) => [
      name,
      element(
        "button",
        {
          type: "button",
          class: "step",
          "aria-label": t(`replay.${name}`),
          title: t(`replay.${name}`),
          on: { click: act[name] },
        },
        icon(name),
      ),
    ]),
  );
  const slider = element("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": t("replay.step"),
    on: { input: () => act.slide(Number(slider.value)) },
  });
  const count = element("span", { class: "count" });
  const deal = select(
    "replay.deal",
    deals.map(({ no }, index) => [
      index,
      no === 0
        ? t("replay.before_deals")
        : t("replay.deal_of", { no, all: deals.at(-1).no }),
    ]),
    (value) => act.choose(Number(value)),
  );
  const speed = select(
    "replay.speed",
    Object.entries(SPEEDS).map(([name, ms]) => [ms, t(`replay.speed_${name}`)]),
    (value) => act.hurry(Number(value)),
  );
  speed.field.value = SPEEDS.normal;
  const view = select(
    "replay.view",
    [
      ["", t("replay.view_all")],
      ...SEATS.map((seat) => [
        seat,
        t("replay.view_seat", { who: shown(names[seat], 24) }),
      ]),
    ],
    (value) => act.look(value === "" ? null : Number(value)),
  );
  const link = element(
    "button",
    { type: "button", class: "link", on: { click: () => act.link(link) } },
    t("replay.link"),
  );
  const row = { class: "steps", role: "group", "aria-label": t("replay.controls") };
  const steps = element(
    "div",
    { class: "controls" },
    element("div", row, ...Object.values(buttons)),
    element("div", { class: "slide" }, slider, count),
  );
  const choices = element(
    "div",
    { class: "choices" },
    deal.choice,
    view.choice,
    speed.choice,
    link,
  );

  function select(key, options, choose) {
    const id = key.replace(".", "-");
    const field = element(
      "select",
      { id, on: { change: () => choose(field.value) } },
      ...options.map(([value, text]) => element("option", { value }, text)),
    );
    const label = element("label", { for: id }, t(key));
    return { field, choice: element("div", { class: "choice" }, label, field) };
  }

  return {
    steps,
    choices,
    show({ step, count: all, deal: index, isPlaying, viewer, isAtStart, isAtEnd }) {
      slider.max = all - 1;
      slider.value = step;
      slider.setAttribute("aria-valuetext", t("replay.step_of", { step: step + 1, all }));
      count.textContent = `${step + 1} / ${all}`;
      deal.field.value = index;
      view.field.value = viewer ?? "";
      const playing = isPlaying ? "pause" : "play";
      buttons.play.replaceChildren(icon(playing));
      buttons.play.setAttribute("aria-label", t(`replay.${playing}`));
      buttons.play.title = t(`replay.${playing}`);
      for (const name of ["back", "trick_back", "deal_back"]) dim(buttons[name], isAtStart);
      for (const name of ["forward", "trick_forward", "deal_forward"])
        dim(buttons[name], isAtEnd);
    },
  };
}

/** Show that a button leads nowhere.  It keeps the focus, which a disabled one would lose. */
function dim(button, isDim) {
  button.setAttribute("aria-disabled", String(isDim));
}

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  "Shift ArrowLeft": "trick_back",
  "Shift ArrowRight": "trick_forward",
  p: "deal_back",
  n: "deal_forward",
  " ": "play",
};
const VIEWS = { Digit0: null, Digit1: 0, Digit2: 1, Digit3: 2 };

/** Let keys do what the buttons do, wherever they mean nothing else, until `signal`. */
export function listenToKeys(act, signal) {
  document.addEventListener("keydown", (event) => press(event, act), { signal });
}

function press(event, act) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  if (event.key === " " && event.target.closest("button, a, summary")) return;
  const isShifted = event.shiftKey && event.key.startsWith("Arrow");
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const name = isShifted ? `Shift ${key}` : key;
  if (Object.hasOwn(KEYS, name)) act[KEYS[name]]();
  else if (Object.hasOwn(VIEWS, event.code) && !event.shiftKey) act.look(VIEWS[event.code]);
  else return;
  event.preventDefault();
}

const SWIPE = 40; // CSS pixels across; less is a tap

/** Let a finger that swipes across `board` step on and back. */
export function listenToSwipes(board, act) {
  let from = null;
  board.addEventListener(
    "touchstart",
    (event) => {
      from = event.touches.length === 1 ? event.touches[0] : null;
    },
    { passive: true },
  );
  board.addEventListener(
    "touchend",
    (event) => {
      if (from === null) return;
      const to = event.changedTouches[0];
      const across = to.clientX - from.clientX;
      const down = to.clientY - from.clientY;
      from = null;
      if (Math.abs(across) < SWIPE || Math.abs(across) < 2 * Math.abs(down)) return;
      act[across < 0 ? "forward" : "back"]();
    },
    { passive: true },
  );
}

/** Return the list of keys, to be shown. */
export function keysHelp(t) {
  const rows = [
    ["←  →", "step"],
    ["⇧ ←  ⇧ →", "trick"],
    ["P  N", "deal"],
    [t("replay.keys_space"), "play"],
    ["0  1  2  3", "view"],
  ];
  const items = rows.flatMap(([keys, what]) => [
    element("dt", {}, ...keys.split("  ").flatMap((key) => [element("kbd", {}, key), " "])),
    element("dd", {}, t(`replay.keys_${what}`)),
  ]);
  return element(
    "details",
    { class: "keys" },
    element("summary", {}, t("replay.keys")),
    element("dl", {}, ...items),
  );
}
