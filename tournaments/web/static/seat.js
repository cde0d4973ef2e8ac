/* A seat at the table: a person plays against two bots.

   The server tells what the person's seat is told, and nothing else.  Here events are
   shown one after the other, a decision is asked for when all of them are, and an answer
   is sent.  A window that is opened anew, or a second one, comes to the same table. */

import { element, foreign, sentence } from "./elements.js";
import { explain } from "./explain.js";
import { openTo } from "./position.js";
import { follow, makeApi, Refused, takeKey } from "./seat_api.js";
import { moveShown } from "./seat_ask.js";
import { SeatCourse } from "./seat_course.js";
import { showEnd } from "./seat_end.js";
import { openingForm } from "./seat_form.js";
import { makeView, openDialog, openRules, say, scoreTable } from "./seat_view.js";
import { loadWords } from "./text.js";

const SEEN = "table-seen"; // how far this window has shown the match
const MOVE_MS = 260; // that a card is under way

class Seat {
  constructor(root, t, api) {
    this.t = t;
    this.api = api;
    this.state = null;
    this.course = null;
    this.chosen = []; // cards that are to be shown
    this.isLastShown = false;
    this.isUnfolding = false;
    this.goOn = null; // waits for the person to have read the score
    this.left = null; // the match that is over, from which the person has gone on
    this.isOffered = false; // whether the form for another stands there
    this.view = makeView(root, t, {
      move: (move) => this.move(move),
      goOn: () => this.goOn?.(),
      hint: () => this.hint(),
      last: () => this.toggleLast(),
      score: () => this.showScore(),
      rules: () => openRules(this.match.game),
      leave: () => this.leave(),
    });
  }

  get match() {
    return this.state.match;
  }

  get names() {
    return this.match.players;
  }

  /** What the server needs to know, to tell only what is new. */
  known() {
    return this.course === null ? {} : { match: this.course.name, since: this.course.known };
  }

  /** Whether the person can move now: all is shown, and nothing is sent. */
  get isAsked() {
    return this.match?.phase === "asked" && !this.isUnfolding && this.course.next === null && !this.course.isAhead;
  }

  // --- what the server tells ---

  take(state) {
    const isFirst = this.state === null;
    this.state = state;
    this.view.trouble.hidden = true;
    const { match } = state;
    const isSeated = match !== null && match.players !== null && this.left !== match.name;
    this.view.opening.hidden = isSeated;
    this.view.playing.hidden = !isSeated;
    if (isSeated) {
      if (this.course?.name !== match.name) this.sit(match);
      this.course.add(match.since, match.events);
      if (isFirst) this.catchUp();
      this.tellFaults();
      this.unfold();
    } else if (match !== null && isLive(match)) {
      this.view.opening.replaceChildren(element("p", { role: "status" }, this.t("seat.sitting_down")));
      this.isOffered = false;
    } else {
      if (match?.players === null) this.trouble(this.t(`seat.why_${match.why}`, match));
      this.offer();
    }
  }

  lost() {
    this.trouble(this.t("seat.lost"));
  }

  refused() {
    this.view.opening.hidden = this.view.playing.hidden = true;
    this.trouble(this.t("seat.no_key"));
  }

  trouble(text) {
    this.view.trouble.textContent = text;
    this.view.trouble.hidden = false;
  }

  /** Say what was played for the person, who was late: no other fault can come of here. */
  tellFaults() {
    const { faults } = this.match;
    if (faults.length > this.faults) {
      const late = faults.at(-1);
      say(this.view.advice, this.t("seat.late", { played: late.played, left: late.strikes_left }));
    }
    this.faults = faults.length;
  }

  // --- a match begins ---

  offer() {
    if (this.isOffered) return;
    this.isOffered = true;
    const form = openingForm(this.t, this.state, {
      onOpen: (said) => this.open(said),
      onRules: openRules,
    });
    this.view.opening.replaceChildren(form);
  }

  async open(said) {
    await this.tell("open", said);
  }

  sit(match) {
    this.course = new SeatCourse(match.name, match.game, match.you);
    this.chosen = [];
    this.goOn?.();
    this.faults = 0;
    this.isOffered = false;
    this.view.after.hidden = true;
    this.view.ask.clear();
    say(this.view.advice);
  }

