"""`unknot run`: the suite in parallel, by a plan that respects what was found."""

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.cli.options import add_files, add_runner
from unknot.cli.outcome_report import OutcomeReport
from unknot.cli.workplace import settings_from, workplace
from unknot.model.errors import ExitCode, UnknotError, UsageError
from unknot.model.knots import Knots
from unknot.model.outcome import Outcome
from unknot.model.plan import Plan
from unknot.model.run import Question, Result
from unknot.model.suite import Order, Suite, TestId
from unknot.plan.check import check_plan
from unknot.plan.lanes import make_plan
from unknot.report.junit import write_junit
from unknot.report.lock import read_lock
from unknot.run.pytest_oracle import PytestOracle

_DESCRIPTION = """\
Runs every test of the suite once, in parallel, each after what it needs and never after what
breaks it, as unknot.lock.json says. The plan is checked before it starts. Reports and exits
like pytest.

  unknot run -n 4
  unknot run -n 4 --junit-xml results.xml -- -m "not slow"
"""


def add_parser(verbs: Any) -> None:
    parser = verbs.add_parser(
        "run",
        help="run the suite in parallel, by a plan that respects the dependencies",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_runner(parser)
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
    knots = read_lock(options.lock)
    out = OutcomeReport(Console(highlight=False, soft_wrap=True), quiet=options.quiet)
    with workplace(settings_from(options, console), options.runner, console) as (runner, collected, settings):
        known, new = _fitted(knots, collected.suite)
        for line in _differences(knots, collected.suite, new):
            out.line(line)
        plan = make_plan(known, settings.workers) if len(known.suite) else Plan((), 0.0)
        if violations := check_plan(plan, known):
            raise UnknotError(f"the plan is not safe: {violations[0].message}", hint="please report this as a bug")
        orders = [order for lane in plan.lanes for order in lane.orders]
        if not known.complete or known.untried:
            out.line("the detection was not finished: the suite runs in its own order; run `unknot detect` again")
        results: dict[TestId, Result] = {}
        interrupted = False
        try:
            _ask(runner, orders, new, results, out)
            _give_a_second_chance(runner, known, results, out)
        except KeyboardInterrupt:
            interrupted = True
    ordered = {test: results.get(test, Result(Outcome.NOT_RUN)) for test in collected.suite.tests}
    wall = time.monotonic() - started
    if options.junit_xml is not None:
        write_junit(options.junit_xml, ordered, wall)
    out.finish(ordered, wall, lanes=len(plan.lanes), durations=options.durations)
    if interrupted:
        out.line("interrupted: what was not run yet is counted as not run")
        return ExitCode.INTERRUPTED
    return ExitCode.FOUND if any(result.outcome.is_bad for result in ordered.values()) else ExitCode.CLEAN


def _fitted(knots: Knots, suite: Suite) -> tuple[Knots, Order]:
    """What is known of the tests that are still there, in the order that the suite has now; and the new tests."""
    known = tuple(test for test in suite.tests if test in knots.suite.index)
    there = set(known)
    lost = {need.dependent: need for need in knots.needs if need.dependent in there and there.isdisjoint(need.any_of)}
    if lost:
        test, need = next(iter(lost.items()))
        raise UsageError(
            f"{test} needs {need.any_of[0]}, which is no longer collected",
            hint="run `unknot detect` again, or select both",
        )
    fitted = Knots(
        suite=Suite(known),
        outcomes={test: knots.outcomes[test] for test in known},
        seconds={test: knots.seconds[test] for test in known},
        needs=tuple(
            replace(need, any_of=tuple(option for option in need.any_of if option in there))
            for need in knots.needs
            if need.dependent in there
        ),
        conflicts=tuple(
            replace(conflict, cleaners=tuple(cleaner for cleaner in conflict.cleaners if cleaner in there))
            for conflict in knots.conflicts
            if conflict.victim in there and there.issuperset(conflict.polluters)
        ),
        flaky=tuple(test for test in knots.flaky if test in there),
        untried=knots.untried,
        complete=knots.complete,
        cost=knots.cost,
        confidence={test: known for test, known in knots.confidence.items() if test in there},
    )
    return fitted, tuple(test for test in suite.tests if test not in there)


def _differences(knots: Knots, suite: Suite, new: Order) -> list[str]:
    lines = []
    if new:
        shown = ", ".join(new[:3]) + (" …" if len(new) > 3 else "")
        lines.append(f"{len(new)} tests are not in the lock file and run by themselves, in order: {shown}")
    if gone := [test for test in knots.suite.tests if test not in suite.index]:
        lines.append(f"{len(gone)} tests of the lock file are not collected now")
    return lines


def _ask(
    runner: PytestOracle, orders: Sequence[Order], new: Order, results: dict[TestId, Result], out: OutcomeReport
) -> None:
    """Fills `results`. A test that the plan runs twice is reported once: by its worst result, for one failure is a
    failure."""
    questions = [Question(order) for order in (*orders, *([new] if new else []))]
    runner.listener = lambda test, result: out.saw(test, result)
    for answer in runner.ask_in_turn(questions):
        for test, result in zip(answer.order, answer.results, strict=True):
            if test not in results or _badness(result) > _badness(results[test]):
                results[test] = result


def _badness(result: Result) -> int:
    return 2 if result.outcome.is_bad else 1 if result.outcome is Outcome.NOT_RUN else 0


def _give_a_second_chance(
    runner: PytestOracle, knots: Knots, results: dict[TestId, Result], out: OutcomeReport
) -> None:
    """A test that failed in the plan though it does not in reference order is run once more with its closure alone.
    If it then does as in the reference order, that is its verdict, and the user hears that something is unknown."""
    surprising = [
        test
        for test in knots.suite.tests
        if results[test].outcome is not knots.outcomes[test]
        and (results[test].outcome.is_bad or results[test].outcome is Outcome.NOT_RUN)
    ]
    for answer in runner.ask_in_turn([Question(knots.closure(test), attempt=1) for test in surprising]):
        test = answer.order[-1]
        if answer.last is knots.outcomes[test]:
            before, results[test] = results[test], answer.results[-1]
            if before.outcome is not Outcome.NOT_RUN:
                out.line(
                    f"{test} was {before.outcome} in the plan and {answer.last} by itself:"
                    " flaky, or a dependency that is not known yet; run `unknot detect` again"
                )
        elif results[test].outcome is Outcome.NOT_RUN:
            results[test] = answer.results[-1]
