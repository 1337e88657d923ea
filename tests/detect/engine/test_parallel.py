"""Searches that go on side by side."""

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws, names

from unknot.detect.engine.parallel import Search, run_searches
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Result, Run

TESTS = names(8)


class Desk:
    """Answers every request with passed, and keeps each batch."""

    def __init__(self) -> None:
        self.batches: list[list[OrderRequest]] = []

    def run_orders(self, requests: Sequence[OrderRequest]) -> Mapping[OrderRequest, Run]:
        self.batches.append(list(requests))
        passed = Result(Outcome.PASSED)
        return {request: Run(request, (passed,) * len(request.order), 0) for request in requests}


def script(*rounds: Sequence[int]) -> Search[list[list[int]]]:
    """Wants these tests alone, round by round; gives back what it was sent."""
    got: list[list[int]] = []
    for expected in rounds:
        runs = yield [OrderRequest((TESTS[number],)) for number in expected]
        got.append([TESTS.index(run.order[0]) for run in runs])
    return got


ROUNDS = st.lists(st.lists(st.integers(0, 7), max_size=3), max_size=4)


@laws()
@given(st.dictionaries(st.integers(0, 20), ROUNDS, max_size=5))
def test_every_search_gets_its_runs_in_its_own_sequence(scripts: dict[int, list[list[int]]]) -> None:
    found = run_searches({key: script(*rounds) for key, rounds in scripts.items()}, Desk().run_orders)

    assert found == scripts
    assert list(found) == list(scripts)


@laws()
@given(st.dictionaries(st.integers(0, 20), ROUNDS, max_size=5))
def test_searches_share_as_many_batches_as_the_longest_of_them_has_rounds(scripts: dict[int, list[list[int]]]) -> None:
    desk = Desk()

    run_searches({key: script(*rounds) for key, rounds in scripts.items()}, desk.run_orders)

    longest = max((sum(1 for expected in rounds if expected) for rounds in scripts.values()), default=0)
    assert len(desk.batches) == longest
    assert all(batch and len(batch) == len(set(batch)) for batch in desk.batches)


def test_an_order_that_two_searches_want_is_run_once_in_a_batch() -> None:
    desk = Desk()

    run_searches({"a": script([0, 1]), "b": script([1, 2])}, desk.run_orders)

    assert desk.batches == [[OrderRequest((TESTS[number],)) for number in (0, 1, 2)]]


def test_no_searches_run_nothing() -> None:
    desk = Desk()

    assert run_searches({}, desk.run_orders) == {}
    assert desk.batches == []
