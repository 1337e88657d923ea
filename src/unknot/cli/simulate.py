"""`unknot simulate GRAPH.json`: what would it cost to find these dependencies, if nobody knew them?"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.cli.options import add_verb, positive_int, seconds
from unknot.detect.algorithms import ALGORITHMS, DEFAULT
from unknot.detect.engine.options import Options
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode
from unknot.model.sanitise import shown
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.predicted import PredictedOracle
from unknot.oracle.simulated import SimulatedOracle
from unknot.report.text.lines import Lines, print_text
from unknot.report.wording import counted
from unknot.store.graph_file import HiddenSuite, read_hidden_suite
from unknot.store.lock import DIGITS

_DESCRIPTION = """\
Hides a known graph, lets a detector find it again, and says what that cost. Nothing is run.

GRAPH.json has `order` (names), `dependencies` ([[a, b], ...]: order[a] needs order[b]) and, if known,
`seconds` (one for each test; 1 otherwise); or it is a lock file, with either-or needs and conflicts.

What is counted: the orders that the algorithm asks and the tests in them, beyond the one run of the suite
in its own order, which is taken as known. The published algorithms prove nothing; the runs by which unknot
proves what was found are not counted, for any algorithm (a limit holds for them too). Seconds are predicted
wall time: orders that are asked together run on the workers at the same time, each takes a clean state and
its tests. Exit code 0, or 10 if the detector did not come to a complete answer.

  unknot simulate graph.json --algorithm pfast --clean-state 30 -n 4
  unknot simulate unknot.lock.json --orders any --compare
"""

_COMPARED = Budget(orders=20_000, tests=2_000_000)
"""For each algorithm of a comparison, unless limits are given: some of them would go on for years."""


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "simulate", "what a detection would cost, on a graph that is known", _DESCRIPTION)
    parser.add_argument("graph", type=Path, metavar="GRAPH.json", help="a dependency graph or a lock file")
    search = parser.add_argument_group("who looks, and for what")
    search.add_argument("--algorithm", choices=tuple(ALGORITHMS), default=DEFAULT, help=f"(default: {DEFAULT})")
    search.add_argument("--compare", action="store_true", help="all algorithms, one line each")
    search.add_argument(
        "--orders",
        choices=("any", "reference"),
        default="reference",
        help="look for trouble in any order, or only among tests that keep the reference order (default: reference)",
    )
    search.add_argument("--seed", type=int, default=0, metavar="N", help="for orders at random (default: 0)")
    price = parser.add_argument_group("what an order costs")
    price.add_argument(
        "--clean-state", type=seconds, default=1.0, metavar="SECONDS", help="to reach a clean state (default: 1)"
    )
    price.add_argument(
        "-n", "--workers", type=positive_int, default=1, metavar="N", help="orders at the same time (default: 1)"
    )
    limits = parser.add_argument_group("limits")
    limits.add_argument("--max-orders", type=positive_int, default=None, metavar="N")
    limits.add_argument("--max-tests", type=positive_int, default=None, metavar="N")
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(verb=simulate)


def simulate(options: argparse.Namespace, console: Console) -> ExitCode:
    hidden = read_hidden_suite(options.graph)
    for note in hidden.notes:
        console.print(f"note: {note}", markup=False)
    names = tuple(ALGORITHMS) if options.compare else (options.algorithm,)
    found = []
    for name in names:
        found.append(_detected(name, hidden, options))
        if options.interruption.happened:
            break
    if options.format == "json":
        values = [_to_json(dependencies) for dependencies in found]
        document = {"algorithms": values} if options.compare else values[0]
        sys.stdout.write(json.dumps(document, indent=1, allow_nan=False) + "\n")
    else:
        write = _write_comparison if options.compare else _write_one
        print_text(Console(highlight=False), write(found, hidden, options).text)
    if options.interruption.happened:
        return ExitCode.INTERRUPTED
    return ExitCode.CLEAN if options.compare or found[0].complete else ExitCode.INCOMPLETE


def _detected(name: str, hidden: HiddenSuite, options: argparse.Namespace) -> Dependencies:
    simulated = SimulatedOracle(hidden.truth, clean_state=options.clean_state, workers=options.workers)
    predicted = PredictedOracle(simulated)
    budget = Budget(options.max_orders, options.max_tests)
    if options.compare and budget == Budget():
        budget = _COMPARED
    chosen = Options(reorders=options.orders == "any", seed=options.seed, reference=hidden.reference)
    dependencies = ALGORITHMS[name](hidden.suite, BudgetOracle(predicted, budget, lambda: 0.0), chosen)
    return replace(dependencies, cost=replace(dependencies.cost, seconds=predicted.seconds(dependencies.cost.orders)))


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


def _write_one(found: Sequence[Dependencies], hidden: HiddenSuite, options: argparse.Namespace) -> Lines:
    (dependencies,) = found
    lines = _begun(hidden, options)
    lines.field("algorithm", [dependencies.cost.algorithm])
    if dependencies.cost.choice:
        lines.field("chosen", [dependencies.cost.choice])
    lines.field("orders", [f"{dependencies.cost.orders:,}"])
    lines.field("tests run", [f"{dependencies.cost.tests:,}"])
    lines.field("predicted", [f"{dependencies.cost.seconds:,.1f} s"])
    lines.field("found", [_claims(len(dependencies.needs), len(dependencies.conflicts))])
    lines.field("complete", ["yes" if dependencies.complete else "no: what was found is true, more may exist"])
    return lines


def _write_comparison(found: Sequence[Dependencies], hidden: HiddenSuite, options: argparse.Namespace) -> Lines:
    lines = _begun(hidden, options)
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


def _begun(hidden: HiddenSuite, options: argparse.Namespace) -> Lines:
    lines = Lines()
    hides = _claims(hidden.needs, len(hidden.truth.conflicts))
    lines.line(f"{shown(options.graph.name)}: {counted(len(hidden.suite), 'test')}, {hides}", "bold")
    suite = sum(hidden.reference.seconds.values())
    at = f"a clean state {options.clean_state:g} s, the suite once {suite:,.1f} s"
    lines.line(f"{at}, {counted(options.workers, 'worker')}, {options.orders} order")
    return lines


def _claims(needs: int, conflicts: int) -> str:
    return ", ".join([counted(needs, "need"), *([counted(conflicts, "conflict")] if conflicts else [])])
