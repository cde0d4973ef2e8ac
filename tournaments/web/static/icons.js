/* The signs on buttons, drawn here. */

import { drawing } from "./elements.js";

const PATHS = {
  back: "M15 5 8 12l7 7",
  forward: "M9 5l7 7-7 7",
  trick_back: "M12 5l-7 7 7 7M19 5l-7 7 7 7",
  trick_forward: "M5 5l7 7-7 7M12 5l7 7-7 7",
  deal_back: "M6 5v14M18 5l-8 7 8 7Z",
  deal_forward: "M18 5v14M6 5l8 7-8 7Z",
  play: "M7 4.5v15l12-7.5Z",
  pause: "M8 5v14M16 5v14",
};

/** Return a sign; the button that bears it has the words. */
export function icon(name) {
  const path = drawing("path", { d: PATHS[name] });
  return drawing(
    "svg",
    { viewBox: "0 0 24 24", class: `icon ${name}`, "aria-hidden": "true" },
    path,
  );
}
