"""Suites whose truth is known: what each test does, out of a closed set, and what every order must answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from unknot.model.outcome import Outcome


class Does(StrEnum):
    """All that a planted test can do. A runner's author writes one small piece of code for each."""

    SETS = "sets"
    """Puts the key into the state that tests share."""
    CLEARS = "clears"
    """Takes the key out of it; nothing happens if it is not there."""
    NEEDS = "needs"
    """Fails unless the key is there."""
    BREAKS_IF = "breaks-if"
    """Fails if the key is there."""
    FAILS = "fails"
    SKIPS = "skips"
    CRASHES = "crashes"
    """The process that runs the test dies at once, for example by a signal to itself."""
    HANGS = "hangs"
    """Does not come back within an hour."""
    SLEEPS = "sleeps"
    """For `seconds`."""
    PRINTS = "prints"
    """`count` lines of 80 characters on standard output."""
    LEAVES = "leaves"
    """Starts a process that goes on for an hour after the test has ended, and does not wait for it."""


@dataclass(frozen=True)
class Step:
    """`key` is a lower-case word: it can be the name of a file, a variable, a row."""

    does: Does
    key: str = ""
    seconds: float = 0.0
    count: int = 0


@dataclass(frozen=True)
class PlantedTest:
    """Its steps, one after another; the first that fails, skips or breaks off ends it. Without steps it passes."""

    name: str
    steps: tuple[Step, ...] = ()

    def keys(self, does: Does) -> list[str]:
        return [step.key for step in self.steps if step.does is does]


@dataclass(frozen=True)
class PlantedGraph:
    """`needs` are a dependent and those of which it needs one; `conflicts` a victim, a polluter and all cleaners."""

    needs: frozenset[tuple[str, frozenset[str]]]
    conflicts: frozenset[tuple[str, str, frozenset[str]]]


@dataclass(frozen=True)
class PlantedSuite:
    """Tests in reference order. `workers` is how many orders the runner is to run at the same time, `timeout` how many
    seconds it gives a test."""

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
        """What each test of this order, given by names, must do when it is run from a clean state."""
        return tuple(self._outcomes(order))

    def _outcomes(self, order: tuple[str, ...]) -> Iterator[Outcome]:
        state: set[str] = set()
        has_broken_off = False
        for name in order:
            outcome = Outcome.NOT_RUN if has_broken_off else _outcome(self._by_name[name], state)
            has_broken_off |= not outcome.is_verdict
            yield outcome

    def graph(self) -> PlantedGraph:
        """Who needs and who breaks whom. Assumes that no key that somebody needs is ever cleared, that no key that
        breaks somebody is needed, and that every test does all its steps in reference order."""
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
    """What the test does in this state, which it changes."""
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
