/* Making elements without markup: what is text stays text. */

import { shown } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";

/** Return an element.  Of `attributes`, null and false are left out and true is empty;
    `class`, `dataset` and `on` (listeners by name) are what they say.  Strings among the
    children are text. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Return the same within a drawing. */
export function drawing(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(made, { dataset = {}, on = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  Object.assign(made.dataset, dataset);
  for (const [name, listener] of Object.entries(on)) made.addEventListener(name, listener);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Return the name of a player, or any other text that is not ours, set apart from what is
    around it whichever way it runs. */
export function foreign(text, limit) {
  return element("bdi", {}, shown(text, limit));
}

/** Return a sentence of ours as a list of texts and elements.

    `values` are texts, numbers or functions that return an element: what a function is
    given for stands where its name does in the sentence. */
export function sentence(t, key, values = {}) {
  const MARK = "\u0001"; // in no sentence of ours
  const plain = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "function" ? `${MARK}${name}${MARK}` : value,
  ]);
  return t(key, Object.fromEntries(plain))
    .split(MARK)
    .map((part, place) => (place % 2 === 1 ? values[part]() : part));
}
