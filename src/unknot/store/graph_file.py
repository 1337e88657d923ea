"""A suite to simulate or to plan for, from a file: a dependency graph, or a lock file."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.errors import NoTestsError
from unknot.model.outcome import Outcome
from unknot.model.sanitise import shown
from unknot.model.suite import Reference, Suite, TestId
from unknot.oracle.simulated import HiddenConflict, HiddenTruth
from unknot.store.cursor import Cursor
from unknot.store.durations import with_assumed_durations
from unknot.store.given_file import check_size, ordered_suite, read_given
from unknot.store.lock_reader import from_json

_USUAL_SECONDS = 1.0
_UNPROVEN = Proof((), ())
"""A graph says what needs what, and shows nothing."""

_HINT = (
    'a graph is {"order": [names], "dependencies": [[a, b], …]}: order[a] needs order[b], b < a; '
    'optional "seconds": [one for each test]. A lock file that unknot detect has written will do as well'
)


@dataclass(frozen=True)
class HiddenSuite:
    """A suite that exists only as its truth, what it does in its own order, and what of the file was left aside."""

    suite: Suite
    truth: HiddenTruth
    reference: Reference
    notes: tuple[str, ...] = ()

    @property
    def needs(self) -> int:
        return sum(bool(clause) for clauses in self.truth.needs.values() for clause in clauses)


@dataclass(frozen=True)
class _Graph:
    """What the file of a graph says. Every prerequisite stands before its dependents, so there are no cycles."""

    suite: Suite
    needs: Mapping[TestId, tuple[TestId, ...]]
    seconds: Mapping[TestId, float]


_Found = TypeVar("_Found", HiddenSuite, Dependencies)


def read_hidden_suite(path: Path) -> HiddenSuite:
    """Raises StorageError if the file cannot be read, UsageError if it holds something else, and NoTestsError if it
    holds no tests; each names the file and the place in it."""
    return _read(path, _hidden, hidden_suite)


def read_dependencies(path: Path) -> Dependencies:
    """The dependencies to plan by: those of a lock file as they are; those of a graph as if found by a finished
    detection in which every test passed. Raises as `read_hidden_suite` does."""
    return _read(path, _dependencies, lambda dependencies: dependencies)


def _read(path: Path, of_graph: Callable[[_Graph], _Found], of_lock: Callable[[Dependencies], _Found]) -> _Found:
    found = read_given(path, _HINT, lambda root: _told_apart(root, of_graph, of_lock))
    if not found.suite.tests:
        raise NoTestsError(f"{shown(str(path))}: there are no tests in it", hint=_HINT, slug="no-tests")
    return found


def _told_apart(
    root: Cursor, of_graph: Callable[[_Graph], _Found], of_lock: Callable[[Dependencies], _Found]
) -> _Found:
    document = root.object()
    if "order" in document:
        return of_graph(_graph(root))
    if "format" in document and "suite" in document:
        dependencies = with_assumed_durations(from_json(document))
        check_size(len(dependencies.suite))
        return of_lock(dependencies)
    raise root.fault('neither a graph (no "order") nor a lock file (no "format" and "suite")')


def _graph(root: Cursor) -> _Graph:
    suite = ordered_suite(root)
    needs: dict[TestId, dict[TestId, None]] = {}
    for item in root.member("dependencies").items():
        dependent, prerequisite = _edge(item, suite)
        needs.setdefault(dependent, {})[prerequisite] = None
    return _Graph(suite, {test: tuple(others) for test, others in needs.items()}, _seconds(root, suite))


def _hidden(graph: _Graph) -> HiddenSuite:
    truth = HiddenTruth(
        needs={test: tuple(frozenset({other}) for other in others) for test, others in graph.needs.items()},
        seconds=graph.seconds,
    )
    return HiddenSuite(graph.suite, truth, _reference(graph.suite, truth))


def _dependencies(graph: _Graph) -> Dependencies:
    return Dependencies(
        suite=graph.suite,
        outcomes=dict.fromkeys(graph.suite.tests, Outcome.PASSED),
        seconds=graph.seconds,
        needs=tuple(
            Need(test, (other,), _UNPROVEN)
            for test in graph.suite.tests
            if test in graph.needs
            for other in graph.needs[test]
        ),
    )


def _edge(item: Cursor, suite: Suite) -> tuple[TestId, TestId]:
    ends = list(item.items())
    if len(ends) != 2:
        raise item.fault(f"must be a pair [dependent, prerequisite], has {len(ends)} members")
    for end in ends:
        if end.count() >= len(suite):
            raise end.fault(f"there is no test {end.count()}: `order` has {len(suite)}, counted from 0")
    dependent, prerequisite = (end.count() for end in ends)
    if dependent == prerequisite:
        raise item.fault(f"{shown(suite.tests[dependent])} cannot need itself")
    if dependent < prerequisite:
        needing, needed = shown(suite.tests[dependent]), shown(suite.tests[prerequisite])
        raise item.fault(f"{needing} needs {needed}, which stands after it in `order`; a prerequisite stands before")
    return suite.tests[dependent], suite.tests[prerequisite]


def _seconds(root: Cursor, suite: Suite) -> Mapping[TestId, float]:
    if "seconds" not in root.object():
        return dict.fromkeys(suite.tests, _USUAL_SECONDS)
    given = root.member("seconds")
    found = [item.seconds() for item in given.items()]
    if len(found) != len(suite):
        raise given.fault(f"must have one number for each of the {len(suite)} tests, has {len(found)}")
    return dict(zip(suite.tests, found, strict=True))


def hidden_suite(dependencies: Dependencies) -> HiddenSuite:
    """A suite in which exactly this was to be found; notes say what of it is taken as otherwise."""
    notes = []
    if dependencies.flaky:
        notes.append(f"flaky tests are taken as stable: {', '.join(map(shown, dependencies.flaky))}")
    if not dependencies.complete:
        notes.append("the lock file is of an unfinished detection: what it does not know is taken as independent")
    truth = HiddenTruth(
        needs={
            test: tuple(frozenset(need.any_of) for need in needs)
            for test, needs in sorted(dependencies.needs_of.items())
        },
        conflicts=tuple(
            HiddenConflict(known.victim, frozenset(known.polluters), frozenset(known.cleaners))
            for known in dependencies.conflicts
        ),
        seconds=dependencies.seconds,
    )
    outcomes = _reference(dependencies.suite, truth).outcomes
    # A test that fails in the suite's order, and not because of another test, always fails: no clause is ever met.
    hopeless = {test: (frozenset[TestId](),) for test in dependencies.failing if not outcomes[test].is_bad}
    truth = replace(truth, needs={**truth.needs, **hopeless})
    return HiddenSuite(dependencies.suite, truth, _reference(dependencies.suite, truth), tuple(notes))


def _reference(suite: Suite, truth: HiddenTruth) -> Reference:
    outcomes = truth.outcomes(suite.tests, random.Random(0))
    return Reference(dict(zip(suite.tests, outcomes, strict=True)), truth.seconds)
