"""Time controls and the accounting of thinking time.  No clock is read here.

All durations are whole milliseconds, so that sums are exact and a record replays to
the same verdicts on any machine (protocol page, section 5).
"""

from protocol.messages import MatchClock


class Clock:
    """One seat's time: ``move_ms`` free for each decision, then the bank.

    Attributes:
        move_ms: the free time of each decision.
        bank_ms: what is left in the bank.
        limit_ms: the longest that the next decision may take; equal to it is in time.
        text: the first two, as a request tells them.
    """

    def __init__(self, control: MatchClock) -> None:
        self._control = control
        self.move_ms = control.move_ms
        self.bank_ms = control.bank_ms
        self._set_out()

    def _set_out(self) -> None:
        """Work out what every decision asks for, and few change."""
        self.limit_ms = self.move_ms + self.bank_ms
        self.text = f'{{"move_ms":{self.move_ms},"bank_ms":{self.bank_ms}}}'

    def spend(self, took_ms: int) -> None:
        """Charge a decision; what is over ``move_ms`` comes out of the bank."""
        if took_ms > self.move_ms:
            self.bank_ms = max(0, self.bank_ms - (took_ms - self.move_ms))
            self._set_out()

    def run_out(self) -> None:
        """Empty the bank, after a timeout."""
        self.bank_ms = 0
        self._set_out()

    def refill(self) -> None:
        """Add what a new deal adds, up to where the bank began."""
        control = self._control
        self.bank_ms = min(control.bank_ms, self.bank_ms + control.deal_add_ms)
        self._set_out()
