/* The form that begins a match: which game, how long, what the person is called. */

import { element, foreign, sentence } from "./elements.js";

const NAME = "table-name";
const LENGTHS = {
  trianon: [{ target: 500 }, { target: 200 }, { deals: 3 }],
  loyatais: [{ deals: 12 }, { deals: 6 }, { deals: 3 }],
};

/** Return the form for a table's `games` and `bots`; `onOpen` is told what was chosen. */
export function openingForm(t, { games, bots }, { onOpen, onRules }) {
  const name = element("input", {
    type: "text",
    id: "seat-name",
    name: "person",
    maxlength: 32,
    autocomplete: "off",
    value: localStorage.getItem(NAME) ?? t("seat.guest"),
  });
  const length = element("select", { id: "seat-length", name: "length" });
  const choices = games.map((game, place) => {
    const radio = element("input", { type: "radio", name: "game", value: game, checked: place === 0 });
    radio.addEventListener("change", () => offer(game));
    const rules = element("button", { type: "button", class: "plain", on: { click: () => onRules(game) } }, t("seat.rules"));
    rules.setAttribute("aria-label", t("seat.rules_of", { game: t(`game.${game}`) }));
    const title = element("strong", {}, t(`game.${game}`));
    const about = element("span", { class: "quiet" }, t(`seat.about_${game}`));
    return element("div", { class: "game" }, element("label", {}, radio, title, about), rules);
  });

  function offer(game) {
    const options = LENGTHS[game].map((given) =>
      element("option", { value: JSON.stringify(given) }, lengthShown(t, given)),
    );
    length.replaceChildren(...options);
  }
  offer(games[0]);

  function open(event) {
    event.preventDefault();
    const person = name.value.trim() || t("seat.guest");
    localStorage.setItem(NAME, person);
    const game = form.elements.namedItem("game").value;
    onOpen({ game, person, ...JSON.parse(length.value) });
  }

  const [one, other] = bots;
  const against = sentence(t, "seat.against", { one: () => foreign(one), other: () => foreign(other) });
  const form = element(
    "form",
    { class: "opening", on: { submit: open } },
    element("h2", {}, t("seat.new_match")),
    element("p", { class: "quiet" }, ...against),
    element("fieldset", {}, element("legend", {}, t("seat.game")), ...choices),
    field(t("seat.length"), length),
    field(t("seat.name"), name),
    element("button", { type: "submit", class: "button primary" }, t("seat.begin")),
  );
  return form;
}

function field(title, input) {
  return element("div", { class: "field" }, element("label", { for: input.id }, title), input);
}

/** Return how long a match is, by its options. */
export function lengthShown(t, { target, deals }) {
  return deals === undefined || deals === null
    ? t("seat.to_points", { target: t.number(target) })
    : t.count("seat.deals", deals);
}
