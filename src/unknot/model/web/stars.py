"""Texts in which stars stand for what differs: names, headings and addresses of pages.

Idea
    What stands between the stars has to follow each other in the text: the first part at its beginning, the last at its
    end, each other at the first place where it occurs. No later place could be better.
Guarantee
    Never goes back, unlike a regular expression: patterns come from pages, which may be hostile.
Cost
    One pass over the text, for words times the words of the pattern.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

_Sequence = TypeVar("_Sequence", str, Sequence[str])


def matches(pattern: str, text: str) -> bool:
    """A star stands for anything, or for nothing.

    >>> matches("Edit *", "Edit Emma"), matches("Edit *", "Delete Emma")
    (True, False)
    """
    return _gaps(pattern.split("*"), text, str.find, 0) is not None


def matches_by_words(pattern: str, text: str) -> bool:
    """A star alone stands for one word or more, one in a word for a part of it.

    >>> matches_by_words("ember*-menu of *", "ember97-menu of Ada L."), matches_by_words("ember*", "ember97 menu")
    (True, False)
    """
    parts: list[list[str]] = [[]]
    for word in pattern.split(" "):
        if word == "*":
            parts.append([])
        else:
            parts[-1].append(word)
    return _gaps(parts, text.split(" "), _find_words, 1) is not None


def in_place_of_stars(pattern: str, text: str) -> tuple[str, ...]:
    """What each star stands for, something in any case. Empty if the text is another one.

    >>> in_place_of_stars("Edit * of *", "Edit page 3 of Emma")
    ('page 3', 'Emma')
    """
    gaps = _gaps(pattern.split("*"), text, str.find, 1)
    return tuple(text[start:end] for start, end in gaps or ())


def _gaps(
    parts: Sequence[_Sequence], text: _Sequence, find: Callable[[_Sequence, _Sequence, int, int], int], least: int
) -> list[tuple[int, int]] | None:
    """Where the text has something else between the parts, each time so much at least. None if it does not have the
    parts. `find` works as that of strings."""
    first, last = parts[0], parts[-1]
    if len(parts) == 1:
        return [] if len(text) == len(first) and find(text, first, 0, len(text)) == 0 else None
    begin, end = len(first), len(text) - len(last)
    if begin > end or find(text, first, 0, begin) != 0 or find(text, last, end, len(text)) != end:
        return None
    gaps: list[tuple[int, int]] = []
    for part in parts[1:-1]:
        place = find(text, part, begin + least, end)
        if place < 0:
            return None
        gaps.append((begin, place))
        begin = place + len(part)
    return [*gaps, (begin, end)] if begin + least <= end else None


def _find_words(text: Sequence[str], words: Sequence[str], start: int, end: int) -> int:
    for place in range(start, end - len(words) + 1):
        if all(map(matches, words, text[place : place + len(words)])):
            return place
    return -1
