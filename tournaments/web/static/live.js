/* A page that moves: its main part comes anew from the server when something changed.

   What is there stays: only texts and attributes that differ are changed, so that
   nothing jumps, no focus and no selection is lost.  When the server goes away, the
   page says so and goes on by itself. */

const RETRY_MS = 2000;

export function start(url, main, lost) {
  let source = null;
  let timer = 0;

  function open() {
    clearTimeout(timer);
    if (source || document.hidden) return;
    source = new EventSource(url);
    source.onmessage = (message) => {
      lost.hidden = true;
      const state = JSON.parse(message.data);
      const made = new DOMParser().parseFromString(
        `<title>${state.title}</title><main>${state.main}</main>`,
        "text/html",
      );
      document.title = made.title;
      morph(main, made.querySelector("main"));
      main.dispatchEvent(new CustomEvent("moved"));
    };
    source.onerror = () => {
      lost.hidden = false;
      if (source.readyState === EventSource.CLOSED) {
        close();
        timer = setTimeout(open, RETRY_MS);
      }
    };
  }

  function close() {
    source?.close();
    source = null;
  }

  // A hidden page asks for nothing: browsers allow few connections to one host.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) close();
    else open();
  });
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}

/** Make `here` like `there`, keeping every node that can stay.  Children with a
    `data-key` are known by it, others by their place. */
export function morph(here, there) {
  const keyed = new Map();
  for (const child of here.children) {
    if (child.dataset?.key) keyed.set(child.dataset.key, child);
  }
  let at = here.firstChild;
  for (const wanted of [...there.childNodes]) {
    const key = wanted.dataset?.key;
    let found = key ? keyed.get(key) : at;
    if (found && !isAlike(found, wanted)) found = null;
    if (!found) {
      here.insertBefore(document.importNode(wanted, true), at);
      continue;
    }
    if (found !== at) here.insertBefore(found, at);
    else at = at.nextSibling;
    if (found.nodeType === Node.ELEMENT_NODE) {
      matchAttributes(found, wanted);
      // What somebody is about to choose is theirs.
      if (found.localName !== "form") morph(found, wanted);
    } else if (found.nodeValue !== wanted.nodeValue) {
      found.nodeValue = wanted.nodeValue;
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function isAlike(one, other) {
  return (
    one.nodeType === other.nodeType &&
    one.nodeName === other.nodeName &&
    one.dataset?.key === other.dataset?.key
  );
}

function matchAttributes(here, there) {
  for (const { name } of [...here.attributes]) {
    if (!there.hasAttribute(name)) here.removeAttribute(name);
  }
  for (const { name, value } of there.attributes) {
    if (here.getAttribute(name) !== value) here.setAttribute(name, value);
  }
}
