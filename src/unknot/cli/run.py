"""`unknot run`: the suite in parallel, by a plan that respects what was found."""

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from unknot.app.options import options_from
from unknot.app.run.one_process import run_if_faster
from unknot.app.run.options import REPAIR_SECONDS, RunOptions
from unknot.cli.options import FIX_ORDER, FROM_RECORDING, OptionGroup, seconds, shard
from unknot.cli.terminal import TerminalProgress
from unknot.model.errors import ExitCode
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.sanitise import shown, shown_lines
from unknot.model.suite import TestId
from unknot.plan.makers.registry import PLANNERS
from unknot.report.wording import counted

DESCRIPTION = """\
Runs every test of the suite in parallel, each after what it needs and never after what breaks it,
as unknot.lock.json says. The plan is checked before it starts. Reports and exits like pytest.

A test that fails in the plan is run again in suite order. If it passes there, unknot finds out what
was missing or in the way, reports it in one line, and writes it to the lock file.

  unknot run -n 4
  unknot run -n 4 --junit-xml results.xml -- -m "not slow"
  unknot run tests/test_cart.py::test_pay      also runs its prerequisites
  unknot run --frozen --shard 2/6              a part of the suite, in CI
  unknot run --from-recording -n 4             without a detection, by one recorded run
"""

if TYPE_CHECKING:
    from unknot.app.run.run import SuiteRun

_LETTERS = {
    Outcome.PASSED: ".",
    Outcome.FAILED: "F",
    Outcome.SETUP_ERROR: "E",
    Outcome.TEARDOWN_ERROR: "E",
    Outcome.SKIPPED: "s",
    Outcome.XFAILED: "x",
    Outcome.XPASSED: "X",
    Outcome.TIMED_OUT: "T",
    Outcome.CRASHED: "C",
    Outcome.NOT_RUN: "?",
}
_WORDS = {
    Outcome.SETUP_ERROR: "errors",
    Outcome.TEARDOWN_ERROR: "errors",
    Outcome.TIMED_OUT: "timed out",
    Outcome.NOT_RUN: "not run",
}
_LETTERS_A_LINE = 72


def add_options(parser: OptionGroup) -> None:
    parser.runner()
    parser.value("--shard", "I/N", "run part I of N, counted from 1", shard)
    parser.choice(
        "--planner",
        PLANNERS,
        "auto",
        "how the plan is made (default: auto, the fastest of those that need no solver)",
    )
    parser.flag("--from-recording", FROM_RECORDING)
    parser.flag("--fix-order", FIX_ORDER)
    failures = parser.group("tests that fail only in the plan")
    failures.flag("--frozen", "find the reason, but do not change the lock file")
    failures.flag("--no-repair", "count them as failed; do not find the reason")
    limit = "time limit for finding the reason; after that, one run in suite order decides"
    failures.value("--repair-seconds", "N", limit, seconds, REPAIR_SECONDS)
    output = parser.output(quiet="do not show progress")
    output.value("--junit-xml", "FILE", "write the results as JUnit XML", Path)
    output.value("--durations", "N", "list the N slowest tests", int, 0)
    parser.files(durations=True)


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    options = options_from(RunOptions, vars(given))
    words = [*(["-q"] if given.quiet else []), *([f"--durations={given.durations}"] if given.durations else [])]
    if (quick := run_if_faster(options, progress, words)) is not None:
        _write_junit(given.junit_xml, quick.results, sum(each.seconds for each in quick.results.values()))
        return ExitCode(quick.exit_status)
    # A run in one process need not wait for what this imports.
    from unknot.app.run.run import run as run_suite

    output = _RunProgress(progress, quiet=given.quiet)
    done = run_suite(options, output)
    _write_junit(given.junit_xml, done.results, done.seconds)
    output.summarise(done, durations=given.durations)
    if done.interrupted:
        output.result("interrupted: tests that had not run yet are counted as not run")
        return ExitCode.INTERRUPTED
    if not done.results and options.shard is not None:
        number, count = options.shard
        output.result(f"shard {number}/{count} is empty: there are fewer tests than shards")
    return ExitCode.CLEAN if done.passed else ExitCode.FOUND


def _write_junit(path: Path | None, results: Mapping[TestId, Result], seconds: float) -> None:
    if path is not None:
        from unknot.report.export.junit import write_junit

        write_junit(path, dict(results), seconds)


class _RunProgress(TerminalProgress):
    """In the way of pytest: letters while the suite runs, then failures with their output, a line for each, and the
    counts. The results go to stdout."""

    def __init__(self, terminal: TerminalProgress, *, quiet: bool) -> None:
        super().__init__(terminal.console, terminal.interruption, quiet=quiet)
        self._out = Console(highlight=False, soft_wrap=True)
        self._hides_letters = quiet
        self._column = 0
        self._finished: set[TestId] = set()

    def after_test(self, test: TestId, result: Result) -> None:
        if self._hides_letters or test in self._finished:
            return
        self._finished.add(test)
        self._out.print(_LETTERS[result.outcome], end="", markup=False)
        self._column += 1
        if self._column == _LETTERS_A_LINE:
            self._end_line()

    def result(self, text: str) -> None:
        self._end_line()
        self._out.print(shown(text), markup=False)

    def status(self, text: str) -> None:
        self._end_line()
        super().status(shown(text))

    def note(self, text: str) -> None:
        self._end_line()
        super().note(text)

    def summarise(self, done: "SuiteRun", *, durations: int) -> None:
        self._end_line()
        bad = {test: result for test, result in done.results.items() if result.outcome.is_bad}
        for test, result in bad.items():
            self._out.rule(Text(shown(test)), characters="_")
            self._out.print(shown_lines(result.story) or str(result.outcome), markup=False)
        if durations:
            self._print_slowest(done.results, durations)
        for test, result in bad.items():
            self._out.print(f"{str(result.outcome).upper()} {shown(test)}", markup=False)
        counts = Counter(_WORDS.get(result.outcome, str(result.outcome)) for result in done.results.values())
        text = ", ".join(f"{count} {word}" for word, count in sorted(counts.items())) or "nothing run"
        lanes = counted(len(done.plan.lanes), "lane")
        self._out.print(f"{text} in {done.seconds:.2f}s on {lanes}", markup=False)

    def _print_slowest(self, results: Mapping[TestId, Result], count: int) -> None:
        ranked = sorted(results.items(), key=lambda entry: -entry[1].seconds)
        for test, result in ranked[:count]:
            self._out.print(f"{result.seconds:.2f}s {shown(test)}", markup=False)

    def _end_line(self) -> None:
        """Before something else is written to the terminal."""
        if self._column:
            self._out.print()
            self._column = 0
