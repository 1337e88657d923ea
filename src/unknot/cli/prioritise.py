"""`unknot prioritise`: an order that covers fastest without breaking a dependency."""

import argparse
import json
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.cli.coverage_option import FORMATS, add_coverage, coverage_from
from unknot.cli.emit import emit, emit_rich
from unknot.cli.options import LOCK, add_verb
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode, UnknotError, UsageError
from unknot.model.plan import Lane, Plan
from unknot.plan.check import check_plan
from unknot.plan.priority.prioritise import PrioritisedOrder, by_coverage, by_seconds, by_structure
from unknot.report.text.curve import curve_picture
from unknot.report.text.lines import Lines
from unknot.report.wording import counted
from unknot.store.lock import DIGITS, read_lock

_MOST_SHOWN = 20
_RISES = {
    "coverage": "elements covered",
    "structure": "dependencies whose prerequisite has run",
    "seconds": "tests done",
}

_DESCRIPTION = f"""\
The whole suite in an order that gives most as early as possible: every test after what it needs, and none
after what breaks it. Says how fast it rises before and after: 1 would be all at once, at the start.

  --by coverage    what covers most that is new, per second, first (the default with --coverage)
  --by structure   tests on which most others depend, directly or not, first (the default without)
  --by seconds     short tests first

{FORMATS}

  unknot prioritise --coverage .coverage
  unknot prioritise --by seconds --format ids -o order.txt && pytest @order.txt
"""


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "prioritise", "an order that covers fastest without breaking a dependency", _DESCRIPTION)
    add_coverage(parser, required=False)
    parser.add_argument("--by", choices=tuple(_RISES), default=None, help="what comes first")
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json", "ids"), default="text", help="ids: one test a line")
    output.add_argument("-o", "--output", type=Path, default=None, metavar="FILE", help="write it there")
    output.add_argument("--lock", type=Path, default=Path(LOCK), metavar="FILE", help=f"the graph (default: {LOCK})")
    parser.set_defaults(verb=prioritise)


def prioritise(options: argparse.Namespace, console: Console) -> ExitCode:
    by = options.by or ("structure" if options.coverage is None else "coverage")
    dependencies = read_lock(options.lock)
    found = _ordered(by, dependencies, options, console)
    if violations := check_plan(Plan((Lane((found.order,)),), 0.0), dependencies):
        raise UnknotError(f"the order is not safe: {violations[0].message}", hint="please report this as a bug")
    if found.reason:
        console.print(f"note: the order stays as it is: {found.reason}", markup=False)
    if options.format == "json":
        emit(json.dumps(_to_json(by, found), indent=1, allow_nan=False) + "\n", options.output)
    elif options.format == "ids":
        emit("".join(f"{test}\n" for test in found.order), options.output)
    else:
        emit_rich(_written(by, found).text, options.output)
    return ExitCode.CLEAN


def _ordered(by: str, dependencies: Dependencies, options: argparse.Namespace, console: Console) -> PrioritisedOrder:
    if by == "coverage":
        if options.coverage is None:
            raise UsageError("--by coverage needs --coverage FILE", hint="or take --by structure or --by seconds")
        return by_coverage(
            dependencies, coverage_from(options, dependencies, console, without="run when nothing else is left")
        )
    return by_structure(dependencies) if by == "structure" else by_seconds(dependencies)


def _to_json(by: str, found: PrioritisedOrder) -> dict[str, Any]:
    return {
        "by": by,
        "tests": list(found.order),
        "area_before": round(found.before.area, DIGITS),
        "area": round(found.after.area, DIGITS),
        "curve_before": _points(found.before.points),
        "curve": _points(found.after.points),
        **({"reason": found.reason} if found.reason else {}),
    }


def _points(points: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [[round(time, DIGITS), round(share, DIGITS)] for time, share in points]


def _written(by: str, found: PrioritisedOrder) -> Lines:
    lines = Lines()
    size = counted(len(found.order), "test")
    lines.line(f"{size} by {by}: area {found.before.area:.3f} before, {found.after.area:.3f} after", "bold")
    lines.line(f"{_RISES[by]} against time, before (·) and after (#):")
    for line in curve_picture(found.before.points, found.after.points):
        lines.line(line)
    lines.tests("order", found.order, most=_MOST_SHOWN, rest="--format ids")
    return lines
