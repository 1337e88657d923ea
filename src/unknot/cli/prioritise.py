"""`unknot prioritise`: an order that reaches coverage early and respects dependencies."""

import argparse
from typing import Any

from unknot.app.coverage import CoverageOptions, prioritise
from unknot.app.options import ProjectFiles, options_from
from unknot.cli.minimise import COVERAGE_FORMATS, add_coverage
from unknot.cli.options import OptionGroup
from unknot.cli.terminal import TerminalProgress, write_json, write_rich, write_text
from unknot.model.errors import ExitCode
from unknot.plan.priority.prioritise import PrioritisedOrder
from unknot.report.text.curve import curve_picture
from unknot.report.text.lines import Lines
from unknot.report.wording import counted
from unknot.store.lock import DIGITS

_MOST_SHOWN = 20
_RISES = {
    "coverage": "elements covered",
    "structure": "dependencies whose prerequisite has run",
    "seconds": "tests done",
}

DESCRIPTION = f"""\
Finds an order of the whole suite that reaches coverage early: every test runs after what it needs,
and none after what breaks it. Prints how fast coverage rises before and after; 1 would be all at once.

  --by coverage    tests that cover most new elements per second first (the default with --coverage)
  --by structure   tests on which most others depend, directly or not, first (the default without)
  --by seconds     short tests first

{COVERAGE_FORMATS}

  unknot prioritise --coverage .coverage
  unknot prioritise --by seconds --format ids -o order.txt && pytest @order.txt
"""


def add_options(parser: OptionGroup) -> None:
    add_coverage(parser)
    parser.add("--by", choices=tuple(_RISES), help="which tests come first")
    parser.output(("text", "json"), ids="test", file=True)
    parser.files(durations=True)


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    source = None if given.coverage is None else options_from(CoverageOptions, vars(given))
    by = given.by or ("structure" if source is None else "coverage")
    found = prioritise(by, options_from(ProjectFiles, vars(given)), source, progress)
    if given.format == "json":
        write_json(_to_json(by, found), given.output)
    elif given.format == "ids":
        write_text("".join(f"{test}\n" for test in found.order), given.output)
    else:
        write_rich(_lines(by, found).text, given.output)
    return ExitCode.CLEAN


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


def _lines(by: str, found: PrioritisedOrder) -> Lines:
    lines = Lines()
    size = counted(len(found.order), "test")
    lines.line(f"{size} by {by}: area {found.before.area:.3f} before, {found.after.area:.3f} after", "bold")
    lines.line(f"{_RISES[by]} against time, before (·) and after (#):")
    for line in curve_picture(found.before.points, found.after.points):
        lines.line(line)
    lines.tests("order", found.order, most=_MOST_SHOWN, rest="--format ids")
    return lines
