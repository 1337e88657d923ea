"""`python bench/plans/minimise.py`: the cheapest cover by greedy, by CP-SAT, and by Z3 where it is installed.

A Markdown table to stdout: seconds to answer, how much more expensive than the best known answer it is, whether it was
proven. Z3 is what DANTE uses; it gets the same problem, before and after our reductions.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.say import say
from unknot.model.bits import members
from unknot.model.coverage import Coverage
from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, Suite, TestId
from unknot.plan.cover.greedy import GreedyCover
from unknot.plan.cover.optimal import cheapest_cover
from unknot.plan.cover.problem import CoverProblem, build_problem
from unknot.plan.cover.reduction import ReducedProblem, reduce_problem, unreduced

_SEEDS = 3
_NEEDING = 0.3
"""The share of tests that need another one."""


@dataclass(frozen=True)
class Row:
    family: str
    solver: str
    seed: int
    seconds: float
    price: int | None
    proven: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="S", help="for each solver (default: 60)")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=f"of: {', '.join(_FAMILIES)} (default: all)")
    options = parser.parse_args()
    rows: list[Row] = []
    for family, make in _FAMILIES.items():
        if not options.families or family in options.families:
            for seed in range(_SEEDS):
                rows += _measured(family, seed, make(random.Random(seed)), options.time_limit)
    sys.stdout.write(_table(rows))
    return 0


def _measured(family: str, seed: int, problem: CoverProblem, limit: float) -> Iterator[Row]:
    def timed(solver: str, answer: Callable[[], tuple[int | None, bool]]) -> Row:
        began = time.perf_counter()
        price, proven = answer()
        row = Row(family, solver, seed, time.perf_counter() - began, price, proven)
        say(f"{family} {seed} {solver}: {row.seconds:.2f} s, price {price}, proven {proven}")
        return row

    def greedy() -> tuple[int, bool]:
        core = reduce_problem(problem)
        return problem.price(GreedyCover(problem, core).cover()), False

    def optimal() -> tuple[int, bool]:
        core = reduce_problem(problem)
        found = cheapest_cover(problem, core, GreedyCover(problem, core).cover(), limit)
        return problem.price(found.part), found.proven

    yield timed("greedy", greedy)
    yield timed("optimal", optimal)
    if find_spec("z3"):
        yield timed("z3", lambda: _by_z3(problem, unreduced(problem), limit))
        yield timed("z3, reduced", lambda: _by_z3(problem, reduce_problem(problem), limit))


def _by_z3(problem: CoverProblem, core: ReducedProblem, limit: float) -> tuple[int | None, bool]:
    """As DANTE has it: pseudo-Boolean constraints, and one sum to minimise."""
    z3: Any = import_module("z3")
    variable: dict[int, Any] = {test: z3.Bool(f"t{test}") for test in members(core.open)}
    solver = z3.Optimize()
    solver.set("timeout", int(limit * 1000))
    for element in members(core.elements):
        solver.add(z3.Or([variable[test] for test in members(problem.testers[element] & core.open)]))
    for rule in core.rules:
        unless = [z3.Not(variable[test]) for test in members(rule.when & core.open)]
        solver.add(z3.Or([*unless, *(variable[test] for test in members(rule.wanted & core.open))]))
    cost = z3.Sum([z3.If(found, problem.prices.of[test], 0) for test, found in variable.items()])
    solver.minimize(cost)
    if solver.check() != z3.sat:
        return None, False
    model = solver.model()
    chosen = sum(1 << test for test, found in variable.items() if z3.is_true(model.evaluate(found)))
    return problem.price(core.forced | chosen), True


def _table(rows: list[Row]) -> str:
    lines = [
        "| family | solver | seconds | above the best known | proven |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    best: dict[tuple[str, int], int] = {}
    for row in rows:
        if row.price is not None:
            best[row.family, row.seed] = min(row.price, best.get((row.family, row.seed), row.price))
    for family, solver in dict.fromkeys((row.family, row.solver) for row in rows):
        found = [row for row in rows if (row.family, row.solver) == (family, solver)]
        above = [row.price / best[family, row.seed] - 1 for row in found if row.price is not None]
        spent = [row.seconds for row in found]
        cells = (
            family,
            solver,
            f"{min(spent):.2f}-{max(spent):.2f}",
            f"{min(above):.1%} to {max(above):.1%}" if above else "no answer",
            f"{sum(row.proven for row in found)} of {len(found)}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


# --- families of suites


def _suite(
    size: int, chance: random.Random, covered: Callable[[Order], dict[str, list[str]]], near: int
) -> CoverProblem:
    """Some tests need one of the `near` tests before them; seconds as measured ones are: many short, few long."""
    tests = tuple(TestId(f"t{number}") for number in range(size))
    coverage = Coverage.of(covered(tests))
    needs = tuple(
        Need(tests[place], (tests[chance.randrange(max(0, place - near), place)],), Proof((), ()))
        for place in range(1, size)
        if chance.random() < _NEEDING
    )
    seconds = {test: round(chance.expovariate(1.0), 6) for test in tests}
    return build_problem(Dependencies(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), seconds, needs), coverage)


def _walks(size: int, elements: int, files: int) -> Callable[[random.Random], CoverProblem]:
    """As lines are covered: a test walks through some stretches of its file, now and then of another one."""

    def made(chance: random.Random) -> CoverProblem:
        length = elements // files

        def covered(tests: Order) -> dict[str, list[str]]:
            found: dict[str, list[str]] = {}
            for number, test in enumerate(tests):
                lines = found.setdefault(test, [])
                for _ in range(chance.randint(1, 5)):
                    file = number * files // size if chance.random() < 0.8 else chance.randrange(files)
                    start = chance.randrange(length)
                    lines += [f"{file}:{line}" for line in range(start, min(length, start + chance.randint(3, 25)))]
            return found

        return _suite(size, chance, covered, near=25)

    return made


def _scattered(
    size: int, elements: int, testers: Callable[[random.Random], int]
) -> Callable[[random.Random], CoverProblem]:
    """Every element has so many testers, any of the suite: nothing like code, and the hardest there is."""

    def made(chance: random.Random) -> CoverProblem:
        def covered(tests: Order) -> dict[str, list[str]]:
            found: dict[str, list[str]] = {test: [] for test in tests}
            for element in range(elements):
                for test in chance.sample(tests, max(1, min(size, testers(chance)))):
                    found[test].append(f"e{element}")
            return found

        return _suite(size, chance, covered, near=size)

    return made


_FAMILIES: dict[str, Callable[[random.Random], CoverProblem]] = {
    "69x500 scattered, 3 testers": _scattered(69, 500, lambda chance: 3),
    "69x500 scattered, about 7 testers": _scattered(69, 500, lambda chance: round(chance.gauss(7, 2.5))),
    "1000x5000 walks": _walks(1000, 5000, 40),
    "1000x5000 skewed, 1 to 100 testers": _scattered(1000, 5000, lambda chance: 1 + int(chance.expovariate(1 / 20))),
    "1000x5000 scattered, 5 testers": _scattered(1000, 5000, lambda chance: 5),
}


if __name__ == "__main__":
    sys.exit(main())
