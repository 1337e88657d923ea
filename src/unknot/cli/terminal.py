"""The terminal: progress on standard error, results on standard output or in a file."""

import json
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from unknot.app.progress import ProgressListener
from unknot.cli.interruption import Interruption
from unknot.cli.live.crawl_line import crawl_line
from unknot.cli.live.drafting_line import drafting_line
from unknot.model.run import Result
from unknot.model.suite import TestId
from unknot.report.text.lines import print_text
from unknot.report.wording import counted
from unknot.store.atomic import write_atomically

if TYPE_CHECKING:
    from unknot.app.crawl.progress import CrawlProgress
    from unknot.app.generate.progress import DraftingProgress
    from unknot.detect.engine.session import Outlook, Progress

_REFRESH_SECONDS = 0.2
_LINE_SECONDS = 60.0
_BAR_COLUMNS = 24
_ALMOST = 0.99
"""The most that a search has done before it ends."""


class TerminalProgress(ProgressListener):
    """A bar and a live line on a terminal; otherwise a line for each step, and one a minute in long steps. All on
    stderr. Use it as a context manager, so that the live lines end before the result is printed."""

    def __init__(self, console: Console, interruption: Interruption, *, quiet: bool = False) -> None:
        self.console = console
        self.interruption = interruption
        self._quiet = quiet
        self._live = Live(console=console, transient=True, auto_refresh=False) if console.is_terminal else None
        self._begin()

    def _begin(self) -> None:
        self._step = ""
        self._refreshed = self._began = time.monotonic()
        self._share = 0.0
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

    def search(self, progress: "Progress") -> None:
        if self._last is None and self._live is not None and not self._quiet:
            self._live.start()
        if progress.answered:
            self._orders += 1
        self._last = progress
        if progress.step != self._step:
            self._step = progress.step
            if self._live is None:
                self._refreshed = float("-inf")
        self._refresh()

    def crawl(self, progress: "CrawlProgress") -> None:
        if progress.steps:
            self._one_line(crawl_line(progress), progress.seconds / progress.budget)

    def drafting(self, progress: "DraftingProgress") -> None:
        self._one_line(drafting_line(progress), progress.seconds / progress.budget)

    def drafting_finished(self) -> None:
        self.search_finished()

    def _one_line(self, line: str, share: float) -> None:
        """With a bar on a terminal, and now and then elsewhere."""
        now = time.monotonic()
        pause = _LINE_SECONDS if self._live is None else _REFRESH_SECONDS
        if self._quiet or now - self._refreshed < pause:
            return
        self._refreshed = now
        if self._live is None:
            self.console.print(line, markup=False)
            return
        self._live.start()
        bar = Table.grid()
        text = Text(f"  {line}", no_wrap=True, overflow="ellipsis")
        bar.add_row(ProgressBar(total=1.0, completed=min(share, 1.0), width=_BAR_COLUMNS), text)
        self._live.update(bar, refresh=True)

    def crawl_finished(self) -> None:
        self.search_finished()

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
        elapsed = now - self._began
        outlook = self._last.outlook()
        left = outlook.seconds_left(elapsed)
        if self._live is None:
            parts = [self._line(self._last), f"{elapsed:.0f} s", _time_left(left), _tally(outlook)]
            self.console.print(" · ".join(filter(None, parts)), markup=False)
        else:
            self._live.update(self._display(self._last, outlook, left, elapsed), refresh=True)

    def _line(self, progress: "Progress") -> str:
        of = f" ({progress.answered:,}/{progress.planned:,})" if progress.planned else ""
        return f"{progress.step}{of} · {self._orders:,} orders · {self._tests:,} tests run"

    def _display(self, progress: "Progress", outlook: "Outlook", left: float | None, elapsed: float) -> RenderableType:
        """The bar never goes back: a longer prediction makes it stand still."""
        if left is not None:
            self._share = max(self._share, min(elapsed / (elapsed + left), _ALMOST))
        has_estimate = bool(self._share)
        parts = [f"{self._share:.0%}", _time_left(left)] if has_estimate else ["estimating…"]
        parts.append(_tally(outlook) or "nothing found yet")
        text = Text("  " + " · ".join(filter(None, parts)), no_wrap=True, overflow="ellipsis")
        bar = Table.grid()
        bar.add_row(ProgressBar(total=1.0, completed=self._share, width=_BAR_COLUMNS, pulse=not has_estimate), text)
        line = f"{self._line(progress)} · {elapsed:.0f} s"
        return Group(bar, Text(line, style="dim", no_wrap=True, overflow="ellipsis"))


def _time_left(seconds: float | None) -> str:
    """Rounded, because it is a guess."""
    if seconds is None:
        return ""
    if seconds < 55:
        return f"about {max(1, round(seconds / 5)) * 5} s left"
    minutes = max(1, round(seconds / 60))
    return f"about {minutes} min left" if minutes < 100 else f"about {round(minutes / 60)} h left"


def _tally(outlook: "Outlook") -> str:
    """What was found so far, as far as there is any."""
    parts = (
        counted(outlook.needs, "need") if outlook.needs else "",
        counted(outlook.conflicts, "conflict") if outlook.conflicts else "",
        f"{outlook.flaky:,} flaky" if outlook.flaky else "",
    )
    return ", ".join(filter(None, parts))


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
