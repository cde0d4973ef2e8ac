/* The time that the person has, where the table has a clock.  The arena measures it; what
   is shown here is what it will be, near enough. */

const TICK_MS = 250;

/** Return what shows in `root` how the time of an open request runs out. */
export function makeClock(root, t) {
  let asked = null; // {id, from, move_ms, bank_ms}
  let timer = null;

  /** Show the time of a request, or hide it where there is none, or no clock. */
  function show(id, clock) {
    root.hidden = clock === null;
    if (clock === null) {
      clearInterval(timer);
      timer = asked = null;
      return;
    }
    if (asked?.id === id) return;
    asked = { id, from: performance.now(), ...clock };
    timer ??= setInterval(tick, TICK_MS);
    tick();
  }

  function tick() {
    const spent = performance.now() - asked.from;
    const free = Math.max(0, asked.move_ms - spent);
    const bank = Math.max(0, asked.bank_ms - Math.max(0, spent - asked.move_ms));
    const seconds = (ms) => t.number(Math.ceil(ms / 1000));
    root.textContent = t("seat.clock", { free: seconds(free), bank: seconds(bank) });
  }

  return { show };
}
