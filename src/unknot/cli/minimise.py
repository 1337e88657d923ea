"""`unknot minimise`: the cheapest suite of equal coverage that keeps every dependency."""

import argparse
import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.cli.coverage_option import FORMATS, add_coverage, coverage_from
from unknot.cli.emit import emit, emit_rich
from unknot.cli.options import LOCK, add_verb, positive_float
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode, UsageError
from unknot.model.sanitise import shown
from unknot.model.suite import Order
from unknot.plan.cover.minimise import MinimalSuite
from unknot.plan.cover.minimise import minimise as minimised
from unknot.report.text.lines import Lines
from unknot.report.wording import counted
from unknot.store.lock import DIGITS, read_lock

_MOST_SHOWN = 20
_TIME_LIMIT = 60.0

_DESCRIPTION = f"""\
The cheapest part of the suite that covers all that the whole suite covers, with all that its tests need.
It can run by itself, in its own order, with any runner.

{FORMATS}

  unknot minimise --coverage .coverage
  unknot minimise --coverage .coverage --keep tests/test_login.py --keep '*::test_smoke_*'
  unknot minimise --coverage .coverage --max-seconds 60       most coverage in a minute
  unknot minimise --coverage .coverage --format ids -o kept.txt && pytest @kept.txt
"""


def add_parser(verbs: Any) -> None:
    parser = add_verb(
        verbs, "minimise", "the cheapest suite of equal coverage that keeps every dependency", _DESCRIPTION
    )
    add_coverage(parser, required=True)
    wanted = parser.add_argument_group("what is wanted")
    wanted.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="TEST",
        help="a test that must stay: a node id, a file or class, or a pattern with * and ?; can be given again",
    )
    wanted.add_argument(
        "--max-seconds", type=positive_float, default=None, metavar="N", help="most coverage within so many seconds"
    )
    search = parser.add_argument_group("how to look for it")
    search.add_argument(
        "--solver",
        choices=("auto", "greedy", "optimal"),
        default="auto",
        help="greedy is quick and good; optimal proves that nothing cheaper exists and needs unknot[optimal]"
        " (default: optimal where it is installed)",
    )
    search.add_argument(
        "--time-limit",
        type=positive_float,
        default=_TIME_LIMIT,
        metavar="S",
        help=f"for the proof, in seconds; then the best so far is taken (default: {_TIME_LIMIT:g})",
    )
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json", "ids"), default="text", help="ids: one kept test a line")
    output.add_argument("-o", "--output", type=Path, default=None, metavar="FILE", help="write it there")
    output.add_argument("--lock", type=Path, default=Path(LOCK), metavar="FILE", help=f"the graph (default: {LOCK})")
    parser.set_defaults(verb=minimise)


def minimise(options: argparse.Namespace, console: Console) -> ExitCode:
    dependencies = read_lock(options.lock)
    coverage = coverage_from(options, dependencies, console, without="dropped unless kept or needed")
    if not dependencies.complete or dependencies.untried:
        console.print(
            "note: the detection was not finished: only a beginning of the suite is known to be safe;"
            " run `unknot detect` again",
            markup=False,
        )
    found = minimised(
        dependencies,
        coverage,
        keep=_kept(options.keep, dependencies),
        max_seconds=options.max_seconds,
        solver=options.solver,
        time_limit=options.time_limit,
    )
    if options.format == "json":
        emit(json.dumps(_to_json(found), indent=1, allow_nan=False) + "\n", options.output)
    elif options.format == "ids":
        emit("".join(f"{test}\n" for test in found.tests), options.output)
    else:
        emit_rich(_written(found, options).text, options.output)
    return ExitCode.CLEAN


def _kept(patterns: Sequence[str], dependencies: Dependencies) -> Order:
    kept = set()
    for pattern in patterns:
        # Square brackets are no pattern here: half of all node ids have them.
        wanted = re.escape(pattern.rstrip("/")).replace(r"\*", ".*").replace(r"\?", ".")
        fitting = re.compile(rf"{wanted}(?:(?:::|/|\[).*)?", re.DOTALL)
        found = [test for test in dependencies.suite.tests if fitting.fullmatch(test)]
        if not found:
            raise UsageError(
                f"--keep {shown(pattern)} fits no test of the lock file",
                hint="give a node id as in `pytest --collect-only -q`, or a pattern with * and ?",
            )
        kept.update(found)
    return tuple(test for test in dependencies.suite.tests if test in kept)


def _to_json(found: MinimalSuite) -> dict[str, Any]:
    return {
        "tests": list(found.tests),
        "dropped": list(found.dropped),
        "seconds": round(found.seconds, DIGITS),
        "seconds_before": round(found.seconds_before, DIGITS),
        "proven": found.proven,
        "bound": round(found.bound, DIGITS),
        "elements": found.elements,
        "covered": found.covered,
        "covered_at_most": found.covered_at_most,
        "solver": found.solver,
    }


def _written(found: MinimalSuite, options: argparse.Namespace) -> Lines:
    lines = Lines()
    whole = len(found.tests) + len(found.dropped)
    share = f" ({found.seconds / found.seconds_before:.0%})" if found.seconds_before else ""
    lines.line(
        f"{len(found.tests):,} of {counted(whole, 'test')} cover {_coverage(found)}"
        f" in {found.seconds:,.2f} of {found.seconds_before:,.2f} s{share}",
        "bold",
    )
    lines.field("how good", [_quality(found)])
    lines.tests("kept", found.tests, most=_MOST_SHOWN, rest="--format ids")
    lines.tests("dropped", found.dropped, most=_MOST_SHOWN, rest="--format json")
    lines.field("to run it", [f"{_again(options)} --format ids -o kept.txt && pytest @kept.txt"])
    return lines


def _coverage(found: MinimalSuite) -> str:
    if found.covered == found.elements:
        return f"all {counted(found.elements, 'element')}"
    lost = found.elements - found.covered
    return f"{found.covered:,} of {counted(found.elements, 'element')} ({lost:,} lost, {lost / found.elements:.1%})"


def _quality(found: MinimalSuite) -> str:
    if found.covered < found.elements:
        if found.proven:
            return "proven: nothing within the limit covers more"
        return f"not proven: within the limit at most {found.covered_at_most:,} could be covered"
    if found.proven:
        return "proven: nothing cheaper covers as much"
    above = found.seconds / found.bound - 1 if found.bound else 0.0
    return f"not proven: at most {above:.1%} dearer than the best, which takes {found.bound:,.2f} s or more"


def _again(options: argparse.Namespace) -> str:
    """The command, to be copied."""
    words = ["unknot", "minimise", "--coverage", str(options.coverage)]
    words += ["--branches"] if options.branches else []
    words += [word for pattern in options.keep for word in ("--keep", pattern)]
    words += ["--max-seconds", f"{options.max_seconds:g}"] if options.max_seconds is not None else []
    words += ["--lock", str(options.lock)] if str(options.lock) != LOCK else []
    return shlex.join(words)
