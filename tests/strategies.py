"""Suites that exist only as their truth, by hand and by Hypothesis. Every generated suite passes in reference order."""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from unknot.model.outcome import Outcome
from unknot.model.suite import Order, Suite, TestId
from unknot.oracle.budget import Budget
from unknot.oracle.simulated import HiddenConflict, HiddenTruth

Shape = Literal["chain", "fork", "join", "layered", "random"]

Clauses = Mapping[int, Sequence[Iterable[int]]]
"""For each dependent position its clauses, each as the positions any one of which is enough."""

Conflicts = Iterable[tuple[int, Iterable[int], Iterable[int]]]
"""Victim, polluters, cleaners."""

_PER_FILE = 4


def laws(examples: int = 100, *, shrink: bool = True) -> settings:
    """The same examples every time; how long one takes is never judged. A law known to be broken is not shrunk."""
    phases = [Phase.explicit, Phase.reuse, Phase.generate] + ([Phase.shrink, Phase.explain] if shrink else [])
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.large_base_example]
    return settings(
        deadline=None,
        max_examples=examples,
        derandomize=True,
        database=None,
        suppress_health_check=slow,
        phases=phases,
    )


def names(size: int) -> Order:
    return tuple(TestId(f"tests/test_{number // _PER_FILE}.py::test_{number}") for number in range(size))


@dataclass(frozen=True)
class Case:
    """A suite with its truth. The truth is written in positions, so that a failing example can be read."""

    size: int
    needs: Mapping[int, tuple[tuple[int, ...], ...]]
    conflicts: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...] = ()
    flaky: Mapping[int, float] | None = None
    failures_pollute: bool = False
    seconds: float = 0.0
    ids: Order = ()

    @cached_property
    def suite(self) -> Suite:
        return Suite(self.ids or names(self.size))

    @cached_property
    def truth(self) -> HiddenTruth:
        tests = self.suite.tests
        return HiddenTruth(
            needs={
                tests[dependent]: tuple(frozenset(tests[option] for option in clause) for clause in clauses)
                for dependent, clauses in self.needs.items()
            },
            conflicts=tuple(
                HiddenConflict(
                    tests[victim], frozenset(tests[p] for p in polluters), frozenset(tests[c] for c in cleaners)
                )
                for victim, polluters, cleaners in self.conflicts
            ),
            flaky={tests[test]: chance for test, chance in (self.flaky or {}).items()},
            seconds=dict.fromkeys(tests, self.seconds),
            failures_pollute=self.failures_pollute,
        )

    @cached_property
    def without_chance(self) -> "Case":
        return replace(self, flaky=None) if self.flaky else self

    @cached_property
    def without_conflicts(self) -> "Case":
        return replace(self, conflicts=(), flaky=None)

    @cached_property
    def _passes(self) -> dict[Order, bool]:
        return {}

    def outcomes(self, order: Order) -> list[Outcome]:
        return self.truth.outcomes(order, random.Random(0))

    def passes(self, order: Iterable[TestId]) -> bool:
        """Whether the last test of the order passes, chance aside. Remembered: laws try the same orders again and
        again."""
        key = tuple(order)
        if key not in self._passes:
            self._passes[key] = self.without_chance.outcomes(key)[-1] is Outcome.PASSED
        return self._passes[key]

    @property
    def is_green(self) -> bool:
        return set(self.without_chance.outcomes(self.suite.tests)) <= {Outcome.PASSED}


def case(
    size: int,
    needs: Clauses | None = None,
    conflicts: Conflicts = (),
    *,
    flaky: Mapping[int, float] | None = None,
    failures_pollute: bool = False,
    seconds: float = 0.0,
) -> Case:
    return Case(
        size,
        {
            dependent: tuple(tuple(sorted(clause)) for clause in clauses)
            for dependent, clauses in (needs or {}).items()
            if clauses
        },
        tuple((victim, tuple(sorted(polluters)), tuple(sorted(cleaners))) for victim, polluters, cleaners in conflicts),
        flaky,
        failures_pollute,
        seconds,
    )


def needs_of_edges(edges: Iterable[tuple[int, int]]) -> dict[int, list[list[int]]]:
    needs: dict[int, list[list[int]]] = {}
    for dependent, prerequisite in edges:
        needs.setdefault(dependent, []).append([prerequisite])
    return needs


# --- strategies


def positions_below(size: int, *, least: int = 0, most: int = 3) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, size - 1), min_size=least, max_size=min(most, size), unique=True)


@st.composite
def edge_sets(draw: st.DrawFn, most: int = 25, *, acyclic: bool = True) -> tuple[int, list[tuple[int, int]]]:
    """A size and edges from dependents to prerequisites; acyclic ones point to lower positions."""
    size = draw(st.integers(2, most))
    pairs = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(lambda pair: pair[0] != pair[1])
    drawn = draw(st.lists(pairs, max_size=3 * size, unique=True))
    if acyclic:
        drawn = sorted({(max(pair), min(pair)) for pair in drawn})
    return size, drawn


@st.composite
def hidden_graphs(draw: st.DrawFn, shape: Shape = "random", most: int = 25) -> Case:
    """Single prerequisites only."""
    if shape == "random":
        size, edges = draw(edge_sets(most))
        return case(size, needs_of_edges(edges))
    size = draw(st.integers(3, most))
    members = sorted(draw(st.lists(st.integers(0, size - 1), min_size=2, max_size=size, unique=True)))
    if shape == "chain":
        edges = [(later, earlier) for earlier, later in pairwise(members)]
    elif shape == "fork":
        edges = [(dependent, members[0]) for dependent in members[1:]]
    elif shape == "join":
        edges = [(members[-1], prerequisite) for prerequisite in members[:-1]]
    else:
        width = draw(st.integers(1, 4))
        layers = [members[start : start + width] for start in range(0, len(members), width)]
        edges = [
            (dependent, prerequisite)
            for lower, upper in pairwise(layers)
            for dependent in upper
            for prerequisite in lower
        ]
    return case(size, needs_of_edges(edges))


