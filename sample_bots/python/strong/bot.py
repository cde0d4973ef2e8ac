"""A strong player of both games, after ``careful``: who is ahead is what counts.

Three things set it apart.

1. Before the cards are played it asks what each outcome is worth for winning the
   *match* (``standing``), and bids, raises and chooses partners by that.  In the
   auction it tries plans, how high to bid, against hands that fit the others' calls.
2. It shows cards in Loyatais to be chosen, or not to be, as suits its hand.
3. From seven cards on it deals out what it cannot see, at random but so that it fits
   voids, cards shown and bids (``hidden``), plays each such deal out perfectly
   (``endgame``), and takes the card that does best on average.

The earlier tricks are played by rules of thumb (``thumb``), as ``careful`` plays them.
"""

import contextlib
import itertools
import json
import math
import random
import sys
import time

from auction import choose_bid, choose_raise
from cards import LOYATAIS, TRIANON, split
from endgame import Allowance, Solver, SpentError
from hidden import Hidden
from loyatais import choose_partner, choose_show
from standing import Standing
from thumb import Table

EXACT = 7  # cards in our hand from which on deals are played out
DEALS = 240  # hands dealt out to find those that fit the auction
SAMPLES = 16  # deals played out for one decision, at most
POSITIONS = 1500  # looked at in them, at most: some 60 ms, the same on any machine
SHARE = 0.25  # of what the clock gives for a decision, at most: machines stall

rng = random.Random()
standing = Standing({"deals": 12})


# ---------------------------------------------------------------- the wire


def main():
    """Answer each line with one line, until the arena closes our input."""
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


def answer(request):
    """Return the reply; to a type of request that we do not know, only its id."""
    reply = {"id": request["id"]}
    if request["type"] == "hello":
        reply |= {"name": "strong", "version": "1", "games": ["trianon", "loyatais"]}
    elif request["type"] == "start":
        begin(request)
    elif request["type"] == "act":
        reply["move"] = choose(request)
    return reply


def begin(request):
    """Begin a match: its options, and the same random numbers whenever it is played."""
    global standing
    standing = Standing(request.get("options") or {})
    rng.seed(request["seed"])


def choose(request):
    """Return our move, one of ``legal``."""
    end = time.monotonic() + think_s(request.get("clock"))
    ask, legal, deal, me = (request[key] for key in ("ask", "legal", "deal", "you"))
    if len(legal) == 1:
        return legal[0]
    if ask == "bid":
        hidden = Hidden(TRIANON["NT"], deal, me)
        until = itertools.takewhile(
            lambda _: time.monotonic() < end,
            (hidden.sample(rng) for _ in range(DEALS)),
        )
        return choose_bid(legal, deal, me, standing, until)
    if ask == "raise":
        return choose_raise(legal, deal, me, standing)
    if ask == "show":
        return choose_show(legal, deal)
    if ask == "partner":
        return choose_partner(legal, deal, me, standing)
    if ask != "play":
        return legal[0]  # a question that came after us
    rule_of_thumb = Table(me, deal).best_card(legal)
    if len(deal["hand"]) > EXACT or deal.get("contract") == "trianon":
        return rule_of_thumb
    allowance = Allowance(POSITIONS, end)
    return look_ahead(legal, deal, me, rule_of_thumb, allowance)


def think_s(clock):
    """Return how long we may think, in seconds: never near what the clock allows."""
    if not clock:
        return math.inf
    return SHARE * (clock["move_ms"] + clock["bank_ms"] / 50) / 1000


# ----------------------------------------------------- the last seven tricks


def look_ahead(legal, deal, me, rule_of_thumb, allowance):
    """Return the card that does best in the deals sampled, as far as we may think.

    Cards that do equally well are told apart by ``rule_of_thumb``.
    """
    is_loyatais = "taker" in deal
    rules = LOYATAIS if is_loyatais else TRIANON[split(deal["contract"])[1]]
    side = sides(deal)
    hidden = Hidden(rules, deal, me)
    moves = hidden.different(legal, rule_of_thumb)
    if len(moves) == 1:
        return moves[0]
    worth = standing.of_tricks(deal, me, side)
    trick = [rules.bit[card] for card in deal["trick"]]
    taken = sum(deal["won"][seat] for seat in range(3) if side[seat])
    total = dict.fromkeys(moves, 0.0)
    guess = len(deal["hand"]) // 2
    with contextlib.suppress(SpentError):
        for hands in hidden.samples(rng, SAMPLES):
            solver, found = Solver(rules, side, allowance), {}
            for move in moves:
                card = rules.bit[move]
                after = list(hands)
                after[me] ^= card
                guess = solver.tricks(after, deal["lead"], [*trick, card], guess)
                found[move] = worth[taken + guess]
            for move, value in found.items():
                total[move] += value
    return max(moves, key=lambda move: (round(total[move], 9), move == rule_of_thumb))


def sides(deal):
    """Return for each seat whether it is on the declarer's or the taker's side."""
    if "taker" in deal:
        return [seat in (deal["taker"], deal["partner"]) for seat in range(3)]
    return [seat == deal["declarer"] for seat in range(3)]


if __name__ == "__main__":
    main()
