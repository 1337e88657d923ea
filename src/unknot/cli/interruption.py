"""The signals that stop a command."""

import os
import signal
from typing import NoReturn


class Interruption:
    """Ctrl-C, the signal with which a CI server cancels a job, a closed terminal: all mean stop, write what is known,
    clean up. `happened` is for code after a detector, which takes the exception for the end of its time."""

    def __init__(self) -> None:
        self.happened = False
        self._on_terminal: list[int] = []

    def watch(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        # `nohup` has it ignored.
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            self._on_terminal = [descriptor for descriptor in (1, 2) if os.isatty(descriptor)]
            signal.signal(signal.SIGHUP, self._hang_up)

    def _hang_up(self, number: int, frame: object) -> NoReturn:
        """The terminal is gone: writing to it would be an error before everything is written and cleaned up."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for descriptor in self._on_terminal:
            os.dup2(nowhere, descriptor)
        os.close(nowhere)
        self._stop(number, frame)

    def _stop(self, _number: int, _frame: object) -> NoReturn:
        self.happened = True
        raise KeyboardInterrupt
