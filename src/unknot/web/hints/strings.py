"""Submitted strings: whoever uses a value that an earlier test has submitted may need that test.

Biagiola, Stocco, Mesbah, Ricca, Tonella: Web Test Dependency Detection, ESEC/FSE 2019, Algorithm 1.

Idea
    A web test writes by submitting values: it types, selects or uploads them. A later test that uses the same value
    anywhere, to search for it, to follow a link or to assert that it is there, may depend on that.
Assumptions
    A value is used where it stands by itself or as whole words inside a longer text ("001 - Course001" uses
    "Course001"). Values shorter than `_SHORTEST` count only where they stand by themselves: "1" is inside everything.
Guarantee
    Edges point from later tests to earlier ones, and carry every value that both know. A test of which something could
    not be read stays suspected with every other. Nothing is proved.
Cost
    Linear in the texts and in the edges.
Differs from the paper
    It compares values as a whole; looking for words finds links and messages that contain them. Values that tell
    nothing about dependencies can be left out: see `free_values`.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from unknot.model.candidates import Candidate, Mention, StringUse, check_pairs
from unknot.model.recording import Frame
from unknot.model.suite import Suite, TestId

_SHORTEST = 3
_WORD = re.compile(r"\w+")
_MOST_TOLD = 3
_LONGEST_TOLD = 60
_SUBMITTED, _USED = "` is submitted", " and used"
"""In a reason as `_edge` tells it, each with its place behind it."""

_PLACE = re.compile(r" at (.+):(\d{1,9})", re.DOTALL)


class Values:
    """Every value that some test submits, with who submits it and who uses it. `uses[i]` is what test i says."""

    def __init__(self, uses: Sequence[StringUse]) -> None:
        self.submitted: dict[str, dict[int, Frame | None]] = {}
        for test, said in enumerate(uses):
            for mention in said.submitted:
                if value := mention.text.strip():
                    self.submitted.setdefault(value, {}).setdefault(test, mention.place)
        self.used: dict[str, dict[int, Frame | None]] = {value: {} for value in self.submitted}
        self._by_word: dict[str, list[str]] = {}
        for value in self.submitted:
            if len(value) >= _SHORTEST and (word := _WORD.search(value)):
                self._by_word.setdefault(word[0], []).append(value)
        for test, said in enumerate(uses):
            for mention in (*said.submitted, *said.used):
                self._note(mention, test)

    def _note(self, mention: Mention, test: int) -> None:
        text = mention.text.strip()
        found = {text} if text in self.used else set()
        for word in set(_WORD.findall(text)):
            found |= {value for value in self._by_word.get(word, ()) if _has(text, value)}
        for value in found:
            self.used[value].setdefault(test, mention.place)


def _has(text: str, value: str) -> bool:
    """Whether the text contains the value as whole words."""
    start = text.find(value)
    while start >= 0:
        end = start + len(value)
        before, after = text[max(0, start - 1) : start], text[end : end + 1]
        is_whole_start = not (_is_word(before) and _is_word(value[0]))
        if is_whole_start and not (_is_word(after) and _is_word(value[-1])):
            return True
        start = text.find(value, start + 1)
    return False


def _is_word(character: str) -> bool:
    return character == "_" or character.isalnum()


def string_suspicions(
    suite: Suite, uses: Sequence[StringUse], free: Collection[str] = ()
) -> tuple[list[Candidate], list[str]]:
    """The candidates, and notes on what could not be read. `uses[i]` is what test i says; `free` are values that no
    test needs another for."""
    found: dict[tuple[int, int], list[str]] = {}
    values = Values(uses)
    for value in sorted(values.submitted.keys() - set(free)):
        for submitter in values.submitted[value]:
            for user in values.used[value]:
                if user > submitter:
                    found.setdefault((user, submitter), []).append(value)
            # Before they fill the memory.
            check_pairs(len(found))
    unread = {test: said.gaps[0] for test, said in enumerate(uses) if not said.is_known}
    check_pairs(len(found) + len(unread) * len(suite))
    edges = [_edge(values, later, earlier, shared) for (later, earlier), shared in found.items()]
    return [*edges, *_unread(len(suite), unread)], [_noted(suite.tests[test], gap) for test, gap in unread.items()]


def _edge(values: Values, later: int, earlier: int, shared: list[str]) -> Candidate:
    told = []
    # The fewer tests know a value, the more it says.
    for value in sorted(shared, key=lambda one: len(values.used[one]))[:_MOST_TOLD]:
        submitted, used = values.submitted[value][earlier], values.used[value][later]
        told.append(f"`{_shortened(value)}{_SUBMITTED}{_at(submitted)}{_USED}{_at(used)}")
    return Candidate(later, earlier, tuple(shared), tuple(told))


def code_places(reason: str) -> tuple[tuple[str, Frame], ...]:
    """The lines of code that a reason of an edge by strings names, with what happens there; none for other reasons.

    >>> code_places("`Bob` is submitted at tests/test_users.py:12 and used at pages.py:30")[1]
    ('used', Frame(file='pages.py', line=30, function=''))
    """
    before, has_used, used = reason.rpartition(_USED)
    _, has_submitted, submitted = before.rpartition(_SUBMITTED)
    if not has_used or not has_submitted:
        return ()
    places = [(label, said, _PLACE.fullmatch(said)) for label, said in (("submitted", submitted), ("used", used))]
    if any(said and found is None for _, said, found in places):
        return ()
    return tuple((label, Frame(found[1], int(found[2]), "")) for label, _, found in places if found)


def _unread(size: int, unread: dict[int, str]) -> Iterator[Candidate]:
    for test, gap in unread.items():
        told = (f"not all that it says could be read: {gap}",)
        for other in range(size):
            if other != test:
                yield Candidate(max(test, other), min(test, other), gaps=told)


def _noted(test: TestId, gap: str) -> str:
    return f"{test}: {gap}; it stays suspected with every other test"


def _at(place: Frame | None) -> str:
    return f" at {place.file}:{place.line}" if place else ""


def _shortened(value: str) -> str:
    return value if len(value) <= _LONGEST_TOLD else value[: _LONGEST_TOLD - 1] + "…"
