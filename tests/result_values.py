"""Values that every writer is tried on. Strategies are fixtures because test modules cannot import each other."""

import pytest
from hypothesis import strategies as st

from unknot.model.dependencies import Confidence, Conflict, Cost, Dependencies, Need, Proof, Suspicion, SuspicionKind
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Frame, Location
from unknot.model.suite import Order, Suite, TestId

NASTY = [
    "tests/test_a.py::test_x[a b]",
    "tests/test_a.py::test_x[red]",
    "tests/test_a.py::test_x[/red]",
    "tests/test_a.py::test_x[it's]",
    'tests/test_a.py::test_x["quoted"]',
    "tests/test_a.py::test_x[a::b]",
    "tests/test_ä.py::test_ж[日本語]",
    "tests/test_a.py::test_x[line\nbreak]",
    "tests/test_a.py::test_x[\x1b[31m]",
    "tests/test_a.py::test_x[back\\slash\\]",
    "tests/test_a.py::test_x[$(rm -rf /) `ls` ; & | > <]",
    "</script><script>alert(1)</script>",
    "<!-- ]]> --> &lt;&amp;",
    "tests/test_\udcff.py::test_x",
    "tests/test_a.py::test_x[\u202eevil\u2028]",
    ":smile: [link=http://x]y[/link]",
]


@pytest.fixture(scope="session")
def nasty() -> Order:
    """Ids that break whatever forgets to escape."""
    return tuple(TestId(text) for text in NASTY)


@pytest.fixture(scope="session")
def ids() -> st.SearchStrategy[TestId]:
    """Hostile ids: any character, and the lone surrogates that bytes of file names become."""
    characters = st.characters(exclude_categories=["Cs"]) | st.characters(min_codepoint=0xDC80, max_codepoint=0xDCFF)
    return (st.sampled_from(NASTY) | st.text(characters, min_size=1, max_size=12)).map(TestId)


@pytest.fixture(scope="session")
def any_dependencies(ids: st.SearchStrategy[TestId]) -> st.SearchStrategy[Dependencies]:
    """Any result that keeps the promises of the model."""
    seconds = st.integers(0, 10**12).map(lambda number: number / 10**6)
    words = st.text(max_size=8)
    frames = st.lists(st.builds(Frame, words, st.integers(0, 99), words), max_size=2).map(tuple)
    reasons = st.builds(
        Reason,
        st.sampled_from(ReasonKind),
        *(ids, ids, st.builds(Location, words, words), words, frames, frames, words, words, ids, ids),
        *(st.booleans(), words),
    )
    whys = st.lists(reasons, max_size=2).map(tuple)

    @st.composite
    def dependencies(draw: st.DrawFn) -> Dependencies:
        tests = draw(st.lists(ids, unique=True, max_size=8).map(tuple))

        def some(test: TestId, least: int) -> Order:
            others = [other for other in tests if other != test]
            return tuple(draw(st.lists(st.sampled_from(others), unique=True, min_size=least)))

        def need() -> Need:
            test = draw(st.sampled_from(tests))
            proof = Proof((*some(test, 0), test), (*some(test, 0), test))
            return Need(test, some(test, 1), proof, draw(st.booleans()), draw(whys))

        def conflict() -> Conflict:
            test = draw(st.sampled_from(tests))
            proof = Proof((*some(test, 0), test), (*some(test, 0), test))
            return Conflict(test, some(test, 1), some(test, 0), proof, draw(st.booleans()), draw(whys))

        flaky = tuple(draw(st.lists(st.sampled_from(tests), unique=True))) if tests else ()
        shares = st.integers(0, 10**6).map(lambda number: number / 10**6)
        confidences = st.builds(Confidence, shares, st.integers(0, 5), st.integers(5, 80))
        many = st.integers(0, 3 if len(tests) > 1 else 0)
        return Dependencies(
            suite=Suite(tests),
            outcomes={test: draw(st.sampled_from(Outcome)) for test in tests},
            seconds={test: draw(seconds) for test in tests},
            needs=tuple(need() for _ in range(draw(many))),
            conflicts=tuple(conflict() for _ in range(draw(many))),
            conflicts_when_failing=tuple(conflict() for _ in range(draw(many))),
            flaky=flaky,
            untried=draw(st.integers(0, 10**9)),
            complete=draw(st.booleans()),
            cost=Cost(draw(st.text(max_size=8)), draw(st.integers(0, 99)), draw(st.integers(0, 99)), draw(seconds)),
            confidence={test: draw(confidences) for test in flaky if draw(st.booleans())},
            suspected=tuple(
                Suspicion(test, draw(st.sampled_from(SuspicionKind)), some(test, 0) if len(tests) > 1 else ())
                for test in tests
                if draw(st.booleans())
            ),
        )

    return dependencies()


@pytest.fixture(scope="session")
def small() -> Dependencies:
    """One of everything: a chain, an either-or, a victim of either of two tests and of two together, a flaky and a
    failing test, and one that takes part in nothing."""
    names = "add total paid refund setenv alone clean both_1 both_2 flaky broken read"
    add, total, paid, refund, setenv, alone, clean, both_1, both_2, flaky, broken, read = (
        TestId(f"t.py::test_{name}") for name in names.split()
    )
    tests = (add, total, paid, refund, setenv, alone, clean, both_1, both_2, flaky, broken, read)
    return Dependencies(
        suite=Suite(tests),
        outcomes={test: Outcome.FAILED if test == broken else Outcome.PASSED for test in tests},
        seconds=dict.fromkeys(tests, 0.25),
        needs=(
            Need(
                total,
                (add,),
                Proof((add, total), (total,)),
                why=(Reason(ReasonKind.TEXT, shown="reads shop.cart, written by test_add"),),
            ),
            Need(refund, (total, paid), Proof((add, total, refund), (add, refund)), complete=False),
        ),
        conflicts=(
            Conflict(read, (setenv,), (clean,), Proof((read,), (setenv, read))),
            Conflict(read, (paid,), (clean,), Proof((read,), (paid, read))),
            Conflict(
                refund, (both_1, both_2), (), Proof((add, total, both_1, refund), (add, total, both_1, both_2, refund))
            ),
        ),
        flaky=(flaky,),
        untried=3,
        complete=False,
        cost=Cost("sieve", 17, 1234, 2.5),
    )


@pytest.fixture(scope="session")
def hostile(nasty: Order) -> Dependencies:
    """A result in which every nasty id is a dependent and a prerequisite."""
    first, *rest = nasty
    pairs = list(zip(nasty, rest, strict=False))
    return Dependencies(
        suite=Suite(nasty),
        outcomes=dict.fromkeys(nasty, Outcome.PASSED),
        seconds=dict.fromkeys(nasty, 0.0),
        needs=tuple(
            Need(late, (early,), Proof((early, late), (late,)), why=(Reason(ReasonKind.TEXT, shown=early),))
            for early, late in pairs
        ),
        conflicts=(Conflict(first, tuple(rest[:2]), tuple(rest[2:4]), Proof((first,), (*rest[:2], first))),),
        flaky=(first,),
    )
