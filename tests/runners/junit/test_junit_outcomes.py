"""What came of a test: every way in which it can end, and a VM that does not outlive its order."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import Result

pytestmark = pytest.mark.foreign

Ask = Callable[[Sequence[str]], tuple[Result, ...]]

FOUR = {
    "FourBrokenTest#one": Outcome.SETUP_ERROR,
    "FourBrokenTest#two": Outcome.SETUP_ERROR,
    "FourOutcomesTest#assumes": Outcome.SKIPPED,
    "FourOutcomesTest#fails": Outcome.FAILED,
    "FourOutcomesTest#ignored": Outcome.SKIPPED,
    "FourOutcomesTest#passes": Outcome.PASSED,
    "FourOutcomesTest#saysNothing": Outcome.FAILED,
    "FourOutcomesTest#tearsDownBadly": Outcome.TEARDOWN_ERROR,
    "IgnoredTest": Outcome.SKIPPED,
    "WholeTest": Outcome.FAILED,
}
FIVE = {
    "FiveBrokenTest#two": Outcome.SETUP_ERROR,
    "FiveBrokenTest#one": Outcome.SETUP_ERROR,
    "FiveOutcomesTest#assumes": Outcome.SKIPPED,
    "FiveOutcomesTest#disabled": Outcome.SKIPPED,
    "FiveOutcomesTest#dynamicFails": Outcome.FAILED,
    "FiveOutcomesTest#fails": Outcome.FAILED,
    "FiveOutcomesTest#parametersFail": Outcome.FAILED,
    "FiveOutcomesTest#parametersSkipSome": Outcome.PASSED,
    "FiveOutcomesTest#repeats": Outcome.PASSED,
    "FiveOutcomesTest#tearsDownBadly": Outcome.TEARDOWN_ERROR,
    "DisabledTest#never": Outcome.SKIPPED,
}
SURVIVED = ["closesOutput", "interruptsItself", "speaksArabic", "overflows", "leavesThread"]


@pytest.fixture(scope="module")
def results(ask: Ask) -> dict[str, Result]:
    order = [*FOUR, *FIVE]
    return dict(zip(order, ask(order), strict=True))


@pytest.mark.parametrize(("test", "outcome"), [*FOUR.items(), *FIVE.items()])
def test_every_outcome(results: dict[str, Result], test: str, outcome: Outcome) -> None:
    assert results[test].outcome is outcome
    assert results[test].seconds >= 0
    assert bool(results[test].story) is (outcome is not Outcome.PASSED)


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("FourBrokenTest#two", "IllegalStateException: cannot be set up"),
        ("FourOutcomesTest#assumes", "only on the moon"),
        ("FourOutcomesTest#fails", "tab\there, line\nthere, back\\slash, bell"),
        ("FourOutcomesTest#saysNothing", "planted.FourOutcomesTest$1"),
        ("FourOutcomesTest#tearsDownBadly", "cannot be torn down"),
        ("WholeTest", "half of it"),
        ("FiveOutcomesTest#disabled", "later"),
        ("FiveOutcomesTest#dynamicFails", "the second one"),
        ("FiveOutcomesTest#fails", "Caused by: java.lang.RuntimeException: inside"),
        ("FiveOutcomesTest#parametersFail", "not 2"),
    ],
)
def test_a_story_says_why(results: dict[str, Result], test: str, found: str) -> None:
    assert found in results[test].story
    assert "org.junit.runners" not in results[test].story


def test_a_test_that_ends_the_vm_has_crashed(ask: Ask) -> None:
    """Even if it ends well."""
    before, crashed, after = ask(["FourTest#a", "HostileTest#exits", "FourTest#b"])
    assert (before.outcome, crashed.outcome, after.outcome) == (Outcome.PASSED, Outcome.CRASHED, Outcome.NOT_RUN)


def test_what_a_test_does_to_its_vm_does_not_reach_us(ask: Ask) -> None:
    """Its last thread and its hook would run for ever."""
    *survived, last = ask([*(f"HostileTest#{test}" for test in SURVIVED), "FourTest#a"])
    assert [result.outcome for result in survived] == [
        Outcome.FAILED if test == "overflows" else Outcome.PASSED for test in SURVIVED
    ]
    assert last.outcome is Outcome.PASSED
    assert len(survived[SURVIVED.index("overflows")].story) < 10_000


def test_a_class_loader_that_a_test_leaves_hides_no_test(ask: Ask) -> None:
    """JUnit finds all tests before it runs one; so do we, as far as anybody can see."""
    results = ask(["HostileTest#leavesLoader", "FourTest#a", "FiveTest#a", "FiveTest$Inner#x"])
    assert {result.outcome for result in results} == {Outcome.PASSED}


def test_each_order_has_a_home_and_a_temporary_directory_of_its_own(ask: Ask, planted: Path) -> None:
    for _ in range(2):
        (found,) = ask(["TellTest#places"])
        line = found.story.replace("\\n", "\n").splitlines()[0].partition("temporary=")[2]
        assert re.match(r"\S+/unknot-java/tmp/unknot\d+\.tmp home=\S+/unknot-java/home here=", line)
        assert line.endswith(" files=1")
        assert str(planted) not in line
