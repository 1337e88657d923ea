"""`unknot run`: the suite in parallel, by a plan that respects what was found."""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.app.run.lanes import LaneRunner
from unknot.app.run.record import RunRecord
from unknot.app.run.repair import Repair, repair, write_lessons
from unknot.app.run.scope import Scope, scope, shard
from unknot.cli.options import add_files, add_runner, add_verb, seconds
from unknot.cli.outcome_report import OutcomeReport
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode, StorageError, UnknotError, UsageError
from unknot.model.outcome import Outcome
from unknot.model.plan import Plan
from unknot.model.run import Result
from unknot.model.sanitise import shown
from unknot.model.suite import TestId
from unknot.plan.check import check_plan
from unknot.plan.makers.registry import MAKERS, best_plan
from unknot.report.export.junit import write_junit
from unknot.store.directory import prepare_state_directory
from unknot.store.lock import read_lock
from unknot.store.run_times import NAME, RunTimes, write_run_times

_DESCRIPTION = """\
Runs every test of the suite, in parallel, each after what it needs and never after what breaks
it, as unknot.lock.json says. The plan is checked before it starts. Reports and exits like pytest.

A test that fails in the plan is judged by the suite's own order. If it does well there, unknot
finds out what was missing or in the way, says so in one line, and writes it into the lock file.

  unknot run -n 4
  unknot run -n 4 --junit-xml results.xml -- -m "not slow"
  unknot run tests/test_cart.py::test_pay      what it needs runs too
  unknot run --frozen --shard 2/6              a part of the suite, in CI
"""

_AUTO = "auto"


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "run", "run the suite in parallel, by a plan that respects the dependencies", _DESCRIPTION)
    add_runner(parser)
    parser.add_argument("--shard", type=shard, default=None, metavar="I/N", help="run part I of N, counted from 1")
    parser.add_argument(
        "--maker",
        choices=(_AUTO, *MAKERS),
        default=_AUTO,
        help="how the plan is made (default: auto, the fastest of those that need no solver)",
    )
    surprises = parser.add_argument_group("what fails in the plan only")
    surprises.add_argument("--frozen", action="store_true", help="find out why, but leave the lock file as it is")
    surprises.add_argument("--no-repair", action="store_true", help="count it as failed and do not find out why")
    surprises.add_argument(
        "--repair-seconds",
        type=seconds,
        default=120.0,
        metavar="N",
        help="how long to find out; then the suite's own order, run once, decides (default: 120)",
    )
    output = parser.add_argument_group("output")
    output.add_argument("--junit-xml", type=Path, default=None, metavar="FILE", help="write the results as JUnit XML")
    output.add_argument("--durations", type=int, default=0, metavar="N", help="show the N slowest tests")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress")
    add_files(parser)
    parser.set_defaults(verb=run)


def run(options: argparse.Namespace, console: Console) -> ExitCode:
    started = time.monotonic()
    if not options.lock.exists():
        raise UsageError(f"there is no {options.lock} to plan by", hint="run `unknot detect` first")
    locked = read_lock(options.lock)
    out = OutcomeReport(Console(highlight=False, soft_wrap=True), quiet=options.quiet)
    record = RunRecord()
    with scope(options, locked, console) as found:
        for line in found.lines:
            out.line(line)
        if not found.dependencies.complete or found.dependencies.untried:
            out.line("the detection was not finished: the suite runs in its own order; run `unknot detect` again")
        plan = _plan(found, options.maker)
        found.runner.listener = out.saw
        found.runner.watcher = record.watch
        try:
            _carry_out(options, found, plan, locked, record, out, _talk(options, console, out))
        except KeyboardInterrupt:
            options.interruption.happened = True
            record.take_unfinished()
    verdicts = {test: record.verdict(test) for test in found.tests}
    wall = time.monotonic() - started
    _keep_times(options.state_dir, RunTimes(record.timeline(), plan.predicted_seconds, plan.maker), console)
    if options.junit_xml is not None:
        write_junit(options.junit_xml, verdicts, wall)
    out.finish(verdicts, wall, lanes=len(plan.lanes), durations=options.durations)
    if options.interruption.happened:
        out.line("interrupted: what was not run yet is counted as not run")
        return ExitCode.INTERRUPTED
    if not verdicts:
        out.line(f"shard {options.shard[0]}/{options.shard[1]} is empty: there are fewer tests than shards")
    return _exit_code(verdicts)


def _plan(found: Scope, maker: str) -> Plan:
    """Prefixes that the runner cannot share would be run again for each order."""
    dependencies, workers, clean_state = found.dependencies, found.settings.workers, found.runner.price.clean_state
    if not len(dependencies.suite):
        return Plan((), 0.0)
    if maker == _AUTO:
        plan = best_plan(dependencies, workers, clean_state=clean_state, can_share=found.runner.can_share)
    else:
        plan = MAKERS[maker](dependencies, workers, clean_state=clean_state)
    if violations := check_plan(plan, dependencies):
        raise UnknotError(f"the plan is not safe: {violations[0].message}", hint="please report this as a bug")
    return plan


def _talk(options: argparse.Namespace, console: Console, out: OutcomeReport) -> Callable[[str], None]:
    def talk(text: str) -> None:
        if not options.quiet:
            out.end_line()
            console.print(shown(text), markup=False)

    return talk


def _carry_out(
    options: argparse.Namespace,
    found: Scope,
    plan: Plan,
    locked: Dependencies,
    record: RunRecord,
    out: OutcomeReport,
    talk: Callable[[str], None],
) -> None:
    lanes = LaneRunner(found.runner, found.dependencies, found.unknown, record, found.settings.workers)
    lanes.run(plan)
    how = Repair(options.lock, options.repair_seconds, writes=not options.frozen)
    if not options.no_repair:
        lessons = repair(how, found.runner, found.suite, found.dependencies, found.tests, record, out, talk)
        write_lessons(how, locked, lessons, out)
        if [test for test in found.tests if record.is_lost(test)]:
            # Some were not run because of one that seemed to crash, and perhaps it was only killed.
            lanes.run_lost()
    lanes.tell(out)


def _keep_times(state: Path, times: RunTimes, console: Console) -> None:
    """For pictures only: a directory that cannot be written to is no reason to fail."""
    try:
        prepare_state_directory(state)
        write_run_times(state / NAME, times)
    except StorageError as problem:
        console.print(f"the times of this run are not kept: {problem.message}", markup=False)


def _exit_code(verdicts: dict[TestId, Result]) -> ExitCode:
    """A test that could not be run is not a success either."""
    is_bad = any(result.outcome.is_bad or result.outcome is Outcome.NOT_RUN for result in verdicts.values())
    return ExitCode.FOUND if is_bad else ExitCode.CLEAN
