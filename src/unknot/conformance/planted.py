"""Planted suites: what each test does, out of a closed set of steps, and the expected outcomes of every order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from unknot.model.outcome import Outcome


class Does(StrEnum):
    """The steps of planted tests. A runner's author writes a small piece of code for each."""

    SETS = "sets"
    """Adds the key to the state that tests share."""
    CLEARS = "clears"
    """Removes the key from it, if it is there."""
    NEEDS = "needs"
    """Fails unless the key is there."""
    BREAKS_IF = "breaks-if"
    """Fails if the key is there."""
    FAILS = "fails"
    SKIPS = "skips"
    CRASHES = "crashes"
    """The process that runs the test dies at once, for example by a signal to itself."""
    HANGS = "hangs"
    """Does not return within an hour."""
    SLEEPS = "sleeps"
    """For `seconds`."""
    PRINTS = "prints"
    """`count` lines of 80 characters on standard output."""
    LEAVES = "leaves"
    """Starts a process that runs for an hour after the test has ended, and does not wait for it."""


@dataclass(frozen=True)
class Step:
    """`key` is a lower-case word: it can be the name of a file, a variable, a row."""

    does: Does
    key: str = ""
    seconds: float = 0.0
    count: int = 0


@dataclass(frozen=True)
class PlantedTest:
    """A test with steps, run one after another; the first that fails, skips, crashes or hangs ends it. Without steps it
    passes."""

    name: str
    steps: tuple[Step, ...] = ()

    def keys(self, does: Does) -> list[str]:
        return [step.key for step in self.steps if step.does is does]


@dataclass(frozen=True)
class PlantedGraph:
    """`needs` are dependents with their alternatives; `conflicts` are victims with a polluter and all cleaners."""

    needs: frozenset[tuple[str, frozenset[str]]]
    conflicts: frozenset[tuple[str, str, frozenset[str]]]


@dataclass(frozen=True)
class PlantedSuite:
    """Tests in reference order. `workers` is the number of parallel workers, `timeout` the seconds allowed per test."""

    tests: tuple[PlantedTest, ...]
    workers: int = 1
    timeout: float = 60.0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(test.name for test in self.tests)

    @cached_property
    def _by_name(self) -> Mapping[str, PlantedTest]:
        return {test.name: test for test in self.tests}

    def truth(self, order: tuple[str, ...]) -> tuple[Outcome, ...]:
        """The expected outcome of each test in this order, given by names, from a clean state."""
        return tuple(self._outcomes(order))

    def _outcomes(self, order: tuple[str, ...]) -> Iterator[Outcome]:
        state: set[str] = set()
        has_broken_off = False
        for name in order:
            outcome = Outcome.NOT_RUN if has_broken_off else _outcome(self._by_name[name], state)
            has_broken_off |= not outcome.is_verdict
            yield outcome

    def graph(self) -> PlantedGraph:
        """The planted needs and conflicts. Assumes that no needed key is ever cleared, that no key that breaks a test
        is needed, and that every test does all its steps in reference order."""
        setters = self._with(Does.SETS)
        cleaners = self._with(Does.CLEARS)
        needs = {
            (test.name, frozenset(setters[key]) - {test.name}) for test in self.tests for key in test.keys(Does.NEEDS)
        }
        conflicts = {
            (test.name, polluter, frozenset(cleaners.get(key, ())))
            for test in self.tests
            for key in test.keys(Does.BREAKS_IF)
            for polluter in setters[key]
        }
        return PlantedGraph(frozenset(needs), frozenset(conflicts))

    def _with(self, does: Does) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for test in self.tests:
            for key in test.keys(does):
                found.setdefault(key, []).append(test.name)
        return found


def _outcome(test: PlantedTest, state: set[str]) -> Outcome:
    """The outcome of the test in this state, which it changes."""
    for step in test.steps:
        match step.does:
            case Does.SETS:
                state.add(step.key)
            case Does.CLEARS:
                state.discard(step.key)
            case Does.NEEDS if step.key not in state:
                return Outcome.FAILED
            case Does.BREAKS_IF if step.key in state:
                return Outcome.FAILED
            case Does.FAILS:
                return Outcome.FAILED
            case Does.SKIPS:
                return Outcome.SKIPPED
            case Does.CRASHES:
                return Outcome.CRASHED
            case Does.HANGS:
                return Outcome.TIMED_OUT
            case _:
                pass
    return Outcome.PASSED
