/* Cards that move: from where each lay to where it lies now. */

const NEAR = 2; // CSS pixels that are not worth a move

/** Remember where the cards of `board` lie; the function that is returned, called when
    they lie elsewhere, lets them go there from where they were.

    A card that was not seen before comes from the hand of who has played it. */
export function flight(board, moveMs) {
  if (moveMs <= 0 || matchMedia("(prefers-reduced-motion: reduce)").matches)
    return () => {};
  const before = places(board);
  const hands = new Map(
    [...board.querySelectorAll("[data-hand]")].map((hand) => [
      hand.dataset.hand,
      middleOf(hand),
    ]),
  );
  return () => {
    for (const [card, { element, rect }] of places(board)) {
      const spot = element.closest("[data-spot]");
      const from = before.get(card)?.rect ?? (spot && hands.get(spot.dataset.spot));
      if (from) move(element, from, rect, moveMs);
    }
  };
}

function places(board) {
  const found = new Map();
  for (const element of board.querySelectorAll("[data-card]")) {
    found.set(element.dataset.card, { element, rect: element.getBoundingClientRect() });
  }
  return found;
}

/** Return a card's own size in the middle of a hand. */
function middleOf(hand) {
  const { left, top, width, height } = hand.getBoundingClientRect();
  return { left: left + width / 2, top, width: height * (60 / 84), height };
}

function move(element, from, to, moveMs) {
  const across = from.left - to.left;
  const down = from.top - to.top;
  if (Math.abs(across) < NEAR && Math.abs(down) < NEAR) return;
  const scale = to.width > 0 ? from.width / to.width : 1;
  element.animate(
    [
      {
        transform: `translate(${across}px, ${down}px) scale(${scale})`,
        transformOrigin: "0 0",
        zIndex: 5,
      },
      { transform: "none", transformOrigin: "0 0", zIndex: 5 },
    ],
    { duration: moveMs, easing: "cubic-bezier(.2, .7, .3, 1)" },
  );
}
