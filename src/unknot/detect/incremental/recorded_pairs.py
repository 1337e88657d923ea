"""Which tests to run directly after each other because a recording shows that they share state.

In an order of the whole suite a third test may stand between a polluter and its victim and hide it. Where the suite was
recorded while it was searched, such pairs are known, and an order of two tests leaves no room for a third.
"""

from collections.abc import Collection, Iterator

from unknot.detect.engine.session import SearchSession
from unknot.model.bits import positions

Pair = tuple[int, int]
"""The test that runs first, and the one directly after it."""

_MOST = 8
"""So many pairs of each new test, each way round: one that uses a cache shares it with most of the suite."""


def recorded_pairs(session: SearchSession, new_tests: Collection[int], *, thorough: bool) -> list[Pair]:
    """Pairs with a new test in which the second reads what the first writes, that were never seen to do well side by
    side: for each new test the readers, and the writers, of what the fewest tests write; all of them if `thorough`.

    Cost: linear in the pairs of new tests with others.
    """
    chosen: dict[Pair, None] = {}
    for test in sorted(new_tests):
        for pairs in (_with_readers(session, test), _with_writers(session, test)):
            ranked = sorted(pairs, key=lambda pair: (_writers(session, pair[1]).bit_count(), pair))
            chosen.update(dict.fromkeys(ranked if thorough else ranked[:_MOST]))
    return list(chosen)


def _writers(session: SearchSession, reader: int) -> int:
    return session.flows.may_be_broken_by[reader]


def _with_readers(session: SearchSession, writer: int) -> Iterator[Pair]:
    for reader in range(len(session.suite)):
        if _writers(session, reader) >> writer & 1 and session.never_directly_after(reader) >> writer & 1:
            yield writer, reader


def _with_writers(session: SearchSession, reader: int) -> Iterator[Pair]:
    for writer in positions(_writers(session, reader) & session.never_directly_after(reader)):
        yield writer, reader
