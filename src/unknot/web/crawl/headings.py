"""The headings of pages of one kind: what they have in common."""

from collections.abc import Iterator, Sequence

from unknot.model.web.element import Element
from unknot.web.crawl.parts import DIALOGS, SHARED, open_dialog

_NOT_ITS_OWN = SHARED | DIALOGS


class CommonHeadings:
    """Collects the headings of each kind of page."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[str, ...]] = {}

    def add(self, kind: str, root: Element) -> None:
        headings = headings_of(root)
        self._of[kind] = in_common(self._of.get(kind, headings), headings)

    def of(self, kind: str) -> tuple[str, ...]:
        """What all pages of this kind had, with a star for the words in which they differ."""
        return self._of.get(kind, ())


def headings_of(root: Element) -> tuple[str, ...]:
    """Those of the dialog that has to be answered, if it has any, otherwise those of the page outside of its shared
    parts and other dialogs; each once."""
    dialog = open_dialog(root)
    return (tuple(_headings(dialog)) if dialog else ()) or tuple(_headings(root))


def in_common(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """Heading by heading, with a star for the words in which they differ; if the numbers are not the same, those that
    both have.

    >>> in_common(["Edit Ada", "History"], ["Edit Grace Hopper", "History"])
    ('Edit *', 'History')
    """
    if len(one) == len(other):
        return tuple(map(_common_words, one, other))
    return tuple(each for each in one if each in other)


def _headings(root: Element) -> Iterator[str]:
    waiting, seen = [root], set()
    while waiting:
        each = waiting.pop()
        if each.role == "heading" and each.name and each.name not in seen:
            seen.add(each.name)
            yield each.name
        waiting.extend(child for child in reversed(each.children) if child.role not in _NOT_ITS_OWN)


def _common_words(one: str, other: str) -> str:
    """
    >>> _common_words("Books in Fiction", "Books in Science")
    'Books in *'
    """
    if one == other:
        return one
    mine, theirs = one.split(), other.split()
    shorter = min(len(mine), len(theirs))
    before = 0
    while before < shorter and mine[before] == theirs[before]:
        before += 1
    after = 0
    while after < shorter - before and mine[-1 - after] == theirs[-1 - after]:
        after += 1
    return " ".join([*mine[:before], "*", *mine[len(mine) - after :]])