  /** Show at once what this window, or another, has shown before. */
  catchUp() {
    const [name, at] = JSON.parse(sessionStorage.getItem(SEEN) ?? "[null, 0]");
    const until = name === this.course.name ? Math.min(at, this.course.known) : this.course.known;
    while (this.course.at < until) this.step();
  }

  // --- what happens at the table ---

  async unfold() {
    if (this.isUnfolding) return;
    this.isUnfolding = true;
    const { course } = this;
    while (course === this.course && course.next !== null) {
      if (course.isScored && course.next.e !== "end") await this.read();
      const pause = course.pause * this.view.pace();
      if (pause > 0) {
        this.draw();
        await sleep(pause);
      }
      this.step();
      this.isLastShown = false;
      sessionStorage.setItem(SEEN, JSON.stringify([course.name, course.at]));
    }
    this.isUnfolding = false;
    if (course !== this.course) return this.unfold();
    this.draw();
    return undefined;
  }

  step() {
    this.course.step();
    this.view.log(this.course.position, this.names);
  }

  /** Wait until the person has read how the deal is scored. */
  async read() {
    if (this.match.phase === "over" || this.match.phase === "stopped") return;
    const { next } = this.view;
    await new Promise((done) => {
      this.goOn = done;
      this.draw();
      next.hidden = false;
      next.focus({ preventScroll: true });
    });
    this.goOn = null;
    next.hidden = true;
  }

  draw() {
    const { match, course, view, isAsked } = this;
    const position = course.shown;
    let legal = null;
    if (isAsked && match.ask === "play") legal = match.legal;
    if (isAsked && match.ask === "show") legal = position.hands[match.you];
    view.table.show(position, {
      names: this.names,
      viewer: match.you,
      open: openTo(match.you),
      legal,
      chosen: this.chosen,
      onCard: (card) => this.choose(card),
      isLastShown: this.isLastShown,
      moveMs: view.pace() === 0 ? 0 : MOVE_MS,
    });
    view.playing.dataset.request = isAsked ? match.id : "";
    if (isAsked) view.ask.show(match, this.names, this.chosen);
    else view.ask.clear();
    this.drawButtons(position);
    say(view.prompt, ...this.prompt(position));
    this.drawEnd();
    view.clock.show(match.id, isAsked ? match.clock : null);
    this.focusHand();
  }

  drawButtons(position) {
    const { hint, last, score, leave } = this.view.buttons;
    hint.hidden = this.state.adviser === null;
    hint.disabled = !this.isAsked;
    last.disabled = position.last === null || position.points !== null;
    last.setAttribute("aria-pressed", String(this.isLastShown));
    score.disabled = this.course.scored === null;
    leave.hidden = !isLive(this.match);
  }

  /** Return what the person is to do, or whom all wait for. */
  prompt(position) {
    const { match, t } = this;
    if (this.goOn !== null) return [t("seat.scored", { no: position.no })];
    if (this.isAsked) return [t(`seat.ask_${match.ask}`)];
    if (this.course.next === null && match.phase === "stopped") return [t(`seat.why_${match.why}`, match)];
    if (this.course.next === null && match.phase === "over") return [t("seat.over")];
    if (match.resigned) return [t("seat.resigned")];
    if (position.turn === null || position.turn === match.you) return [t("seat.wait")];
    return sentence(t, "seat.thinks", { who: () => foreign(this.names[position.turn]) });
  }

  /** Show what can be done after a match. */
  drawEnd() {
    const { match, course, view, t } = this;
    const isOver = !isLive(match) && course.next === null;
    if (view.after.hidden === !isOver) return;
    view.after.hidden = !isOver;
    if (!isOver) return;
    showEnd(view.after, t, match, course.position.end !== null, {
      again: () => this.begin(),
      record: () => this.api.record(match.name),
    });
  }

  /** Have the keyboard where the cards are, unless the person is elsewhere. */
  focusHand() {
    const { ask } = this.match;
    if (!this.isAsked || (ask !== "play" && ask !== "show")) return;
    if (document.activeElement === document.body || !document.activeElement.checkVisibility()) {
      this.view.table.focusHand(this.match.you);
    }
  }

