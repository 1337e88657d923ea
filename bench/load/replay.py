"""The suite's own processes once more, started by a loop that does nothing else, while the detection goes on."""

import os
import threading
import time

from bench.load.suites import Sleeping

_LOOK_SECONDS = 0.005


class Replay(threading.Thread):
    """Starts whatever the detection has started, in the same sequence, one at a time: so both meet the same machine,
    however busy it is. `spent` is the time in these processes, from start to end, added up."""

    def __init__(self, suite: Sleeping) -> None:
        super().__init__()
        self._suite = suite
        self._environment = {**os.environ, "LOG": os.devnull}
        self._nothing = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
        self.is_over = threading.Event()
        self.spent = 0.0

    def run(self) -> None:
        """Until `is_over` is set and all is done."""
        self._suite.log.touch()
        with open(self._suite.log, encoding="utf-8") as log:
            while True:
                is_last = self.is_over.is_set()
                while line := log.readline():
                    self._start(self._suite.command(int(line)))
                if is_last:
                    return
                time.sleep(_LOOK_SECONDS)

    def _start(self, words: list[str]) -> None:
        began = time.perf_counter()
        process = os.posix_spawnp(words[0], words, self._environment, file_actions=self._nothing)
        os.waitpid(process, 0)
        self.spent += time.perf_counter() - began
