"""`unknot resets`: which way back to a clean state is right for this suite, and which of those is cheapest."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from rich.console import Console

from unknot.app.session.session import settings_from
from unknot.app.test_names import first_few
from unknot.cli.options import add_runner, add_verb, positive_int
from unknot.model.errors import ExitCode, UsageError
from unknot.model.sanitise import shown
from unknot.report.text.lines import Lines, print_text
from unknot.report.wording import duration
from unknot.runners.dispatch.reset_measure import ROUNDS, Measured, candidates, cheapest, described, measured
from unknot.runners.sut.spec import InstanceSpec, ResetSpec

_DESCRIPTION = """\
Tries each way of putting the system under test back that its description in the configuration allows: runs the suite
in its own order on a new instance and again after a reset, compares what came out, and takes the time. Suggests the
cheapest one that is right.

  unknot resets
"""


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "resets", "which reset of the system under test is right, and cheapest", _DESCRIPTION)
    add_runner(parser)
    parser.add_argument(
        "--rounds", type=positive_int, default=ROUNDS, metavar="N", help=f"runs after a reset (default: {ROUNDS})"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(verb=resets)


def resets(options: argparse.Namespace, console: Console) -> ExitCode:
    settings = settings_from(options, console)
    if settings.instance is None:
        raise UsageError(
            "the configuration describes no instance whose reset could be tried",
            hint="docs/reference/resets.md shows what to write into [instance]",
        )
    found = []
    for each in _tried(options, settings.instance, console):
        found.append(each)
        console.print(f"tried {described(each.reset)}", markup=False)
    best = cheapest(found)
    if options.format == "json":
        sys.stdout.write(json.dumps(_to_json(found, best), indent=1, allow_nan=False) + "\n")
    else:
        print_text(Console(highlight=False), _lines(found, best).text)
    return ExitCode.CLEAN if best is not None else ExitCode.FOUND


def _tried(options: argparse.Namespace, instance: InstanceSpec, console: Console) -> Iterator[Measured]:
    # What belongs to slots takes a while to import.
    from unknot.app.session.slots import seating, with_reset
    from unknot.runners.sandbox.sandbox import OpenSandbox
    from unknot.runners.workers.slot import WorkerSlot

    found = seating(settings_from(options, console), options, console)
    with ExitStack() as grounds:

        def slot(reset: ResetSpec) -> WorkerSlot:
            sandbox = OpenSandbox()
            grounds.callback(sandbox.close)
            return with_reset(found.spec, replace(instance, reset=reset)).open(sandbox.sandbox)

        yield from measured(slot, found.listing.suite.tests, candidates(instance), rounds=options.rounds)


def _lines(found: Sequence[Measured], best: Measured | None) -> Lines:
    lines = Lines()
    for each in found:
        lines.line(shown(described(each.reset)), "bold")
        if each.problem:
            lines.field("cannot be used", [shown(each.problem)])
            continue
        lines.field("reset", [duration(each.reset_seconds)])
        lines.field("new instance", [duration(each.new_seconds)])
        lines.field("right", [_verdict(each)])
    if best is None:
        lines.line("none of them is right")
    else:
        lines.line(f"cheapest that is right: reset = {shown(described(best.reset))}", "bold")
    return lines


def _verdict(each: Measured) -> str:
    if each.check is None or not each.check.leaks:
        unsteady = each.check.unsteady if each.check else ()
        return f"yes ({first_few(unsteady)} did not always do the same)" if unsteady else "yes"
    return f"no: {first_few([leak.test for leak in each.check.leaks])} saw what the run before had left"


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
