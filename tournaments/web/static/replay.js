/* The page of a replay: a record by its address, or one opened from a file. */

import { element, foreign } from "./elements.js";
import { makePlayer } from "./player.js";
import { MAX_BYTES, readRecord, RecordError } from "./record.js";
import { loadWords, shown } from "./text.js";

const root = document.getElementById("replay");
const title = document.getElementById("replay-title");
const t = await loadWords();
let player = null;

const stem = new URLSearchParams(location.search).get("match");
const folder = root.dataset.records; // absent on the page for records from files
listenToFiles();
if (folder && stem) await showAddress(`${folder}${encodeURIComponent(stem)}.jsonl`);
else root.replaceChildren(opener());
root.setAttribute("aria-busy", "false");

/** Show the record at an address. */
async function showAddress(address) {
  let answer;
  try {
    answer = await fetch(address);
  } catch {
    return showTrouble("unreachable", {}, () => showAddress(address));
  }
  if (answer.ok) return showText(await answer.text(), address);
  const codes = { 403: "closed", 404: "missing" };
  return showTrouble(codes[answer.status] ?? "unreachable", {}, () => showAddress(address));
}

/** Show a file of this machine. */
async function showFile(file) {
  if (file.size > MAX_BYTES) return showTrouble("too_long", { line: 1 });
  return showText(await file.text(), null);
}

function showText(text, address) {
  let record;
  try {
    record = readRecord(text);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return showTrouble(error.code, { line: error.line });
  }
  close();
  const { header } = record;
  title.replaceChildren(
    foreign(header.players.map((player) => shown(player.name, 64)).join(" · ")),
  );
  document.title = t("replay.title_match", { match: shown(header.match, 80) });
  const place = element("div", { class: "replay" });
  root.replaceChildren(
    facts(header, address),
    ...(record.isCut ? [cutNotice()] : []),
    place,
    ...(address === null ? [opener()] : []),
  );
  player = makePlayer(place, t, record);
}

function close() {
  player?.close();
  player = null;
}

function facts({ game, match, clock, started }, address) {
  const day = new Date(started ?? NaN);
  const when = Number.isNaN(day.getTime())
    ? null
    : new Intl.DateTimeFormat(document.documentElement.lang, {
        dateStyle: "medium",
        timeStyle: "short",
      }).format(day);
  const pace = clock
    ? t("replay.clock", { move: t.number(clock.move_ms), bank: t.number(clock.bank_ms) })
    : t("replay.no_clock");
  const parts = [
    t(`replay.game_${game}`),
    foreign(match, 120),
    when,
    pace,
    address && element("a", { href: address, download: true }, t("replay.download")),
  ];
  const line = parts.filter((part) => part !== null).flatMap((part) => [" · ", part]);
  return element("p", { class: "facts quiet small" }, ...line.slice(1));
}

function cutNotice() {
  return element("p", { class: "notice" }, t("replay.cut"));
}

function showTrouble(code, values, again = null) {
  close();
  const button =
    again &&
    element("button", { type: "button", on: { click: again } }, t("trouble.again"));
  root.replaceChildren(
    element(
      "p",
      { class: "notice", role: "alert" },
      t(`trouble.${code}`, values),
      " ",
      button,
    ),
    opener(),
  );
}

// --- files ----------------------------------------------------------------------------

function opener() {
  const input = element("input", {
    type: "file",
    accept: ".jsonl,.json,.txt",
    on: { change: () => input.files.length > 0 && showFile(input.files[0]) },
  });
  const label = element("label", {}, element("span", {}, t("replay.choose")), input);
  return element(
    "div",
    { class: "opener" },
    label,
    element("p", { class: "quiet" }, t("replay.drop")),
  );
}

function listenToFiles() {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) showFile(file);
  });
}
