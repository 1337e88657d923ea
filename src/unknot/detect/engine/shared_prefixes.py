"""Long orders that begin alike, so that a runner that can branch runs what they share once.

To show that a test needs one of a few, or that no further test breaks it, it is run after nearly all others. Each such
order leaves other tests out. Here the tests in question are divided in two, each half in two again and so on. The
orders of a part begin with all tests that none of them leaves out, so that halves of it differ only in what follows.
"""

from collections.abc import Mapping, Sequence

from unknot.detect.engine.findings import Findings
from unknot.model.bits import positions

Levels = bytes
"""For each test, when it comes in an order: those of a lower level first."""


def shared_prefixes(findings: Findings, apart: Mapping[int, int], size: int) -> dict[int, Levels]:
    """For each test the levels of all tests in its orders. `apart` says by test, as bitsets, which tests its orders
    leave out in turn.

    Guarantee: no test comes before one that it needs, if those of one level keep the sequence that they have. Cost: for
    m tests whose orders leave out k tests in all, size + k log2 m tests are run for one order of each; to find them,
    the size for each part.
    """
    if not apart:
        return {}
    dependents = _dependents(findings, size)
    kept_out = {test: _with_dependents(gone | 1 << test, dependents) for test, gone in apart.items()}
    # Tests that leave out the same ones stay together for long.
    ranked = sorted(apart, key=lambda test: (next(positions(apart[test]), test), test))
    found: dict[int, Levels] = {}
    _divide(ranked, kept_out, bytearray(size), (1 << size) - 1, found)
    return found


def _divide(
    tests: Sequence[int], kept_out: Mapping[int, int], levels: bytearray, left: int, found: dict[int, Levels]
) -> None:
    """`left` are the tests that no larger part begins with."""
    out = 0
    for test in tests:
        out |= kept_out[test]
    for other in positions(left & out):
        levels[other] += 1
    if len(tests) == 1:
        found[tests[0]] = bytes(levels)
        return
    middle = len(tests) // 2
    for part in (tests[:middle], tests[middle:]):
        _divide(part, kept_out, levels.copy(), left & out, found)


def _with_dependents(tests: int, dependents: Sequence[int]) -> int:
    found = tests
    for test in positions(tests):
        found |= dependents[test]
    return found


def _dependents(findings: Findings, size: int) -> list[int]:
    """For each test, as a bitset, the tests that have it in their closure."""
    found = [0] * size
    for test in findings.clauses:
        for member in findings.closure(test)[:-1]:
            found[member] |= 1 << test
    return found
