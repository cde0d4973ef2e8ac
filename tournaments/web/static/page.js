/* What every page does: it keeps the place when the language is changed, shows lists of
   matches that were chosen, and moves where it is live. */

import { start } from "./live.js";

for (const link of document.querySelectorAll("a[data-language]")) {
  link.addEventListener("click", () => {
    link.search = location.search;
    link.hash = location.hash;
  });
}

for (const form of document.querySelectorAll("form.filters")) {
  form.addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    const chosen = (name) => form.elements[name]?.value ?? "-";
    const parts = ["bot", "against", "wanted"].map(chosen);
    location.href = `${form.dataset.base}${parts.join("/")}/1.html`;
  });
}

// On a phone the line of pages is wider than the screen.
const here = document.querySelector(".tabs [aria-current]");
here?.scrollIntoView({ block: "nearest", inline: "nearest" });

const { live } = document.body.dataset;
if (live) start(live, document.querySelector("main"), document.querySelector(".lost"));
