"""`unknot resets`: find the fastest reset of the system under test that really resets."""

import argparse
from collections.abc import Sequence
from typing import Any

from unknot.app.find_tests import first_few
from unknot.app.options import RunnerOptions, options_from
from unknot.cli.options import OptionGroup, positive_int
from unknot.cli.terminal import TerminalProgress, write_json, write_rich
from unknot.model.errors import ExitCode
from unknot.model.sanitise import shown
from unknot.report.text.lines import Lines
from unknot.report.wording import duration
from unknot.runners.dispatch.reset_measure import ROUNDS, Measured, cheapest, described

DESCRIPTION = """\
Tries each reset of the system under test that its description in the configuration allows: runs the
suite in its own order on a new instance and again after a reset, compares the outcomes, and measures
the time. Suggests the fastest one that is correct.

  unknot resets
"""


def add_options(parser: OptionGroup) -> None:
    parser.runner()
    parser.value("--rounds", "N", "number of runs after a reset", positive_int, ROUNDS)
    parser.output(("text", "json"))


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    # The modules of worker slots take a while to import.
    from unknot.app.resets import try_resets

    options = options_from(RunnerOptions, vars(given))
    found = []
    for each in try_resets(options, progress, rounds=given.rounds):
        found.append(each)
        progress.result(f"tried {described(each.reset)}")
    best = cheapest(found)
    if given.format == "json":
        write_json(_to_json(found, best))
    else:
        write_rich(_lines(found, best).text)
    return ExitCode.CLEAN if best is not None else ExitCode.FOUND


def _lines(found: Sequence[Measured], best: Measured | None) -> Lines:
    lines = Lines()
    for each in found:
        lines.line(shown(described(each.reset)), "bold")
        if each.problem:
            lines.field("cannot be used", [shown(each.problem)])
            continue
        lines.field("reset", [duration(each.reset_seconds)])
        lines.field("new instance", [duration(each.new_seconds)])
        lines.field("correct", [_verdict(each)])
    if best is None:
        lines.line("none of them is correct")
    else:
        lines.line(f"fastest that is correct: reset = {shown(described(best.reset))}", "bold")
    return lines


def _verdict(each: Measured) -> str:
    if each.check is None or not each.check.leaks:
        unsteady = each.check.unsteady if each.check else ()
        return f"yes ({first_few(unsteady)} had different outcomes)" if unsteady else "yes"
    return f"no: {first_few([leak.test for leak in each.check.leaks])} found what the run before had left"


def _to_json(found: Sequence[Measured], best: Measured | None) -> dict[str, Any]:
    return {
        "resets": [
            {
                "reset": described(each.reset),
                "seconds": round(each.reset_seconds, 6),
                "new_instance_seconds": round(each.new_seconds, 6),
                "right": each.is_right,
                "leaks": [leak.test for leak in each.check.leaks] if each.check else [],
                "problem": each.problem,
            }
            for each in found
        ],
        "cheapest": described(best.reset) if best else None,
    }
