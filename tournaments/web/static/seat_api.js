/* What the page of the table says to the server, and hears from it.

   The key comes behind the # of the printed address.  It is kept for this window alone and
   sent in a header, which no other page can do; it never stands in an address that a
   server, a log or another page could see. */

const KEEP = "table-key";
const KEY = /^#[\w-]{20,}$/; // a replay has its own places there
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/** What the server does not take: `status` 403 is no key, 409 not now, 422 not so. */
export class Refused extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/** Return the key, from the address or as it was kept; null for none. */
export function takeKey() {
  if (KEY.test(location.hash)) {
    sessionStorage.setItem(KEEP, location.hash.slice(1));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(KEEP);
}

/** Return what talks to the table at `root` (the way from this page to the root). */
export function makeApi(root, key) {
  const headers = { Authorization: `Bearer ${key}` };

  async function ask(path, options = {}) {
    const answer = await fetch(`${root}table/${path}`, { cache: "no-store", headers, ...options });
    if (answer.ok) return answer;
    const said = await answer.json().catch(() => ({}));
    throw new Refused(answer.status, said.error ?? answer.statusText);
  }

  return {
    /** Say something; return what is said to it. */
    async say(what, said) {
      const body = JSON.stringify(said);
      return (await ask(what, { method: "POST", body })).json();
    },
    /** Return the state of the table, once it is another than in `known`. */
    async state(known) {
      const wanted = Object.entries(known).filter(([, value]) => value !== null);
      return (await ask(`state?${new URLSearchParams(wanted)}`)).json();
    },
    /** Return the record of a match that is over, as text. */
    async record(match) {
      return (await ask(`record?${new URLSearchParams({ match })}`)).text();
    },
  };
}

/** Hear of every change of the table, for ever.

    `on.state` is told each state; of events only those that `known()` does not have, which
    names a match and how many of its events are known.  `on.lost` is told that the server
    does not answer, `on.refused` that the key is not its own: then nothing more comes. */
export async function follow(api, known, on) {
  let version = null;
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    await untilSeen();
    try {
      const state = await api.state({ version, ...known() });
      version = state.version;
      pause = FIRST_PAUSE_MS;
      on.state(state);
    } catch (error) {
      if (error instanceof Refused && error.status === 403) {
        on.refused();
        return;
      }
      if (!(error instanceof Refused) && !(error instanceof TypeError)) throw error;
      on.lost();
      version = null; // so that what is heard next is heard at once
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }
}

/** Wait until somebody looks: a browser has few connections for all windows together. */
function untilSeen() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((seen) => {
    document.addEventListener("visibilitychange", seen, { once: true });
  }).then(untilSeen);
}
