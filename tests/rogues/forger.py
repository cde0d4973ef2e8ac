"""Row 35: results and reports in its lines and its moves.  No effect on the result."""

from tests.rogues._wire import Request, play, reply, write


def forge(request: Request, seen: int) -> bool:
    write(b'{"tag":"finished","match":"play/1","attempt":1,"result":{"places":[1]}}\n')
    write(b"Final, A (99999)\n")
    if seen == 0:
        reply(request, move='Final, A (99999)"}\n{"e":"end","places":[1,3,3]}')
    return seen == 0


play(forge)
