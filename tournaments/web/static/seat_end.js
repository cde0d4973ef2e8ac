/* After a match: its places, another one, its record, and the way through it again. */

import { element } from "./elements.js";
import { places } from "./explain.js";
import { makePlayer } from "./player.js";
import { readRecord } from "./record.js";

/** Fill `root` with what can be done when a match is over or has been stopped.

    `isTold` says whether the table shows how it has ended: who gave up the seat is not
    told.  `on.again` begins another match; `on.record` returns the text of the record. */
export function showEnd(root, t, match, isTold, on) {
  const press = (key, listener, classes = "wide") =>
    element("button", { type: "button", class: classes, on: { click: listener } }, t(`seat.${key}`));
  const parts = [press("again", on.again, "again button primary wide")];
  if (match.phase === "over") {
    if (!isTold) parts.unshift(places(t, { end: match }, match.players));
    parts.push(
      press("look_back", async () => lookBack(root, t, await on.record())),
      press("save", async () => save(match.record, await on.record())),
      element("p", { class: "quiet small" }, t("seat.record", { file: match.record })),
    );
  }
  root.replaceChildren(...parts);
}

/** Save a text as a file of this name. */
function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

/** Walk through the match, all hands open, in place of the table.

    The way back is to load the page anew: it comes to where the match was, and the keys
    that the replay listens to are the table's again. */
function lookBack(root, t, text) {
  const playing = root.closest(".playing");
  const stage = element("div", { class: "replay" });
  const back = element("button", { type: "button" }, t("seat.to_table"));
  back.addEventListener("click", () => {
    history.replaceState(null, "", location.pathname + location.search);
    location.reload();
  });
  playing.before(element("p", {}, back), stage);
  playing.hidden = true;
  makePlayer(stage, t, readRecord(text));
  back.focus();
}
