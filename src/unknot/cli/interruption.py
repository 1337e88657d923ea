"""Ctrl-C, and the signal by which a CI server cancels a job: both mean stop, write what is known, tidy up."""

import signal
from typing import NoReturn


class Interruption:
    """`happened` tells afterwards: whoever takes the exception for the end of its time may not pass it on."""

    def __init__(self) -> None:
        self.happened = False

    def watch(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)

    def _stop(self, _number: int, _frame: object) -> NoReturn:
        self.happened = True
        raise KeyboardInterrupt
