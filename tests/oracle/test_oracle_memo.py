"""Never ask twice what was answered before."""

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st
from strategies import case, laws, names

from unknot.model.run import Question, Run
from unknot.oracle.memo import MemoOracle, MemoryStore
from unknot.oracle.protocol import Price
from unknot.oracle.simulated import SimulatedOracle

A, B, C = names(3)
CASE = case(3, {2: [[0]]})


class Asked:
    """Writes down what reaches it."""

    def __init__(self) -> None:
        self._inner = SimulatedOracle(CASE.truth, clean_state=2.0, workers=3)
        self.questions: list[Question] = []

    @property
    def price(self) -> Price:
        return self._inner.price

    def ask(self, questions: Sequence[Question]) -> Iterator[Run]:
        for question, run in zip(questions, self._inner.ask(questions), strict=True):
            self.questions.append(question)
            yield run


ORDERS = st.permutations([A, B, C]).flatmap(lambda order: st.integers(1, 3).map(lambda size: tuple(order[:size])))
QUESTIONS = st.builds(Question, ORDERS, st.integers(0, 2))


@laws()
@given(st.lists(st.lists(QUESTIONS, max_size=6, unique=True), max_size=6))
def test_no_question_is_asked_twice_and_every_one_is_answered(batches: list[list[Question]]) -> None:
    inner = Asked()
    memo = MemoOracle(inner, MemoryStore())

    for batch in batches:
        assert {run.question for run in memo.ask(batch)} == set(batch)

    assert len(inner.questions) == len(set(inner.questions))


@laws()
@given(st.lists(QUESTIONS, max_size=6, unique=True))
def test_a_memo_says_what_the_inner_oracle_would(batch: list[Question]) -> None:
    memo = MemoOracle(Asked(), MemoryStore())
    list(memo.ask(batch[:3]))

    answers = {run.question: run.results for run in memo.ask(batch)}

    assert answers == {run.question: run.results for run in Asked().ask(batch)}


def test_a_recalled_run_costs_nothing() -> None:
    memo = MemoOracle(Asked(), MemoryStore())

    (first,) = memo.ask([Question((A, B))])
    (second,) = memo.ask([Question((A, B))])

    assert (first.executed, second.executed) == (2, 0)
    assert first.seconds > 0
    assert second.seconds == 0


def test_a_repetition_is_not_answered_by_the_first_attempt() -> None:
    inner = Asked()
    memo = MemoOracle(inner, MemoryStore())

    for attempt in (0, 1, 0, 1, 2):
        list(memo.ask([Question((A,), attempt)]))

    assert [question.attempt for question in inner.questions] == [0, 1, 2]


def test_an_answer_is_recorded_before_it_is_handed_on() -> None:
    store = MemoryStore()

    next(MemoOracle(Asked(), store).ask([Question((A,)), Question((B,))]))

    assert store.recall(Question((A,))) is not None
    assert store.recall(Question((B,))) is None


def test_two_memos_over_one_store_share_their_answers() -> None:
    store, inner = MemoryStore(), Asked()

    list(MemoOracle(inner, store).ask([Question((A, C))]))
    list(MemoOracle(inner, store).ask([Question((A, C)), Question((C,))]))

    assert inner.questions == [Question((A, C)), Question((C,))]


def test_nothing_is_asked_when_everything_is_known() -> None:
    inner = Asked()
    memo = MemoOracle(inner, MemoryStore())

    assert list(memo.ask([])) == []
    assert inner.questions == []


def test_the_price_is_the_inner_oracles() -> None:
    assert MemoOracle(Asked(), MemoryStore()).price == Price(2.0, workers=3)
