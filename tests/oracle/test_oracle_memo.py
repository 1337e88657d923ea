"""No order is run twice."""

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st
from strategies import case, laws, names

from unknot.model.run import OrderRequest, Run
from unknot.oracle.memo import MemoOracle, MemoryStore
from unknot.oracle.protocol import Price
from unknot.oracle.simulated import SimulatedOracle

A, B, C = names(3)
CASE = case(3, {2: [[0]]})


class Asked:
    """Writes down what reaches it."""

    def __init__(self) -> None:
        self._inner = SimulatedOracle(CASE.truth, clean_state=2.0, workers=3)
        self.requests: list[OrderRequest] = []

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        for request, run in zip(requests, self._inner.run_orders(requests), strict=True):
            self.requests.append(request)
            yield run


ORDERS = st.permutations([A, B, C]).flatmap(lambda order: st.integers(1, 3).map(lambda size: tuple(order[:size])))
QUESTIONS = st.builds(OrderRequest, ORDERS, st.integers(0, 2))


@laws()
@given(st.lists(st.lists(QUESTIONS, max_size=6, unique=True), max_size=6))
def test_no_order_is_run_twice_and_every_request_is_answered(batches: list[list[OrderRequest]]) -> None:
    inner = Asked()
    memo = MemoOracle(inner, MemoryStore())

    for batch in batches:
        assert {run.request for run in memo.run_orders(batch)} == set(batch)

    assert len(inner.requests) == len(set(inner.requests))


@laws()
@given(st.lists(QUESTIONS, max_size=6, unique=True))
def test_a_memo_says_what_the_inner_oracle_would(batch: list[OrderRequest]) -> None:
    memo = MemoOracle(Asked(), MemoryStore())
    list(memo.run_orders(batch[:3]))

    answers = {run.request: run.results for run in memo.run_orders(batch)}

    assert answers == {run.request: run.results for run in Asked().run_orders(batch)}


def test_a_recalled_run_costs_nothing() -> None:
    memo = MemoOracle(Asked(), MemoryStore())

    (first,) = memo.run_orders([OrderRequest((A, B))])
    (second,) = memo.run_orders([OrderRequest((A, B))])

    assert (first.executed, second.executed) == (2, 0)
    assert first.seconds > 0
    assert second.seconds == 0


def test_a_repetition_is_not_answered_by_the_first_attempt() -> None:
    inner = Asked()
    memo = MemoOracle(inner, MemoryStore())

    for attempt in (0, 1, 0, 1, 2):
        list(memo.run_orders([OrderRequest((A,), attempt)]))

    assert [request.attempt for request in inner.requests] == [0, 1, 2]


def test_an_answer_is_recorded_before_it_is_handed_on() -> None:
    store = MemoryStore()

    next(MemoOracle(Asked(), store).run_orders([OrderRequest((A,)), OrderRequest((B,))]))

    assert store.recall(OrderRequest((A,))) is not None
    assert store.recall(OrderRequest((B,))) is None


def test_two_memos_over_one_store_share_their_answers() -> None:
    store, inner = MemoryStore(), Asked()

    list(MemoOracle(inner, store).run_orders([OrderRequest((A, C))]))
    list(MemoOracle(inner, store).run_orders([OrderRequest((A, C)), OrderRequest((C,))]))

    assert inner.requests == [OrderRequest((A, C)), OrderRequest((C,))]


def test_nothing_is_run_when_everything_is_known() -> None:
    inner = Asked()
    memo = MemoOracle(inner, MemoryStore())

    assert list(memo.run_orders([])) == []
    assert inner.requests == []


def test_the_price_is_the_inner_oracles() -> None:
    assert MemoOracle(Asked(), MemoryStore()).price == Price(2.0, workers=3)
