"""Tests run in the order requested, in one VM, and share the set-up of their class as long as the order stays there."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.runners.command.listing import list_tests
from unknot.runners.command.spec import CommandSpec
from unknot.runners.settings import Settings

pytestmark = pytest.mark.foreign

Ask = Callable[[Sequence[str]], tuple[Result, ...]]

LISTED = [
    "ChildTest#inherited",
    "DisabledTest#never",
    "EnclosedTest$Second#e",
    "EnclosedTest$First#größe",
    "FiveBrokenTest#one",
    "FiveBrokenTest#two",
    "FiveTest#b",
    "FiveTest#a",
    "FiveTest#same()",
    "FiveTest#same(org.junit.jupiter.api.TestInfo)",
    "FiveTest$Inner#x",
    "FiveTest$Inner#y",
    "FixedManyTest#p[0]",
    "FixedManyTest#q[0]",
    "FixedManyTest#p[1]",
    "FixedManyTest#q[1]",
    "FourBrokenTest#one",
    "FourBrokenTest#two",
    "FourTest#a",
    "FourTest#b",
    "FourTest#c",
    "HeirOneTest$Part#holds",
    "HeirTwoTest$Part#holds",
    "IgnoredTest",
    "ManyTest#m[0]",
    "ManyTest#n[0]",
    "ManyTest#m[1]",
    "ManyTest#n[1]",
    "MixedTest#testOld",
    "MixedTest#testMoved",
    "MixedTest#testMoved~2",
    "TellTest#places",
    "TellTest#trail",
    "ThreeTest#testOne",
    "ThreeTest#testTwo",
    "WholeTest",
]


def test_methods_are_listed_in_the_order_of_junit(spec: CommandSpec, planted: Path) -> None:
    """What the suite prints meanwhile is no test; a class in several ways is listed once."""
    listing = list_tests(spec, Settings(planted))
    listed = [test.removeprefix("planted.") for test in listing.suite.tests]
    assert [test for test in listed if "Outcomes" not in test and "Hostile" not in test] == LISTED
    assert set(listing.modules) | set(listing.files) >= set(planted.rglob("*.class"))


STRETCHES = {
    "as the classes have it": [
        ("FourTest#a FourTest#b FourTest#c", "4( a b c )"),
        ("FiveTest#b FiveTest#a FiveTest$Inner#x FiveTest$Inner#y", "5( b a in( x1 y2 ) )"),
        ("ManyTest#m[0] ManyTest#n[0] ManyTest#m[1] ManyTest#n[1]", "many( m n m n )"),
        ("FixedManyTest#p[0] FixedManyTest#q[0] FixedManyTest#p[1] FixedManyTest#q[1]", "p10 q10 p20 q20"),
    ],
    "against what the classes say": [
        ("FourTest#c FourTest#a", "4( c a )"),
        ("FiveTest$Inner#y FiveTest$Inner#x FiveTest#a FiveTest#b", "5( in( y1 x2 ) a b )"),
        ("ThreeTest#testTwo ThreeTest#testOne", "two one"),
        ("ManyTest#n[1] ManyTest#m[1] ManyTest#m[0]", "many( n m m )"),
        ("FixedManyTest#q[1] FixedManyTest#p[0] FixedManyTest#q[0] FixedManyTest#p[1]", "q20 p10 q10 p20"),
        ("EnclosedTest$First#größe ChildTest#inherited EnclosedTest$Second#e", "größe inherited e"),
    ],
    "one nested class, two heirs": [
        ("HeirTwoTest$Part#holds HeirOneTest$Part#holds", "HeirTwoTest HeirOneTest"),
    ],
    "one method, two engines": [
        ("MixedTest#testMoved~2 MixedTest#testMoved MixedTest#testOld", "five three old"),
    ],
    "back and forth": [
        ("FourTest#b FiveTest#same() FourTest#a", "4( b ) 5( s ) 4( a )"),
        ("FiveTest#same(org.junit.jupiter.api.TestInfo) FiveTest$Inner#x FiveTest#a", "5( i in( x1 ) a )"),
        ("FiveTest$Inner#y FiveTest#b", "5( in( y1 ) b )"),
        ("ManyTest#m[0] ManyTest#m[1] ManyTest#n[0]", "many( m m ) many( n )"),
    ],
}


@pytest.mark.parametrize("kind", STRETCHES)
def test_a_set_up_is_shared_until_the_order_leaves_its_container(ask: Ask, kind: str) -> None:
    requested = [test for order, _ in STRETCHES[kind] for test in order.split()]
    *before, reported = ask([*requested, "TellTest#trail"])
    assert {result.outcome for result in before} == {Outcome.PASSED}
    found = re.search("<(.*)>", reported.story)
    assert found is not None
    assert found[1] == " ".join(trail for _, trail in STRETCHES[kind])
