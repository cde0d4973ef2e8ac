/* What has happened in the deal, line after line: for who looks up, and for who listens. */

import { element } from "./elements.js";
import { tell } from "./telling.js";

const SILENT = new Set(["score", "end"]); // the table says these itself

/** Return what adds the event of a position to `root`. */
export function makeLog(root, t) {
  return (position, names) => {
    const { event } = position;
    if (event.e === "deal") root.replaceChildren();
    if (SILENT.has(event.e)) return;
    root.append(element("p", { class: event.e }, ...tell(t, position, names)));
    root.scrollTop = root.scrollHeight;
  };
}
