"""The state of a search: what is wanted of every test, and what was found so far. Valid whenever one stops."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unknot.model.outcome import Outcome


@dataclass(frozen=True)
class Clause:
    """Any one of these positions must have run; rising."""

    any_of: tuple[int, ...]
    complete: bool = True


@dataclass
class Pollution:
    """`victim` is broken by all of `polluters`; `sequence` is an order, without the victim, that shows it."""

    victim: int
    polluters: tuple[int, ...]
    sequence: tuple[int, ...]
    cleaners: tuple[int, ...] = ()
    complete: bool = True


@dataclass
class Findings:
    """`wanted[i]` is the outcome that counts as "as expected" for test i: its reference outcome, except for a test
    that fails in the reference order and passes alone: that one is a victim, and passing is what is wanted."""

    wanted: list[Outcome]
    clauses: dict[int, tuple[Clause, ...]] = field(default_factory=dict)
    pollutions: list[Pollution] = field(default_factory=list)
    flaky: set[int] = field(default_factory=set)
    unresolved: set[int] = field(default_factory=set)

    def closure(self, test: int) -> tuple[int, ...]:
        """The test with all it needs, the test last, the rest in reference order. An unresolved test is thought to
        need every earlier one."""
        chosen: set[int] = set()
        waiting = {test}
        while waiting:
            current = max(waiting)
            waiting.remove(current)
            chosen.add(current)
            if current in self.unresolved:
                waiting.update(position for position in range(current) if position not in chosen)
                continue
            for clause in self.clauses.get(current, ()):
                if not any(option in chosen or option in waiting for option in clause.any_of):
                    waiting.add(clause.any_of[0])
        chosen.discard(test)
        return (*sorted(chosen), test)

    def closed(self, group: Iterable[int]) -> list[int]:
        """The group with everything it needs, in reference order."""
        members: set[int] = set()
        for test in group:
            if test not in members:
                members.update(self.closure(test))
        return sorted(members)

    def rests_on(self, test: int, others: Iterable[int]) -> bool:
        """Whether the test cannot run without one of these."""
        return not set(others).isdisjoint(self.closure(test)[:-1])

    def explains(self, victim: int, before: Sequence[int]) -> bool:
        """Whether a known pollution breaks the victim after this sequence."""
        place = {test: number for number, test in enumerate(before)}
        for known in self.pollutions:
            if known.victim != victim or not all(polluter in place for polluter in known.polluters):
                continue
            last = max(place[polluter] for polluter in known.polluters)
            if not any(place.get(cleaner, -1) > last for cleaner in known.cleaners):
                return True
        return False

    def has_needs(self, test: int, worked: set[int]) -> bool:
        return all(any(option in worked for option in clause.any_of) for clause in self.clauses.get(test, ()))
