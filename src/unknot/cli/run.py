"""`unknot run`: the suite in parallel, by a plan that respects what was found."""

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text

from unknot.app.options import options_from
from unknot.app.plan import PLANNERS
from unknot.app.run.run import REPAIR_SECONDS, RunOptions, SuiteRun, run
from unknot.cli.interruption import Interruption
from unknot.cli.options import (
    add_durations,
    add_files,
    add_quiet,
    add_runner,
    project_files,
    runner_options,
    seconds,
    shard,
)
from unknot.cli.terminal import TerminalProgress
from unknot.model.errors import ExitCode
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.sanitise import shown, shown_lines
from unknot.model.suite import TestId
from unknot.report.export.junit import write_junit
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
"""

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


def add_options(parser: argparse.ArgumentParser) -> None:
    add_runner(parser)
    parser.add_argument("--shard", type=shard, default=None, metavar="I/N", help="run part I of N, counted from 1")
    parser.add_argument(
        "--planner",
        choices=PLANNERS,
        default="auto",
        help="how the plan is made (default: auto, the fastest of those that need no solver)",
    )
    failures = parser.add_argument_group("tests that fail only in the plan")
    failures.add_argument("--frozen", action="store_true", help="find the reason, but do not change the lock file")
    failures.add_argument("--no-repair", action="store_true", help="count them as failed; do not find the reason")
    failures.add_argument(
        "--repair-seconds",
        type=seconds,
        default=REPAIR_SECONDS,
        metavar="N",
        help="time limit for finding the reason; after that, one run in suite order decides"
        f" (default: {REPAIR_SECONDS:g})",
    )
    output = parser.add_argument_group("output")
    output.add_argument("--junit-xml", type=Path, default=None, metavar="FILE", help="write the results as JUnit XML")
    output.add_argument("--durations", type=int, default=0, metavar="N", help="list the N slowest tests")
    add_quiet(output)
    add_durations(parser)
    add_files(parser)
    parser.set_defaults(verb=run_suite)


def run_suite(given: argparse.Namespace, console: Console) -> ExitCode:
    options = options_from(RunOptions, vars(given), runner=runner_options(given), files=project_files(given))
    progress = _RunProgress(console, given.interruption, quiet=given.quiet)
    done = run(options, progress)
    if given.junit_xml is not None:
        write_junit(given.junit_xml, dict(done.results), done.seconds)
    progress.summarise(done, durations=given.durations)
    if done.interrupted:
        progress.result("interrupted: tests that had not run yet are counted as not run")
        return ExitCode.INTERRUPTED
    if not done.results and options.shard is not None:
        number, count = options.shard
        progress.result(f"shard {number}/{count} is empty: there are fewer tests than shards")
    return ExitCode.CLEAN if done.passed else ExitCode.FOUND


class _RunProgress(TerminalProgress):
    """In the way of pytest: letters while the suite runs, then failures with their output, a line for each, and the
    counts. The results go to stdout."""

    def __init__(self, console: Console, interruption: Interruption, *, quiet: bool) -> None:
        super().__init__(console, interruption, quiet=quiet)
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

    def summarise(self, done: SuiteRun, *, durations: int) -> None:
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
