"""Tests of which nothing, or not all, was seen: nothing can be concluded from that, so all their pairs stay."""

from collections.abc import Iterator

from unknot.model.candidates import Candidate, check_pairs
from unknot.model.suite import Suite
from unknot.model.traffic import Traffic


def unseen_pairs(traffic: Traffic, suite: Suite) -> Iterator[Candidate]:
    """Each such test with every earlier and every later one."""
    seen = frozenset(traffic.tests) - frozenset(traffic.unseen)
    unseen = [position for position, test in enumerate(suite.tests) if test not in seen]
    check_pairs(len(unseen) * len(suite))
    hidden = frozenset(unseen)
    for position in unseen:
        for earlier in range(position):
            yield Candidate(position, earlier, gaps=(_gap(suite, position),))
        for later in range(position + 1, len(suite)):
            if later not in hidden:
                yield Candidate(later, position, gaps=(_gap(suite, position),))


def _gap(suite: Suite, position: int) -> str:
    return f"not all of what {suite.tests[position]} does was seen"


def unseen_notes(traffic: Traffic, suite: Suite) -> list[str]:
    known = frozenset(traffic.tests)
    missing = [test for test in suite.tests if test not in known and test not in traffic.unseen]
    if not missing:
        return []
    were = "1 test was" if len(missing) == 1 else f"{len(missing)} tests were"
    return [f"{were} not there when the traffic was recorded, among them {missing[0]}: all pairs with them stay"]
