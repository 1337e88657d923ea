"""Recognises pages, elements and results in what was observed, by patterns that a person has written."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from unknot.model.web.element import TEXT, Element
from unknot.web.application.observation import Observation, PageEvent

_ATTRIBUTE = re.compile(r"\[([a-z-]+)=(.+?)\](?=\[[a-z-]+=| |$)")
_PATTERN = re.compile(rf"(\*|[A-Za-z]+)((?:{_ATTRIBUTE.pattern})*)(?: (.+))?")


@dataclass(frozen=True)
class ElementPattern:
    """Written as `role[attribute=…] name`: the attributes and the name are regular expressions for all of the value; no
    name means any. The role `text` is for pieces of text; `*` is any role."""

    role: str
    attributes: tuple[tuple[str, re.Pattern[str]], ...]
    name: re.Pattern[str] | None

    def fits(self, element: Element) -> bool:
        if self.role not in ("*", element.role):
            return False
        if self.name is not None and not self.name.fullmatch(element.text if element.role == TEXT else element.name):
            return False
        return all(pattern.fullmatch(element.attribute(name)) for name, pattern in self.attributes)

    def count(self, root: Element) -> int:
        return sum(map(self.fits, root.walk()))


def element_pattern(written: str) -> ElementPattern:
    """
    >>> element_pattern("link[href=/books/\\\\d+]").fits(Element("link", attributes=(("href", "/books/7"),)))
    True
    """
    parts = _PATTERN.fullmatch(written)
    if parts is None:
        raise ValueError(f"{written!r} is no pattern of an element")
    attributes = ((name, re.compile(value)) for name, value in _ATTRIBUTE.findall(parts[2]))
    return ElementPattern(parts[1], tuple(attributes), re.compile(parts[5]) if parts[5] else None)


@dataclass(frozen=True)
class Sight:
    """What is to be there. `address` is for all of the path, `query` for some of what follows it. Something `shows` if
    it is in view at least once; `hides` must not be in view. `event` is written as `kind pattern`, for all of its text.
    """

    address: re.Pattern[str] | None = None
    query: re.Pattern[str] | None = None
    title: re.Pattern[str] | None = None
    shows: tuple[ElementPattern, ...] = ()
    hides: tuple[ElementPattern, ...] = ()
    event: tuple[str, re.Pattern[str]] | None = None

    def fits(self, seen: Observation) -> bool:
        path, query = _parts(seen.address)
        return (
            (self.address is None or self.address.fullmatch(path) is not None)
            and (self.query is None or self.query.search(query) is not None)
            and (self.title is None or self.title.fullmatch(seen.title) is not None)
            and (self.event is None or any(map(self._is_event, seen.events)))
            and all(each.count(seen.root) for each in self.shows)
            and not any(each.count(seen.root) for each in self.hides)
        )

    def _is_event(self, event: PageEvent) -> bool:
        assert self.event is not None
        return event.kind.value == self.event[0] and self.event[1].fullmatch(event.text) is not None


SIGHT_KEYS = frozenset({"address", "query", "title", "shows", "hides", "event"})


def sight(written: Mapping[str, Any]) -> Sight:
    """Keys that it does not know are left to the caller."""
    kind, _, text = written.get("event", "").partition(": ")
    address, query, title = (
        re.compile(written[key]) if key in written else None for key in ("address", "query", "title")
    )
    return Sight(
        address,
        query,
        title,
        tuple(map(element_pattern, several(written.get("shows", ())))),
        tuple(map(element_pattern, several(written.get("hides", ())))),
        (kind, re.compile(text)) if "event" in written else None,
    )


def several(written: str | Sequence[str]) -> Sequence[str]:
    """One text is a list of one."""
    return (written,) if isinstance(written, str) else written


def _parts(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", ""
    return unquote(parts.path), unquote(parts.query)
