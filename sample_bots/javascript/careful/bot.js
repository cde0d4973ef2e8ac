// A careful player of both games, to show how the snapshot `deal` is used: everything
// that it needs stands in each request, so that it carries nothing from one to the next.
const { createInterface } = require("node:readline");

const SUITS = "CDHS"; // also the order of Loyatais, lowest first (rule L1)
const HONOURS = [1.15, 0.9, 0.6, 0.4]; // tricks that a suit's highest four cards bring

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  const reply = { id: request.id }; // to a type of request that we do not know, only this
  if (request.type === "hello") reply.name = "careful-javascript";
  if (request.type === "act") reply.move = choose(request);
  process.stdout.write(JSON.stringify(reply) + "\n"); // to a pipe: at once
});

function choose({ ask, legal, you, deal }) {
  if (ask === "bid" || ask === "raise") return chooseBid(ask, legal, deal.hand);
  if (ask === "show") return best(legal, (pair) => -strength(pair.split(" ")));
  if (ask === "partner") return choosePartner(legal, deal);
  if (ask === "play") return chooseCard(legal, you, deal);
  return legal[0];
}

// The move with the highest value; of equals the first.
function best(moves, value) {
  return moves.reduce((found, move) => (value(move) > value(found) ? move : found));
}

// ------------------------------------------------------ Trianon: the auction

// How many tricks we expect as declarer with a trump suit. An honour counts only with
// enough small cards beside it to outlive the higher ones.
function expectedTricks(hand, trump) {
  let tricks = -4.2;
  for (const suit of SUITS) {
    const held = hand.filter((card) => card[1] === suit).map((card) => card[0]);
    HONOURS.forEach((brings, higher) => {
      if (held.includes("AKQJ"[higher]) && held.length > higher) tricks += brings;
    });
    if (suit === trump) tricks += 1.3 * held.length;
  }
  return tricks;
}

// Bid low in our best suit while it is safe; the declarer may raise, and then bids all.
function chooseBid(ask, legal, hand) {
  const trump = best([...SUITS], (suit) => expectedTricks(hand, suit));
  const safe = Math.floor(expectedTricks(hand, trump));
  const bids = legal.slice(1).filter((bid) => {
    const [, tricks, denomination] = bid.match(/^(\d+)(.*)$/);
    return denomination === trump && Number(tricks) <= safe;
  });
  if (safe < 5 || bids.length === 0) return legal[0]; // pass, or keep
  return ask === "bid" ? bids[0] : bids[bids.length - 1];
}

// ------------------------------------------ Loyatais: before the first card

// Roughly the tricks in some cards: spades are rich and clubs are poor (L1).
function strength(cards) {
  const bySuit = { C: -0.2, D: -0.1, H: 0.05, S: 0.65 };
  const byRank = { A: 0.95, K: 0.5, Q: 0.2 };
  return cards.reduce((sum, [rank, suit]) => sum + bySuit[suit] + (byRank[rank] || 0), 0);
}

// Alone with a strong hand, else with who has shown more.
function choosePartner(legal, deal) {
  if (strength(deal.hand) > 5.2) return legal[0];
  return best(legal.slice(1), (move) => strength(deal.shown[Number(move[5])]));
}

// --------------------------------------------------- both games: the play

function chooseCard(legal, you, deal) {
  const isLoyatais = "taker" in deal;
  const isDucking = deal.contract === "trianon"; // T16: the fewer tricks the better
  const denomination = isLoyatais || isDucking ? "" : deal.contract.replace(/\d/g, "");
  const ranks = denomination === "SS" ? "JQKA6789T" : "6789TJQKA"; // T14, T1
  const rank = (card) => ranks.indexOf(card[0]);
  const cost = (card) => rank(card) + (card[1] === denomination ? 9 : 0);
  const led = deal.trick.length > 0 ? deal.trick[0][1] : null;
  // Who wins a trick: in Loyatais the highest of all (L9), in Trianon trumps, then the
  // suit led (T13).
  const power = (card, suit) => {
    if (isLoyatais) return 10 * SUITS.indexOf(card[1]) + rank(card);
    if (card[1] === denomination) return 20 + rank(card);
    return card[1] === suit ? 10 + rank(card) : -1;
  };

  // The cards that we have not seen: neither held nor played.
  const seen = new Set([...deal.hand, ...deal.trick, ...deal.tricks.flatMap((t) => t.cards)]);
  const isHighest = (card) =>
    [...ranks].every((r) => seen.has(r + card[1]) || ranks.indexOf(r) <= rank(card));

  const lowest = best(legal, (card) => -cost(card));
  if (led === null) {
    const sure = legal.filter(isHighest);
    return isDucking || sure.length === 0 ? lowest : sure[0];
  }

  const strongest = best(deal.trick, (card) => power(card, led));
  const winning = legal.filter((card) => power(card, led) > power(strongest, led));
  if (isDucking) {
    // The highest card that does not win; else, if we must win, the lowest.
    const losing = legal.filter((card) => !winning.includes(card));
    return losing.length > 0 ? best(losing, rank) : lowest;
  }
  const step = isLoyatais ? 2 : 1; // to the next seat on turn (L2, T2)
  const winner = (deal.lead + step * deal.trick.indexOf(strongest)) % 3;
  const attackers = isLoyatais ? [deal.taker, deal.partner] : [deal.declarer];
  const isOurs = attackers.includes(winner) === attackers.includes(you);
  const isLast = deal.trick.length === 2;
  const enough = winning.filter((card) => isLast || isHighest(card));
  if (isOurs || enough.length === 0) return lowest;
  return best(enough, (card) => -power(card, led)); // the cheapest that will do
}