  // --- what the person does ---

  /** Say something to the server; tell what it does not take.  Return whether it did. */
  async tell(what, said) {
    try {
      return await this.api.say(what, said);
    } catch (error) {
      // Of two windows one comes too late: the state that follows tells of it.
      if (!(error instanceof Refused)) this.lost();
      else if (error.status !== 409) this.trouble(error.message);
      return null;
    }
  }

  /** Take a card of the hand: it is played, or chosen to be shown. */
  choose(card) {
    if (!this.isAsked) return;
    if (this.match.ask === "play") {
      this.move(card);
      return;
    }
    const isChosen = this.chosen.includes(card);
    this.chosen = isChosen ? this.chosen.filter((one) => one !== card) : [...this.chosen.slice(-1), card];
    this.draw();
  }

  async move(move) {
    if (!this.isAsked) return;
    const { name, id, ask } = this.match;
    const { course } = this;
    course.moveAhead(ask, move);
    this.chosen = [];
    this.isLastShown = false;
    say(this.view.advice);
    this.draw();
    if ((await this.tell("move", { match: name, id, move })) === null) {
      course.takeBack();
      if (course === this.course) this.draw();
    }
  }

  async hint() {
    const { match, t, view } = this;
    view.buttons.hint.disabled = true;
    const adviser = () => foreign(this.state.adviser);
    say(view.advice, ...sentence(t, "seat.asking", { who: adviser }));
    const said = await this.tell("hint", { match: match.name, id: match.id });
    if (said === null || this.match?.id !== match.id || !this.isAsked) {
      say(view.advice);
      if (this.course !== null) this.draw();
      return;
    }
    const move = () => moveShown(t, match.ask, said.move, this.names);
    say(view.advice, ...sentence(t, "seat.advice", { who: adviser, move }));
    if (match.ask === "show") this.chosen = said.move.split(" ");
    this.draw();
    view.ask.mark(said.move);
    if (match.ask === "play") this.markCard(said.move);
  }

  markCard(card) {
    const lit = this.view.hand(this.match.you).querySelector(`button[data-card="${card}"]`);
    lit.classList.add("is-hinted");
    lit.focus({ preventScroll: true });
  }

  toggleLast() {
    this.isLastShown = !this.isLastShown;
    this.draw();
  }

  showScore() {
    const { t, course } = this;
    const lines = explain(t, course.scored, this.names).map((line) => element("p", {}, ...line));
    const title = t("seat.score_of", { no: course.scored.no });
    openDialog(t, title, ...lines, scoreTable(t, course.scored, this.names));
  }

  leave() {
    const { t, match } = this;
    const act = (what) => {
      dialog.close();
      this.goOn?.();
      this.tell(what, { match: match.name });
    };
    const choice = (what) =>
      element("div", {},
        element("button", { type: "button", on: { click: () => act(what) } }, t(`seat.${what}`)),
        element("p", { class: "quiet small" }, t(`seat.${what}_means`)));
    const dialog = openDialog(t, t("seat.leave"), choice("resign"), choice("stop"));
  }

  /** Go back to the form, for another match. */
  begin() {
    this.left = this.match.name;
    this.view.playing.hidden = true;
    this.view.opening.hidden = false;
    this.offer();
    this.view.opening.querySelector("input").focus();
  }

}

function isLive({ phase }) {
  return phase === "asked" || phase === "waiting";
}

function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

async function start() {
  const root = document.getElementById("seat");
  const t = await loadWords();
  for (const dialog of document.querySelectorAll("dialog[id]")) {
    dialog.querySelector("button").addEventListener("click", () => dialog.close());
  }
  const key = takeKey();
  if (key === null) {
    root.replaceChildren(element("p", { class: "trouble", role: "alert" }, t("seat.no_key")));
    return;
  }
  const api = makeApi(document.body.dataset.root, key);
  const seat = new Seat(root, t, api);
  await follow(api, () => seat.known(), {
    state: (state) => seat.take(state),
    lost: () => seat.lost(),
    refused: () => seat.refused(),
  });
}

await start();