@st.composite
def either_or_suites(draw: st.DrawFn, most: int = 14, *, late: bool = True) -> Case:
    """Clauses of several tests; each has a member before its dependent, and with `late` perhaps some after it."""
    size = draw(st.integers(3, most))
    needs: dict[int, list[list[int]]] = {}
    dependents = draw(st.lists(st.integers(1, size - 1), min_size=1, max_size=5, unique=True))
    for dependent in sorted(dependents):
        for _ in range(draw(st.integers(1, 2))):
            clause = set(draw(positions_below(dependent, least=1)))
            if late:
                clause |= set(draw(positions_below(size, most=2))) - {dependent}
            needs.setdefault(dependent, []).append(sorted(clause))
    return case(size, needs)


@st.composite
def _conflicts(
    draw: st.DrawFn, plain: Case, victims: Sequence[int], others: Sequence[int], *, least: int, together: int
) -> Case:
    """Adds conflicts that leave the reference order green."""
    grown = plain
    for _ in range(draw(st.integers(least, 4))):
        victim = draw(st.sampled_from(victims))
        company = [other for other in others if other != victim]
        polluters = draw(st.lists(st.sampled_from(company), min_size=1, max_size=together, unique=True))
        cleaners = draw(st.lists(st.sampled_from(company), max_size=3, unique=True))
        cleaners = [cleaner for cleaner in cleaners if cleaner not in polluters]
        added = (victim, tuple(sorted(polluters)), tuple(sorted(cleaners)))
        tried = replace(grown, conflicts=(*grown.conflicts, added))
        if added not in grown.conflicts and tried.is_green:
            grown = tried
    return grown


@st.composite
def polluted_suites(draw: st.DrawFn, most: int = 12, *, together: int = 2, tidy: bool = True) -> Case:
    """Conflicts only. In a tidy suite nobody breaks a polluter or a cleaner; otherwise anybody may break anybody."""
    size = draw(st.integers(4, most))
    everyone = list(range(size))
    if not tidy:
        return draw(_conflicts(case(size), everyone, everyone, least=1, together=together))
    victims = draw(st.lists(st.sampled_from(everyone), min_size=1, max_size=size // 2 - 1, unique=True))
    others = [test for test in everyone if test not in victims]
    return draw(_conflicts(case(size), victims, others, least=1, together=together))


@st.composite
def mixed_suites(draw: st.DrawFn, most: int = 12, *, failures_pollute: bool = False) -> Case:
    """Needs, either-or and conflicts over the same tests, without any tidiness."""
    plain = draw(st.one_of(either_or_suites(most), hidden_graphs("random", most)))
    plain = replace(plain, failures_pollute=failures_pollute)
    if plain.size < 3:
        return plain
    everyone = list(range(plain.size))
    return draw(_conflicts(plain, everyone, everyone, least=0, together=2))


@st.composite
def flaky(draw: st.DrawFn, inner: st.SearchStrategy[Case]) -> Case:
    """Some tests fail for no reason, now and then."""
    plain = draw(inner)
    unstable = draw(st.lists(st.integers(0, plain.size - 1), min_size=1, max_size=3, unique=True))
    chance = st.sampled_from([0.1, 0.3, 0.5, 0.8])
    return replace(plain, flaky={test: draw(chance) for test in unstable})


def durations() -> st.SearchStrategy[float]:
    return st.sampled_from([0.0, 0.001, 0.1, 1.0])


def budgets() -> st.SearchStrategy[Budget]:
    limit = st.none() | st.integers(0, 60)
    return st.builds(Budget, orders=limit, tests=limit, seconds=st.none() | st.floats(0, 20))


# --- graphs as the papers draw them


def erdos_renyi(size: int, seed: int) -> Case:
    """Each earlier test is needed with probability ln n / n."""
    chance = random.Random(seed)
    likely = math.log(size) / size
    edges = [(later, earlier) for later in range(size) for earlier in range(later) if chance.random() < likely]
    return case(size, needs_of_edges(edges), seconds=1.0)


def barabasi_albert(size: int, seed: int, each: int = 2) -> Case:
    """Each test needs a few earlier ones, those preferred that many need already."""
    chance = random.Random(seed)
    ends: list[int] = [0]
    edges: set[tuple[int, int]] = set()
    for later in range(1, size):
        chosen = {chance.choice(ends) for _ in range(min(each, later))}
        edges |= {(later, earlier) for earlier in chosen}
        ends += [*sorted(chosen), later]
    return case(size, needs_of_edges(sorted(edges)), seconds=1.0)


def out_degree(size: int, seed: int, each: int = 3) -> Case:
    """Each test needs `each` earlier ones, any of them equally likely."""
    chance = random.Random(seed)
    edges = [(later, earlier) for later in range(size) for earlier in chance.sample(range(later), min(each, later))]
    return case(size, needs_of_edges(edges), seconds=1.0)


def hardly_any(size: int, seed: int) -> Case:
    """One dependency at most: what a good suite looks like."""
    chance = random.Random(seed)
    later = chance.randrange(1, size)
    return case(size, needs_of_edges([(later, chance.randrange(later))] if seed else []), seconds=1.0)
