"""The live line of a crawl, on a terminal and in a pipe."""

import io

from rich.console import Console

from unknot.app.crawl.progress import CrawlProgress
from unknot.cli.interruption import Interruption
from unknot.cli.terminal import TerminalProgress


def shown(*, is_terminal: bool, quiet: bool = False) -> str:
    """What is written by a crawl of a few steps that ends before a minute is over."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=is_terminal, width=120, _environ={"TERM": "xterm"})
    with TerminalProgress(console, Interruption(), quiet=quiet) as progress:
        progress._refreshed = progress._began - 1
        progress.crawl(CrawlProgress(3, 20, 5, 30, 10.0, 130.0, "41 % of the code"))
        progress.crawl_finished()
    return out.getvalue()


def test_a_terminal_shows_pages_actions_rate_coverage_and_time_left() -> None:
    line = "3 kinds of pages · 20 of 25 actions · 30 steps, 3.0/s · 41 % of the code · 2 min left"
    assert line in shown(is_terminal=True)


def test_the_line_is_gone_at_the_end() -> None:
    """The last thing that the terminal is told is to clear it, and to show its cursor."""
    assert shown(is_terminal=True).rstrip().endswith(("\x1b[2K", "\x1b[?25h"))


def test_a_pipe_is_told_nothing_in_the_first_minute_and_no_escapes() -> None:
    assert shown(is_terminal=False) == ""


def test_quiet_is_quiet() -> None:
    assert shown(is_terminal=True, quiet=True) == ""
