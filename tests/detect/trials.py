"""Shared by the tests of the published detectors: green suites, orders in positions, and common laws."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from strategies import Case, case, needs_of_edges

from unknot.detect.engine.options import Detector, Options
from unknot.model.dependencies import Dependencies
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Reference
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.protocol import Oracle, Price
from unknot.oracle.simulated import SimulatedOracle

from .judge import as_readable, assert_nothing_false, true_reduction

WEB_SUITES = ("claroline", "mrbs", "ppma")

CORRECTED_SUITES = ("mrbs", "ppma")
"""Their published graphs have cleaners and one of several alternatives as plain needs."""

_DATA = Path(__file__).parents[1] / "data"


class Steps:
    """Records what is run, in positions: the orders of one batch together."""

    def __init__(self, told: Case) -> None:
        self._index = told.suite.index
        self._inner = SimulatedOracle(told.truth)
        self.batches: list[list[tuple[int, ...]]] = []

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        self.batches.append([tuple(self._index[test] for test in request.order) for request in requests])
        return self._inner.run_orders(requests)

    @property
    def orders(self) -> list[tuple[int, ...]]:
        return [order for batch in self.batches for order in batch]


class Crashing:
    """A test that would fail crashes the process, and no test after it is run."""

    def __init__(self, told: Case) -> None:
        self._inner = SimulatedOracle(told.truth)

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for run in self._inner.run_orders(requests):
            place = next((at for at, result in enumerate(run.results) if result.outcome.is_bad), len(run.results))
            passed, rest = run.results[:place], run.results[place:]
            crashed = [Result(Outcome.CRASHED), *[Result(Outcome.NOT_RUN)] * (len(rest) - 1)] if rest else []
            yield replace(run, results=(*passed, *crashed))


def known(told: Case, options: Options | None = None) -> Options:
    """The reference order is known to be green, and so not run."""
    reference = Reference(dict.fromkeys(told.suite.tests, Outcome.PASSED), {})
    return replace(options or Options(), reference=reference)


def stopped(oracle: Oracle, orders: int) -> BudgetOracle:
    return BudgetOracle(oracle, Budget(orders=orders), lambda: 0.0)


def web_suite(name: str) -> tuple[Case, dict[str, DependencyGraph]]:
    """With the manifest dependencies as the truth; and the final graphs of TEDD's configurations."""
    data = json.loads((_DATA / "e2e-suites" / f"{name}.json").read_text())
    size = len(data["order"])
    told = case(size, needs_of_edges((one, other) for one, other in data["dependencies"]))
    graphs = data["graphs_by_configuration"]
    return told, {key: DependencyGraph(size, ((a, b) for a, b in graph)) for key, graph in graphs.items()}


def corrected_suite(name: str) -> Case:
    """The web suite with its cleaners and alternatives as what they are."""
    published, _ = web_suite(name)
    data = json.loads((_DATA / "corrected-graphs" / f"{name}.json").read_text())
    needs = {test: [list(clause) for clause in clauses] for test, clauses in published.needs.items()}
    for dependent, prerequisite in data["not needs"]:
        needs[dependent].remove([prerequisite])
    for dependent, any_of in data["needs"]:
        needs[dependent].append(any_of)
    conflicts = [(each["victim"], each["polluters"], each["cleaners"]) for each in data["conflicts"]]
    return case(published.size, needs, conflicts)


def renamed(told: Case, numbers: Sequence[int]) -> Case:
    """The same tests in the same order under other names, whose sequence by name is another."""
    return replace(told, ids=tuple(told.suite.tests[number] for number in numbers))


def by_position(dependencies: Dependencies) -> set[tuple[int, tuple[int, ...], bool]]:
    index = dependencies.suite.index
    return {(index[n.dependent], tuple(index[option] for option in n.any_of), n.complete) for n in dependencies.needs}


def assert_true_whenever_stopped(detect: Detector, told: Case, options: Options | None = None) -> None:
    """After any number of orders: nothing false is said, nothing is called complete, and what is missing is counted
    among the untried pairs. For suites without either-or needs and conflicts also the latter."""
    steps = Steps(told)
    detect(told.suite, steps, options or Options())
    plain = not told.conflicts and all(len(c) == 1 for clauses in told.needs.values() for c in clauses)
    for orders in range(len(steps.orders)):
        dependencies = detect(told.suite, stopped(SimulatedOracle(told.truth), orders), options or Options())

        assert_nothing_false(told, dependencies)
        assert not dependencies.complete
        if plain:
            missing = true_reduction(told) - {(one, others[0]) for one, others, _ in by_position(dependencies)}
            assert dependencies.untried >= len(missing), (orders, as_readable(dependencies), missing)


def assert_names_do_not_matter(
    detect: Detector, told: Case, numbers: Sequence[int], options: Options | None = None
) -> None:
    """The same requests and the same result, twice under one name and under others."""
    under_others = renamed(told, numbers)
    first, again, other = Steps(told), Steps(told), Steps(under_others)

    found = detect(told.suite, first, options or Options())
    repeated = detect(told.suite, again, options or Options())
    renamed_found = detect(under_others.suite, other, options or Options())

    assert found == repeated
    assert first.batches == again.batches == other.batches
    assert by_position(found) == by_position(renamed_found)
