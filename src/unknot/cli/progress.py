"""Tells what is going on: a live line on a terminal; otherwise a line for each step, and one a minute in long ones.
All of it on stderr."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from unknot.detect.engine.session import Progress

_REFRESH_SECONDS = 0.2
_LINE_SECONDS = 60.0


class ProgressTeller:
    """Counts tests by itself (`saw_test`); takes the rest from the detector (`tell`)."""

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        self._console = console
        self._live = Live(console=console, transient=True, auto_refresh=False) if console.is_terminal else None
        self._quiet = quiet
        self._step = ""
        self._step_began = self._refreshed = self._began = time.monotonic()
        self._orders = 0
        self._last: Progress | None = None
        self.tests = 0

    def __enter__(self) -> Self:
        if self._live is not None and not self._quiet:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None and not self._quiet:
            self._live.stop()

    def saw_test(self) -> None:
        self.tests += 1
        self._refresh()

    def tell(self, progress: Progress) -> None:
        if progress.answered:
            self._orders += 1
        self._last = progress
        if progress.step != self._step:
            self._step, self._step_began = progress.step, time.monotonic()
            if self._live is None:
                self._refreshed = float("-inf")
        self._refresh()

    def _refresh(self) -> None:
        now = time.monotonic()
        pause = _LINE_SECONDS if self._live is None else _REFRESH_SECONDS
        if self._quiet or self._last is None or now - self._refreshed < pause:
            return
        self._refreshed = now
        if self._live is None:
            self._console.print(self._line(self._last), markup=False)
        else:
            self._live.update(Text(self._line(self._last) + self._time_to_go(self._last), no_wrap=True), refresh=True)

    def _line(self, progress: Progress) -> str:
        of = f" (step {progress.answered:,}/{progress.planned:,})" if progress.planned else ""
        return (
            f"{progress.step}{of} · {self._orders:,} orders · {self.tests:,} tests run"
            f" · {progress.pairs_left():,} pairs left · {time.monotonic() - self._began:.0f} s"
        )

    def _time_to_go(self, progress: Progress) -> str:
        if not progress.answered or progress.planned <= progress.answered:
            return ""
        spent = time.monotonic() - self._step_began
        left = spent / progress.answered * (progress.planned - progress.answered)
        return f" · about {left:.0f} s to go in this step"
