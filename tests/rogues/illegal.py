"""Row 20: cards not held, revokes, bids too low, bids in play.  ``illegal_move``."""

from tests.rogues._wire import Request, play, reply

DECK = [rank + suit for suit in "CDHS" for rank in "6789TJQKA"]


def cheat(request: Request, _seen: int) -> bool:
    hand = request["deal"]["hand"]
    if request["ask"] == "play":
        revokes = [card for card in hand if card not in request["legal"]]
        strange = [card for card in DECK if card not in hand]
        move = (revokes or strange)[0]
    else:
        move = "5NT"
    reply(request, move=move)
    return True


play(cheat)
