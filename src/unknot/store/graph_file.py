"""A suite to simulate or to plan for, from a file: a dependency graph, or a lock file."""

import random
from dataclasses import dataclass, replace
from pathlib import Path

from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.sanitise import shown
from unknot.model.suite import Order, Reference, Suite, TestId
from unknot.oracle.simulated import HiddenConflict, HiddenTruth
from unknot.store.durations import with_assumed_durations
from unknot.store.given_file import ORDERED, check_size, read_given
from unknot.store.lock_reader import from_json
from unknot.store.typed_json import Fault, at, expected

_USUAL_SECONDS = 1.0
_UNPROVEN = Proof((), ())
"""A graph claims dependencies without proofs."""

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
class _Document:
    """The file of a graph. Each of `dependencies` is a pair of positions in `order`, dependent and prerequisite."""

    order: Order
    dependencies: tuple[tuple[int, ...], ...]
    seconds: tuple[float, ...] | None = None


def read_hidden_suite(path: Path) -> HiddenSuite:
    """A suite in which exactly the content of the file is to be found. Raises as `read_dependencies` does."""
    return hidden_suite(read_dependencies(path))


def read_dependencies(path: Path) -> Dependencies:
    """The dependencies to plan by: those of a lock file as they are; those of a graph as if found by a finished
    detection in which every test passed. Raises StorageError if the file cannot be read, UsageError if it holds
    something else, and NoTestsError if it holds no tests; each names the file and the place in it."""
    return read_given(path, _HINT, _dependencies)


def _dependencies(root: object) -> Dependencies:
    if not isinstance(root, dict):
        raise expected("an object", root)
    if "order" in root:
        return _graph(root)
    if "format" in root and "suite" in root:
        dependencies = with_assumed_durations(from_json(root))
        check_size(len(dependencies.suite))
        return dependencies
    raise Fault('neither a graph (no "order") nor a lock file (no "format" and "suite")')


def _graph(root: object) -> Dependencies:
    """Every prerequisite stands before its dependents, so there are no cycles."""
    document = ORDERED.read(_Document, root)
    suite = Suite(document.order)
    needs: dict[Need, int] = {}
    for number, ends in enumerate(document.dependencies):
        with at(f".dependencies[{number}]"):
            dependent, prerequisite = _edge(ends, suite)
        needs[Need(suite.tests[dependent], (suite.tests[prerequisite],), _UNPROVEN)] = dependent
    seconds = (_USUAL_SECONDS,) * len(suite) if document.seconds is None else document.seconds
    if len(seconds) != len(suite):
        raise Fault(f"must have one number for each of the {len(suite)} tests, has {len(seconds)}", ".seconds")
    return Dependencies(
        suite=suite,
        outcomes=dict.fromkeys(suite.tests, Outcome.PASSED),
        seconds=dict(zip(suite.tests, seconds, strict=True)),
        needs=tuple(sorted(needs, key=needs.__getitem__)),
    )


def _edge(ends: tuple[int, ...], suite: Suite) -> tuple[int, int]:
    if len(ends) != 2:
        raise Fault(f"must be a pair [dependent, prerequisite], has {len(ends)} members")
    for place, end in enumerate(ends):
        if end >= len(suite):
            raise Fault(f"there is no test {end}: `order` has {len(suite)}, counted from 0", f"[{place}]")
    dependent, prerequisite = ends
    if dependent == prerequisite:
        raise Fault(f"{shown(suite.tests[dependent])} cannot need itself")
    if dependent < prerequisite:
        needing, needed = shown(suite.tests[dependent]), shown(suite.tests[prerequisite])
        raise Fault(f"{needing} needs {needed}, which stands after it in `order`; a prerequisite stands before")
    return dependent, prerequisite


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
