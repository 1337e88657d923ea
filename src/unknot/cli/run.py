"""`unknot run`: the suite in parallel, by a plan that respects what was found."""

import argparse
import os
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from unknot.app.configuration import PYTEST
from unknot.app.options import RunnerOptions, options_from
from unknot.app.run.one_process import run_if_faster
from unknot.app.run.options import REPAIR_SECONDS, RunOptions
from unknot.app.session.session import settings_from
from unknot.cli.options import FIX_ORDER, FROM_RECORDING, OptionGroup, seconds, shard
from unknot.cli.terminal import TerminalProgress
from unknot.model.errors import CollectionError, ExitCode, NoTestsError, UsageError
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.sanitise import shown, shown_lines
from unknot.model.suite import Order, TestId
from unknot.plan.makers.registry import PLANNERS
from unknot.report.wording import counted
from unknot.runners.pytest.command_line import (
    FAILED_FIRST,
    FOR_ANY_SUITE,
    IN_ONE_PROCESS,
    QUIET,
    WITHOUT_TESTS,
    names_of,
)
from unknot.runners.pytest.console import PytestConsole, coverage_directory
from unknot.runners.pytest.plain import run_plain

DESCRIPTION = """\
Runs every test of the suite in parallel, each after what it needs and never after what breaks it,
as unknot.lock.json says. The plan is checked before it starts. Reports and exits like pytest, whose
options it takes too; those after `--` are pytest's even if unknot has one of that name.

A test that fails in the plan is run again in suite order. If it passes there, unknot finds out what
was missing or in the way, reports it in one line, and writes it to the lock file.

  unknot run -n 4
  unknot run -n 4 -x -k cart --junitxml results.xml
  unknot run -n 4 --cov shop                   one coverage report of all workers
  unknot run tests/test_cart.py::test_pay      also runs its prerequisites
  unknot run --frozen --shard 2/6              a part of the suite, in CI
  unknot run --from-recording -n 4             without a detection, by one recorded run
"""


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
    parser.files(durations=True)


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode | int:
    options = options_from(RunOptions, vars(given))
    words = options.runner.pytest_options
    if options.runner.kind != PYTEST:
        options = replace(options, runner=replace(options.runner, pytest_options=()))
        return _run_with_console(options, progress, _words_for_other_suites(words, options.runner))
    if (status := run_if_faster(options, progress)) is not None:
        return status
    names = names_of(words)
    settings = settings_from(options.runner, progress)
    if names & WITHOUT_TESTS:
        return run_plain(settings)
    if names & IN_ONE_PROCESS:
        from unknot.app.run.in_order import run_in_order

        return run_in_order(options, progress)
    try:
        return _run_with_console(options, progress, (*settings.options, *settings.paths))
    except (CollectionError, NoTestsError):
        # It says best itself what is wrong; and some suites can be collected only where they are.
        return run_plain(settings)


def _run_with_console(options: RunOptions, progress: TerminalProgress, words: Sequence[str]) -> int:
    # A run in one process need not wait for what these import, and pytest starts meanwhile.
    from unknot.app.run.measure import add_to_running_coverage, measure_into

    with ExitStack() as stack:
        data = Path(stack.enter_context(coverage_directory()))
        options = replace(options, reports=True, measure=measure_into(data, options.runner.directory))
        console = stack.enter_context(PytestConsole(options.runner.directory, words))
        from unknot.app.run.run import run as run_suite

        output = RunOutput(progress, console, names_of(words))
        done = run_suite(options, output)
        add_to_running_coverage(data)
        if options.shard is not None and not done.results:
            number, count = options.shard
            output.result(f"shard {number}/{count} is empty: there are fewer tests than shards")
            console.end(coverage=data)
            return ExitCode.CLEAN
        left = sum(result.outcome is Outcome.NOT_RUN for result in done.results.values())
        interrupted = f"{counted(left, 'test')} had not run yet" if done.interrupted else ""
        code = console.end(interrupted=interrupted, coverage=data)
        return ExitCode.INTERRUPTED if done.interrupted else code


def _words_for_other_suites(words: Sequence[str], options: RunnerOptions) -> Sequence[str]:
    """For a pytest that only reports. Raises UsageError for options that say what runs, or how."""
    if foreign := names_of(words) - FOR_ANY_SUITE:
        raise UsageError(
            f"{min(foreign)} is an option of pytest, and this suite is run by {options.kind}",
            hint="Put the options into the command in the configuration.",
            slug="option-not-applicable",
        )
    alone = ("-c", os.devnull, "--rootdir", str(options.directory), "-p", "no:cacheprovider", "--noconftest")
    return (*alone, "--no-header", *words)


class RunOutput(TerminalProgress):
    """What a run reports goes to the process that has the terminal, and so comes in the right sequence."""

    def __init__(self, terminal: TerminalProgress, console: PytestConsole, options: Collection[str]) -> None:
        super().__init__(terminal.console, terminal.interruption, quiet=not QUIET.isdisjoint(options))
        self._pytest = console
        self._failed_first = not FAILED_FIRST.isdisjoint(options)
        self._has_begun = False

    def begin_run(self, tests: Order, details: str, lanes: int) -> None:
        self._has_begun = True
        self._pytest.collected(tests, details, lanes)

    def verdict(self, test: TestId, result: Result) -> None:
        self._pytest.report(test, result)

    def end_run(self) -> None:
        self._pytest.finish()
        # What comes now would come too late for it.
        self._has_begun = False

    def failed_before(self) -> Collection[TestId]:
        if not self._failed_first:
            return ()
        self._pytest.wait_until_ready()
        return {TestId(test) for test in self._pytest.failed}

    def has_enough(self, failures: int) -> bool:
        self._pytest.poll()
        return self._pytest.is_stopped or 0 < self._pytest.maxfail <= failures

    def result(self, text: str) -> None:
        self._pytest.write_line(shown(text), is_result=True)

    def status(self, text: str) -> None:
        if not self._has_begun:
            super().status(shown(text))
        elif not self._quiet:
            self._pytest.write_line(shown(text), is_result=False)

    def note(self, text: str) -> None:
        if self._has_begun:
            self._pytest.write_line(f"note: {shown_lines(text)}", is_result=False)
        else:
            super().note(text)

    def after_test(self, test: TestId, result: Result) -> None:
        """The verdict is printed."""
