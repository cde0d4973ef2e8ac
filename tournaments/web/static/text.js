/* Text of others, and words of ours.

   What a bot has written is put into the page as text, never as markup, and what steers
   the direction of writing or shows nothing is made visible, as \u202e. */

const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/gu;

/** Return any text as it can be shown, at most `limit` characters of it. */
export function shown(text, limit = 1000) {
  const characters = [...String(text)];
  const cut = characters.length > limit;
  const kept = cut ? characters.slice(0, limit - 1) : characters;
  return kept.join("").replace(INVISIBLE, escaped) + (cut ? "…" : "");
}

function escaped(character) {
  const code = character.codePointAt(0);
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** Load the words of this page's language; return what gives a sentence for a key.

    `t(key, {name: value})` fills in the names; `t.count(key, n)` has the form for n. */
export async function loadWords(url = document.body.dataset.words) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return makeWords(await answer.json(), document.documentElement.lang);
}

/** Return the same from a catalogue that is at hand. */
export function makeWords(catalogue, language) {
  const t = (key, values = {}) => {
    const text = catalogue[key];
    if (text === undefined) throw new Error(`no words for ${key}`);
    return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  };
  const numbers = new Intl.NumberFormat(language);
  t.number = (value) => numbers.format(value);
  t.count = (key, n, values = {}) => {
    const single = n === 1 || (language === "fr" && n === 0);
    return t(`${key}.${single ? "one" : "other"}`, { n: t.number(n), ...values });
  };
  return t;
}
