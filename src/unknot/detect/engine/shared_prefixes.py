"""Long orders that begin alike, so that a runner that can branch runs what they share once.

To show that a test needs one of a few, or that no further test breaks it, it is run after nearly all others. Each such
order leaves other tests out. Here the tests in question are divided into groups; the orders of a group begin with all
tests that none of them leaves out, and differ only in what follows.
"""

from collections.abc import Mapping, Sequence

from unknot.detect.engine.findings import Findings
from unknot.model.bits import bits, positions

_MAX_GROUPS = 12


def shared_prefixes(findings: Findings, apart: Mapping[int, int], size: int) -> dict[int, int]:
    """For each test, as a bitset, the tests that come first in its orders. `apart` says by test, as bitsets, which
    tests its orders leave out in turn.

    Chooses the number of groups for which the fewest tests are run: k groups cost k prefixes, and every test runs after
    what its group keeps out of the prefix. Cost: the number of tests times that of all tests, for each number of
    groups.
    """
    tests = sorted(apart)
    if not tests:
        return {}
    dependents = _dependents(findings, size)
    best: list[tuple[Sequence[int], int]] = []
    least = None
    for count in range(1, min(_MAX_GROUPS, len(tests)) + 1):
        groups = [tests[len(tests) * place // count : len(tests) * (place + 1) // count] for place in range(count)]
        kept_out = [_kept_out(group, apart, dependents) for group in groups]
        runs = sum(size + len(group) * out.bit_count() for group, out in zip(groups, kept_out, strict=True))
        if least is None or runs < least:
            least, best = runs, list(zip(groups, kept_out, strict=True))
    everything = (1 << size) - 1
    return {test: everything & ~out for group, out in best for test in group}


def _kept_out(group: Sequence[int], apart: Mapping[int, int], dependents: Sequence[int]) -> int:
    """What the group's orders leave out in turn, and all tests that run after such a test."""
    own = bits(group)
    for test in group:
        own |= apart[test]
    found = own
    for test in positions(own):
        found |= dependents[test]
    return found


def _dependents(findings: Findings, size: int) -> list[int]:
    """For each test, as a bitset, the tests that have it in their closure."""
    found = [0] * size
    for test in findings.clauses:
        for member in findings.closure(test)[:-1]:
            found[member] |= 1 << test
    return found
