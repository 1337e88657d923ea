"""Recordings of simulated suites: right ones, and ones that are wrong in every way."""

import random
from collections.abc import Callable, Mapping

from strategies import Case

from unknot.hints.recording import RecordedFlows
from unknot.model.bits import bits

Make = Callable[[Case, random.Random], RecordedFlows]


def right(told: Case, _: random.Random) -> RecordedFlows:
    """Each test found the work of the last one before it that serves, clause by clause; alternatives, polluters and
    cleaners write what it reads."""
    needed, broken, written = ([0] * told.size for _ in range(3))
    for test, clauses in told.needs.items():
        for clause in clauses:
            needed[test] |= bits(max(earlier, default=0) for earlier in [[o for o in clause if o < test]] if earlier)
            broken[test] |= bits(clause)
    for victim, polluters, cleaners in told.conflicts:
        broken[victim] |= bits(polluters)
        written[victim] |= bits(cleaners)
    both = (one | other for one, other in zip(written, broken, strict=True))
    return RecordedFlows(tuple(needed), tuple(broken), tuple(both))


def with_half_of_it_missing(told: Case, chance: random.Random) -> RecordedFlows:
    whole = right(told, chance)

    def half(rows: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(row & chance.getrandbits(told.size) for row in rows)

    return RecordedFlows(half(whole.may_need), half(whole.may_be_broken_by), half(whole.written_by))


def with_ten_false_for_each_true(told: Case, chance: random.Random) -> RecordedFlows:
    whole = right(told, chance)
    size = told.size
    expected = 10 * max(1, sum(row.bit_count() for row in whole.written_by))
    written = list(whole.written_by)
    for _ in range(min(expected, size * size)):
        reader, writer = chance.randrange(size), chance.randrange(size)
        if reader != writer:
            written[reader] |= 1 << writer
    found = tuple(row & ((1 << test) - 1) for test, row in enumerate(written))
    return RecordedFlows(found, tuple(written), tuple(written))


def garbage(told: Case, chance: random.Random) -> RecordedFlows:
    """Nothing that is true but by accident, and needs that point forward too."""

    def rows() -> tuple[int, ...]:
        return tuple(chance.getrandbits(told.size) & ~(1 << test) for test in range(told.size))

    return RecordedFlows(rows(), rows(), rows())


RECORDINGS: Mapping[str, Make] = {
    "right": right,
    "half missing": with_half_of_it_missing,
    "ten times too many": with_ten_false_for_each_true,
    "garbage": garbage,
}
