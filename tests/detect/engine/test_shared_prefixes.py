"""Long orders that begin alike."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.detect.engine.findings import Clause, Findings
from unknot.detect.engine.shared_prefixes import shared_prefixes
from unknot.model.bits import bits, positions
from unknot.model.outcome import Outcome

SIZE = 24


@st.composite
def needs(draw: st.DrawFn) -> dict[int, int]:
    """For some tests an earlier one that it needs."""
    dependents = draw(st.sets(st.integers(1, SIZE - 1), max_size=10))
    return {test: draw(st.integers(0, test - 1)) for test in sorted(dependents)}


def findings_of(needed: dict[int, int]) -> Findings:
    findings = Findings([Outcome.PASSED] * SIZE)
    for test, setter in needed.items():
        findings.learn(test, (Clause((setter,)),))
    return findings


@laws(100)
@given(needed=needs(), apart=st.dictionaries(st.integers(0, SIZE - 1), st.integers(0, (1 << SIZE) - 1), max_size=8))
def test_no_test_comes_before_what_it_needs(needed: dict[int, int], apart: dict[int, int]) -> None:
    for levels in shared_prefixes(findings_of(needed), apart, SIZE).values():
        order = sorted(range(SIZE), key=levels.__getitem__)
        assert all(order.index(setter) < order.index(test) for test, setter in needed.items())


@laws(100)
@given(needed=needs(), apart=st.dictionaries(st.integers(0, SIZE - 1), st.integers(0, (1 << SIZE) - 1), max_size=8))
def test_what_an_order_may_leave_out_comes_after_all_that_it_may_not(
    needed: dict[int, int], apart: dict[int, int]
) -> None:
    for test, levels in shared_prefixes(findings_of(needed), apart, SIZE).items():
        last = max(levels)
        out = {other for other in range(SIZE) if levels[other] == last}
        assert {test, *positions(apart[test])} <= out


def test_orders_that_each_leave_out_another_test_share_most_of_what_they_run() -> None:
    """16 orders of 48 tests: without sharing 752 tests, with one common beginning 32 + 16 * 15."""
    size = 48
    apart = {test: bits([test - 32]) for test in range(32, size)}
    levels = shared_prefixes(Findings([Outcome.PASSED] * size), apart, size)
    tree: set[tuple[int, ...]] = set()
    for test, level in levels.items():
        others = [other for other in range(32) if not apart[test] >> other & 1]
        order = (*sorted(others, key=level.__getitem__), test)
        tree.update(order[:end] for end in range(1, len(order) + 1))
    assert len(tree) <= 16 + 16 * 4 + 16
