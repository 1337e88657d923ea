"""Submitted strings: a test that uses a value that an earlier test submitted may need that test.

Biagiola, Stocco, Mesbah, Ricca, Tonella: Web Test Dependency Detection, ESEC/FSE 2019, Algorithm 1 and section 3.2.1.

Idea
    A web test writes by submitting values: it types, selects or uploads them. A later test that uses the same value
    anywhere, to search for it, to follow a link or to assert that it exists, may depend on that.
Assumptions
    A value is used if it occurs by itself or as whole words inside a longer text ("001 - Course001" uses
    "Course001"). Values shorter than `_SHORTEST` count only by themselves: "1" is inside everything.
Guarantee
    Edges point from later tests to earlier ones, and carry every value that both use. A test that could not be read
    completely stays a candidate with every other. Nothing is proved.
Cost
    Linear in the texts and in the edges.
Differs from the paper
    It compares values as a whole; searching for words finds links and messages that contain them. Values that imply no
    dependency, such as a default login, can be left out: a value that all tests use is dropped automatically
    (`in_every_test`); the others are ranked by how many tests use them (`rank_values`), and the developer says which
    are free.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from unknot.model.candidates import Candidate, Mention, StringUse, check_pairs
from unknot.model.reason import Reason, ReasonKind, shortened
from unknot.model.recording import Frame
from unknot.model.suite import Suite
from unknot.web.hints.whole_words import contains_whole

_SHORTEST = 3
_WORD = re.compile(r"\w+")
_MOST_REASONS = 3
_LONGEST_VALUE = 60


class _Values:
    """Every submitted value, with the tests that submit it and those that use it. `uses[i]` are the strings of test
    i."""

    def __init__(self, uses: Sequence[StringUse]) -> None:
        self.submitted: dict[str, dict[int, Frame | None]] = {}
        for test, use in enumerate(uses):
            for mention in use.submitted:
                if value := mention.text.strip():
                    self.submitted.setdefault(value, {}).setdefault(test, mention.place)
        self.used: dict[str, dict[int, Frame | None]] = {value: {} for value in self.submitted}
        self._by_word: dict[str, list[str]] = {}
        for value in self.submitted:
            if len(value) >= _SHORTEST and (word := _WORD.search(value)):
                self._by_word.setdefault(word[0], []).append(value)
        for test, use in enumerate(uses):
            for mention in (*use.submitted, *use.used):
                self._note(mention, test)

    def _note(self, mention: Mention, test: int) -> None:
        text = mention.text.strip()
        found = {text} if text in self.used else set()
        for word in set(_WORD.findall(text)):
            found |= {value for value in self._by_word.get(word, ()) if contains_whole(text, value, _is_word)}
        for value in found:
            self.used[value].setdefault(test, mention.place)

    def pairs(self, value: str) -> Iterator[tuple[int, int]]:
        """The candidates by this value, each once: a test that uses it, and an earlier one that submits it."""
        for submitter in self.submitted[value]:
            for user in self.used[value]:
                if user > submitter:
                    yield user, submitter

    def count_pairs(self, value: str) -> int:
        """How many they are, without going through them."""
        users = sorted(self.used[value])
        return sum(len(users) - bisect_right(users, submitter) for submitter in self.submitted[value])


def _is_word(character: str) -> bool:
    return character == "_" or character.isalnum()


def string_candidates(
    suite: Suite, uses: Sequence[StringUse], free: Collection[str] = ()
) -> tuple[list[Candidate], list[str]]:
    """The candidates, and notes on tests that could not be read. `uses[i]` are the strings of test i; `free` are shared
    values that imply no dependency."""
    found: dict[tuple[int, int], list[str]] = {}
    values = _Values(uses)
    for value in sorted(values.submitted.keys() - set(free)):
        for pair in values.pairs(value):
            found.setdefault(pair, []).append(value)
            # Stop before they fill the memory.
            check_pairs(len(found))
    unread = {test: use.gaps[0] for test, use in enumerate(uses) if not use.is_known}
    check_pairs(len(found) + len(unread) * len(suite))
    edges = [_edge(values, later, earlier, shared) for (later, earlier), shared in found.items()]
    notes = [f"{suite.tests[test]}: {gap}; it stays a candidate with every other test" for test, gap in unread.items()]
    return [*edges, *_unread(len(suite), unread)], notes


def _edge(values: _Values, later: int, earlier: int, shared: list[str]) -> Candidate:
    reasons = []
    # The fewer tests use a value, the more significant it is.
    for value in sorted(shared, key=lambda one: len(values.used[one]))[:_MOST_REASONS]:
        submitted, used = values.submitted[value][earlier], values.used[value][later]
        reasons.append(
            Reason(
                ReasonKind.STRING,
                shown=shortened(value, _LONGEST_VALUE),
                written=(submitted,) if submitted else (),
                read=(used,) if used else (),
            )
        )
    return Candidate(later, earlier, tuple(shared), tuple(reasons))


def _unread(size: int, unread: dict[int, str]) -> Iterator[Candidate]:
    for test, gap in unread.items():
        text = (f"its code could not be read completely: {gap}",)
        for other in range(size):
            if other != test:
                yield Candidate(max(test, other), min(test, other), gaps=text)


FEWEST_TESTS = 3
"""With fewer tests, common values may be a coincidence."""

_MOST_COMPARED = 500_000
"""The number of edges of one value that are compared with those of others in memory."""


@dataclass(frozen=True)
class RankedValue:
    """A value that `tests` tests use. `edges` candidates rest on it, `only` of them on no other value."""

    text: str
    tests: int
    edges: int
    only: int


def in_every_test(uses: Sequence[StringUse]) -> frozenset[str]:
    """Values that every test uses. Empty for one or two tests: what two tests have in common is all the evidence there
    is."""
    if len(uses) < FEWEST_TESTS:
        return frozenset()
    return frozenset(value for value, users in _Values(uses).used.items() if len(users) == len(uses))


def rank_values(uses: Sequence[StringUse], free: Collection[str] = ()) -> tuple[RankedValue, ...]:
    """The submitted values on which a candidate rests, those of most tests first, without those in `free`. If a value
    has too many edges to compare with those of others, all of them count as resting on it alone."""
    values = _Values(uses)
    edges = {value: values.count_pairs(value) for value in values.submitted.keys() - set(free)}
    compared = [value for value, count in edges.items() if count <= _MOST_COMPARED]
    times = Counter(pair for value in compared for pair in values.pairs(value))
    only = {value: sum(times[pair] == 1 for pair in values.pairs(value)) for value in compared}
    found = [
        RankedValue(value, len(values.used[value]), count, only.get(value, count))
        for value, count in edges.items()
        if count
    ]
    return tuple(sorted(found, key=lambda one: (-one.tests, -one.edges, one.text)))
