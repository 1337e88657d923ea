"""`unknot simulate GRAPH.json`: the cost of a detection on a known dependency graph."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unknot.app.options import options_from
from unknot.app.simulate import SimulateOptions, simulate
from unknot.cli.options import OptionGroup, positive_int, seconds
from unknot.cli.terminal import TerminalProgress, write_json, write_rich
from unknot.detect.algorithms import ALGORITHMS, DEFAULT, current_name
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode
from unknot.model.sanitise import shown
from unknot.report.text.lines import Lines
from unknot.report.wording import counted
from unknot.store.graph_file import HiddenSuite
from unknot.store.lock import DIGITS

DESCRIPTION = """\
Hides a known graph, lets a detector find it again, and prints the cost. Runs no test.

GRAPH.json has `order` (names), `dependencies` ([[a, b], ...]: order[a] needs order[b]) and, if known,
`seconds` (one for each test; otherwise 1); or it is a lock file, with either-or needs and conflicts.

Counted are the orders that the algorithm runs and the tests in them, beyond the one run of the suite
in its own order, which is taken as known. The published algorithms prove nothing; the runs with which
unknot proves what was found are not counted for any algorithm (but limits hold for them). Seconds are
predicted wall time: orders of one batch run on the workers in parallel, and each takes a clean state
and its tests. Exit code 0, or 10 if the detector did not come to a complete answer.

  unknot simulate graph.json --algorithm pfast --clean-state 30 -n 4
  unknot simulate unknot.lock.json --orders any --compare
"""


def add_options(parser: OptionGroup) -> None:
    parser.add("graph", type=Path, metavar="GRAPH.json", help="a dependency graph or a lock file")
    search = parser.group("search")
    search.choice("--algorithm", ALGORITHMS, DEFAULT, type=current_name)
    search.flag("--compare", "simulate all algorithms, one line each")
    search.orders("reference")
    price = parser.group("cost of an order")
    price.value("--clean-state", "SECONDS", "time to reach a clean state", seconds, 1.0)
    price.value("-n|--workers", "N", "number of parallel workers", positive_int, 1)
    parser.limits()
    parser.output(("text", "json"))


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    options = options_from(SimulateOptions, vars(given))
    hidden, found = simulate(options, progress)
    if given.format == "json":
        values = [_to_json(dependencies) for dependencies in found]
        write_json({"algorithms": values} if options.compare else values[0])
    else:
        lines = _comparison if options.compare else _one
        write_rich(lines(found, hidden, options).text)
    if progress.is_interrupted():
        return ExitCode.INTERRUPTED
    return ExitCode.CLEAN if options.compare or found[0].complete else ExitCode.INCOMPLETE


def _to_json(dependencies: Dependencies) -> dict[str, Any]:
    cost = dependencies.cost
    document: dict[str, Any] = {
        "cost": {
            "algorithm": cost.algorithm,
            "orders": cost.orders,
            "tests": cost.tests,
            "seconds": round(cost.seconds, DIGITS),
        },
        "needs": [{"dependent": need.dependent, "any_of": list(need.any_of)} for need in dependencies.needs],
        "complete": dependencies.complete,
    }
    if dependencies.conflicts:
        document["conflicts"] = [
            {"victim": known.victim, "polluters": list(known.polluters), "cleaners": list(known.cleaners)}
            for known in dependencies.conflicts
        ]
    return document


def _one(found: Sequence[Dependencies], hidden: HiddenSuite, options: SimulateOptions) -> Lines:
    (dependencies,) = found
    lines = _heading(hidden, options)
    lines.field("algorithm", [dependencies.cost.algorithm])
    lines.field("orders", [f"{dependencies.cost.orders:,}"])
    lines.field("tests run", [f"{dependencies.cost.tests:,}"])
    lines.field("predicted", [f"{dependencies.cost.seconds:,.1f} s"])
    lines.field("found", [_claims(len(dependencies.needs), len(dependencies.conflicts))])
    lines.field("complete", ["yes" if dependencies.complete else "no: what was found is correct, more may exist"])
    return lines


def _comparison(found: Sequence[Dependencies], hidden: HiddenSuite, options: SimulateOptions) -> Lines:
    lines = _heading(hidden, options)
    head = ("algorithm", "orders", "tests run", "predicted s", "needs", "conflicts", "complete")
    rows = [
        (
            dependencies.cost.algorithm,
            f"{dependencies.cost.orders:,}",
            f"{dependencies.cost.tests:,}",
            f"{dependencies.cost.seconds:,.1f}",
            f"{len(dependencies.needs):,}",
            f"{len(dependencies.conflicts):,}",
            "yes" if dependencies.complete else "no",
        )
        for dependencies in found
    ]
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for name, *cells in (head, *rows):
        aligned = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        lines.line(f"  {name:<{widths[0]}}  {'  '.join(aligned)}")
    return lines


def _heading(hidden: HiddenSuite, options: SimulateOptions) -> Lines:
    lines = Lines()
    hides = _claims(hidden.needs, len(hidden.truth.conflicts))
    lines.line(f"{shown(options.graph.name)}: {counted(len(hidden.suite), 'test')}, {hides}", "bold")
    suite = sum(hidden.reference.seconds.values())
    at = f"a clean state {options.clean_state:g} s, the suite once {suite:,.1f} s"
    lines.line(f"{at}, {counted(options.workers, 'worker')}, {options.orders} order")
    return lines


def _claims(needs: int, conflicts: int) -> str:
    return ", ".join([counted(needs, "need"), *([counted(conflicts, "conflict")] if conflicts else [])])
