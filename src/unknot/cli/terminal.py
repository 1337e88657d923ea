"""The terminal: progress on standard error, results on standard output or in a file."""

import json
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from unknot.app.progress import ProgressListener
from unknot.cli.interruption import Interruption
from unknot.detect.engine.session import Progress
from unknot.model.run import Result
from unknot.model.suite import TestId
from unknot.report.text.lines import print_text
from unknot.store.atomic import write_atomically

_REFRESH_SECONDS = 0.2
_LINE_SECONDS = 60.0


class TerminalProgress(ProgressListener):
    """A live line on a terminal; otherwise a line for each step, and one a minute in long steps. All on stderr. Use it
    as a context manager, so that the live line ends before the result is printed."""

    def __init__(self, console: Console, interruption: Interruption, *, quiet: bool = False) -> None:
        self.console = console
        self.interruption = interruption
        self._quiet = quiet
        self._live = Live(console=console, transient=True, auto_refresh=False) if console.is_terminal else None
        self._begin()

    def _begin(self) -> None:
        self._step = ""
        self._step_began = self._refreshed = self._began = time.monotonic()
        self._orders = self._tests = 0
        self._last: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.search_finished()

    def note(self, text: str) -> None:
        self.console.print(f"note: {text}", markup=False)

    def status(self, text: str) -> None:
        if not self._quiet:
            self.console.print(text, markup=False)

    def result(self, text: str) -> None:
        self.console.print(text, markup=False)

    def is_interrupted(self) -> bool:
        return self.interruption.happened

    def after_test(self, _test: TestId, _result: Result) -> None:
        self._tests += 1
        self._refresh()

    def search(self, progress: Progress) -> None:
        if self._last is None and self._live is not None and not self._quiet:
            self._live.start()
        if progress.answered:
            self._orders += 1
        self._last = progress
        if progress.step != self._step:
            self._step, self._step_began = progress.step, time.monotonic()
            if self._live is None:
                self._refreshed = float("-inf")
        self._refresh()

    def search_finished(self) -> None:
        if self._live is not None:
            self._live.stop()
        self._begin()

    def _refresh(self) -> None:
        now = time.monotonic()
        pause = _LINE_SECONDS if self._live is None else _REFRESH_SECONDS
        if self._quiet or self._last is None or now - self._refreshed < pause:
            return
        self._refreshed = now
        if self._live is None:
            self.console.print(self._line(self._last), markup=False)
        else:
            self._live.update(Text(self._line(self._last) + self._time_to_go(self._last), no_wrap=True), refresh=True)

    def _line(self, progress: Progress) -> str:
        of = f" (step {progress.answered:,}/{progress.planned:,})" if progress.planned else ""
        return (
            f"{progress.step}{of} · {self._orders:,} orders · {self._tests:,} tests run"
            f" · {progress.pairs_left():,} pairs left · {time.monotonic() - self._began:.0f} s"
        )

    def _time_to_go(self, progress: Progress) -> str:
        if not progress.answered or progress.planned <= progress.answered:
            return ""
        spent = time.monotonic() - self._step_began
        left = spent / progress.answered * (progress.planned - progress.answered)
        return f" · about {left:.0f} s to go in this step"


def write_text(text: str, output: Path | None, listener: ProgressListener | None = None) -> None:
    """Plain text as it is, except for half characters, which no file can hold: they are written as their escape. The
    name of the file is reported to the listener, if there is one."""
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    if output is None:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        return
    write_atomically(output, text)
    if listener is not None:
        listener.result(f"written: {output}")


def write_json(document: Any, output: Path | None = None) -> None:
    write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", output)


def write_rich(text: Text, output: Path | None = None, listener: ProgressListener | None = None) -> None:
    """Coloured on a terminal, plain in a file."""
    if output is not None:
        write_text(text.plain, output, listener)
    else:
        print_text(Console(highlight=False), text)
