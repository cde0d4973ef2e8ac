/* A record on the table: the reader's way through it, drawn. */

import {
  keysHelp,
  listenToKeys,
  listenToSwipes,
  makeControls,
  SPEEDS,
} from "./controls.js";
import { Course } from "./course.js";
import { element } from "./elements.js";
import { openTo } from "./position.js";
import { makeScores } from "./scores.js";
import { makeSheet } from "./sheet.js";
import { makeTable } from "./table.js";
import { beside, doer, tell } from "./telling.js";
import { shown } from "./text.js";

const MAX_NAME = 64; // characters, as the arena has it; a file may say anything
const MOVE_MS = 240; // a card's way, when a step is made by hand
const ADDRESS_MS = 300; // between two changes of the address: browsers allow so many

/** Show a record in `root`, and let it be walked through; return {close}, which has to be
    called before another is shown. */
export function makePlayer(root, t, record) {
  const names = record.header.players.map((player) => shown(player.name, MAX_NAME));
  const course = new Course(record);
  let viewer = course.follow(location.hash);
  let timer = null;
  let stepMs = SPEEDS.normal;
  let addressTimer = null;
  let addressAt = -Infinity; // when the address was changed last
  const closing = new AbortController();

  const board = element("div");
  const caption = element("div", { class: "caption", role: "status" });
  const sheet = element("div", { class: "sheet" });
  const scores = element("div", { class: "sheet" });
  const table = makeTable(board, t);
  const act = {
    back: byHand(() => course.move(-1), MOVE_MS),
    forward: byHand(() => course.move(1), MOVE_MS),
    trick_back: byHand(() => course.moveTrick(-1)),
    trick_forward: byHand(() => course.moveTrick(1)),
    deal_back: byHand(() => course.moveDeal(-1)),
    deal_forward: byHand(() => course.moveDeal(1)),
    slide: byHand((step) => course.go(course.deal, step)),
    choose: byHand((deal) => course.go(deal, 0)),
    play: () => (timer === null ? play() : pause()),
    look: (seat) => {
      viewer = seat;
      draw(0);
    },
    hurry: (ms) => {
      stepMs = ms;
      if (timer !== null) play();
    },
    link: copyLink,
  };
  const bar = makeControls(t, names, record.deals, act);
  root.replaceChildren(
    element("div", { class: "stage" }, board, bar.steps, caption, bar.choices),
    element("div", { class: "sheets" }, sheet, scores, keysHelp(t)),
  );
  const markDeal = makeScores(scores, t, names, record, act.choose);
  let markStep = null;
  let sheetOf = null; // the index of the deal that the sheet shows
  listenToKeys(act, closing.signal);
  listenToSwipes(board, act);
  addEventListener("hashchange", followAddress, { signal: closing.signal });
  draw(0);

  function byHand(move, moveMs = 0) {
    return (value) => {
      pause();
      move(value);
      draw(moveMs);
    };
  }

  function play() {
    clearInterval(timer);
    if (course.isAtEnd) course.go(0, 0);
    timer = setInterval(() => {
      course.move(1);
      if (course.isAtEnd) pause();
      draw(Math.min(MOVE_MS, stepMs * 0.6));
    }, stepMs);
    draw(0);
  }

  function pause() {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    draw(0);
  }

  function draw(moveMs) {
    if (sheetOf !== course.deal) {
      sheetOf = course.deal;
      markStep = makeSheet(sheet, t, names, course.positions, (step) => act.slide(step));
    }
    const options = { names, viewer: viewer ?? 0, open: openTo(viewer), moveMs };
    table.show(course.position, options);
    // What plays by itself is not read aloud at each step.
    caption.setAttribute("aria-live", timer === null ? "polite" : "off");
    caption.replaceChildren(...captionLines());
    markStep(course.step);
    markDeal(course.deal);
    bar.show({
      step: course.step,
      count: course.positions.length,
      deal: course.deal,
      isPlaying: timer !== null,
      viewer,
      isAtStart: course.deal === 0 && course.step === 0,
      isAtEnd: course.isAtEnd,
    });
    keepAddress();
  }

  function captionLines() {
    return course.events
      .filter(({ event }) => event !== null)
      .map((position) => {
        const { event } = position;
        const isMine = viewer === null || doer(event) === viewer;
        const kind = event.e === "fault" || event.e === "out" ? "trouble" : null;
        const extra = isMine ? beside(t, event).flatMap((part) => [" ", part]) : [];
        return element("p", { class: kind }, ...tell(t, position, names), ...extra);
      });
  }

  /** Let the address say where we are: at once, or soon if it has just been changed. */
  function keepAddress() {
    clearTimeout(addressTimer);
    const wait = Math.max(0, addressAt + ADDRESS_MS - performance.now());
    if (wait === 0) changeAddress();
    else addressTimer = setTimeout(changeAddress, wait);
  }

  function changeAddress() {
    addressAt = performance.now();
    const address = course.address(viewer);
    if (address !== location.hash) history.replaceState(null, "", address);
  }

  async function copyLink(button) {
    pause();
    const address = new URL(course.address(viewer), location.href);
    history.replaceState(null, "", address);
    let said = "replay.linked";
    try {
      await navigator.clipboard.writeText(address.href);
    } catch {
      said = "replay.not_linked"; // no clipboard without a secure page, or without leave
    }
    button.textContent = t(said);
    setTimeout(() => (button.textContent = t("replay.link")), 2000);
  }

  function followAddress() {
    pause();
    viewer = course.follow(location.hash);
    draw(0);
  }

  function close() {
    pause();
    clearTimeout(addressTimer);
    closing.abort();
    history.replaceState(null, "", location.pathname + location.search);
  }

  return { close };
}
