"""What changes on a page although nothing has happened: it says nothing about the page, and finds nothing on it.

Idea
    A page is made twice from the same state. Whatever differs is noise: generated ids, nonces, clocks, messages that
    are shown once, the order of a list. No threshold says what is much. A value that differs becomes a pattern, with
    stars for the words and numbers that changed, so that noise seen on one page is known on all.
Assumptions
    The application makes the page from the same state both times, and what it says in passing is not of the page.
Guarantee
    Two trees that differ only in what their twins differed in are equal without noise, as far as patterns reach.
Cost
    Linear in the trees, apart from lists of children that differ, which are aligned in quadratic time.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from unknot.model.web.element import TEXT, Element
from unknot.model.web.stars import matches_by_words

_PARTS = re.compile(r"[^\W\d_]+|\d+|[\W_]")
_NAME, _TEXT, _VALUE = "(name)", "(text)", "(value)"
"""In place of an attribute. No attribute is called that."""

_MOST_WORDS = 200
"""A longer text that changes is one star: what it has in common with itself tells nothing, and takes long to find."""

_MESSAGES = frozenset({TEXT, "alert", "status", "log", "tooltip", "timer", "marquee", "note"})


@dataclass(frozen=True, slots=True)
class NoisePattern:
    """Values of an attribute, or the name, text or value, of elements with this role; a star stands for anything."""

    role: str
    attribute: str
    pattern: str


@dataclass(frozen=True)
class Noise:
    """`changing` are values that differ from load to load, `passing` the roles and names of messages that are there
    only sometimes. Other elements that come and go, such as the button that closes a message, are no noise: an element
    of the same name elsewhere may be there to stay."""

    changing: frozenset[NoisePattern] = frozenset()
    passing: frozenset[tuple[str, str]] = frozenset()

    def __or__(self, other: "Noise") -> "Noise":
        return Noise(self.changing | other.changing, self.passing | other.passing)

    def without(self, root: Element) -> Element:
        """The tree with stars for what changes, and without what passes. Cost: linear."""
        if not (self.changing or self.passing):
            return root
        return _rebuilt(root, self._with_stars, self._passes)

    def stable(self, root: Element) -> Element:
        """The tree without names and attributes that change: what is left can be used to find elements again, with the
        same locators as in the whole tree. Cost: linear."""
        if not self.changing:
            return root
        return _rebuilt(root, self._without_changes, lambda _: False)

    def _passes(self, element: Element) -> bool:
        return (element.role, _masked(element.name or element.text)) in self.passing

    def _with_stars(self, element: Element) -> Element:
        def kept(attribute: str, value: str) -> str:
            pattern = self._pattern(element.role, attribute, value)
            return value if pattern is None else pattern

        return replace(
            element,
            name=kept(_NAME, element.name),
            text=kept(_TEXT, element.text),
            value=kept(_VALUE, element.value),
            attributes=tuple((name, kept(name, value)) for name, value in element.attributes),
        )

    def _without_changes(self, element: Element) -> Element:
        changes = self._pattern(element.role, _NAME, element.name) is not None
        attributes = ((name, value) for name, value in element.attributes if not self._changes(element, name, value))
        return replace(element, name="" if changes else element.name, attributes=tuple(attributes))

    def _changes(self, element: Element, attribute: str, value: str) -> bool:
        return self._pattern(element.role, attribute, value) is not None

    def _pattern(self, role: str, attribute: str, value: str) -> str | None:
        if not value:
            return None
        fitting = (
            each.pattern
            for each in self.changing
            if each.role == role and each.attribute == attribute and matches_by_words(each.pattern, value)
        )
        return min(fitting, key=lambda pattern: (-len(pattern), pattern), default=None)


def _rebuilt(root: Element, changed: Callable[[Element], Element], is_left_out: Callable[[Element], bool]) -> Element:
    """Without recursion: pages may be nested deeply."""
    done: dict[int, Element] = {}
    waiting = [(root, False)]
    while waiting:
        element, is_ready = waiting.pop()
        kept = [child for child in element.children if not is_left_out(child)]
        if not is_ready:
            waiting.append((element, True))
            waiting.extend((child, False) for child in kept)
            continue
        done[id(element)] = replace(changed(element), children=tuple(done[id(child)] for child in kept))
    return done[id(root)]


def noise_of(one: Element, other: Element) -> Noise:
    """What differs between two trees of the same page, made from the same state."""
    changing: set[NoisePattern] = set()
    passing: set[tuple[str, str]] = set()
    waiting = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        if left == right:
            continue
        changing.update(_changes(left, right))
        for child, twin in _aligned(left.children, right.children):
            if child is not None and twin is not None:
                waiting.append((child, twin))
                continue
            alone = child or twin
            assert alone is not None
            if alone.role in _MESSAGES:
                passing.add((alone.role, _masked(alone.name or alone.text)))
    return Noise(frozenset(changing), frozenset(passing))


def _changes(left: Element, right: Element) -> Iterator[NoisePattern]:
    pairs = [(_NAME, left.name, right.name), (_TEXT, left.text, right.text), (_VALUE, left.value, right.value)]
    pairs += [(name, value, right.attribute(name)) for name, value in left.attributes]
    for attribute, value, twin in pairs:
        if value != twin and value and twin:
            yield NoisePattern(left.role, attribute, pattern_of(value, twin))


def pattern_of(one: str, other: str) -> str:
    """What two values have in common, with a star for each part that differs. In a word with a number that changed, all
    numbers are stars: a clock that shows other seconds will show another hour.

    >>> pattern_of("ember281-menu", "ember97-menu")
    'ember*-menu'
    >>> pattern_of("It is 12:59:58", "It is 12:59:59")
    'It is *:*:*'
    >>> pattern_of("a8f3c7", "02dd41")
    '*'
    """
    left, right = one.split(" "), other.split(" ")
    if max(len(left), len(right)) > _MOST_WORDS:
        return "*"
    if len(left) == len(right):
        words = list(map(_word_pattern, left, right))
    else:
        words = []
        for kind, start, end, _, _ in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
            words += left[start:end] if kind == "equal" else ["*"]
    pattern = " ".join(words)
    return pattern if all(matches_by_words(pattern, each) for each in (one, other)) else "*"


def _word_pattern(one: str, other: str) -> str:
    if one == other:
        return one
    left, right = _PARTS.findall(one), _PARTS.findall(other)
    if len(left) != len(right) or any(
        a != b and not (a.isalnum() and b.isalnum()) for a, b in zip(left, right, strict=True)
    ):
        return "*"
    numbers = any(a != b and a.isdigit() for a, b in zip(left, right, strict=True))
    parts = ["*" if a != b or (numbers and a.isdigit()) else a for a, b in zip(left, right, strict=True)]
    # What is in letters and numbers throughout is one token.
    if all(part == "*" or part.isalnum() for part in parts) and parts.count("*") * 2 > len(parts):
        return "*"
    return "".join(parts)


def _masked(text: str) -> str:
    return re.sub(r"\d+", "*", text)


_Pair = tuple[Element | None, Element | None]


def _aligned(left: Sequence[Element], right: Sequence[Element]) -> Iterator[_Pair]:
    """Pairs of children that are the same element of the page: of the same role and name, and of the same role between
    those."""
    if _is_shuffled(left, right):
        return
    if _roles(left) == _roles(right):
        yield from zip(left, right, strict=True)
        return
    keys = ([(each.role, _masked(each.name or each.text)) for each in side] for side in (left, right))
    for same, some, others in _blocks(left, right, *keys):
        if same:
            yield from zip(some, others, strict=True)
            continue
        for alike, these, those in _blocks(some, others, _roles(some), _roles(others)):
            if alike:
                yield from zip(these, those, strict=True)
                continue
            yield from ((each, None) for each in these)
            yield from ((None, each) for each in those)


def _blocks(
    left: Sequence[Element], right: Sequence[Element], keys: Sequence[object], others: Sequence[object]
) -> Iterator[tuple[bool, Sequence[Element], Sequence[Element]]]:
    """Stretches with equal keys, and those between."""
    matcher = SequenceMatcher(None, keys, others, autojunk=False)
    for kind, start, end, begin, stop in matcher.get_opcodes():
        yield kind == "equal", left[start:end], right[begin:stop]


def _roles(elements: Sequence[Element]) -> list[str]:
    return [each.role for each in elements]


def _is_shuffled(left: Sequence[Element], right: Sequence[Element]) -> bool:
    """The same elements in another order."""
    return len(left) == len(right) and left != right and Counter(left) == Counter(right)
