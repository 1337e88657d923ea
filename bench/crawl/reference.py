"""Which edges of a navigation graph that a person has written a crawl has taken.

A page and an edge are recognised in what was observed and done, never by kinds of pages: so all ways to crawl, and all
ways to tell pages apart, are judged alike.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.crawl.sights import SIGHT_KEYS, ElementPattern, Sight, element_pattern, several, sight
from unknot.model.web.element import Element
from unknot.model.web.locator import Locator
from unknot.web.application.observation import Observation
from unknot.web.crawl.trace import TakenStep

ANYWHERE = "*"
_EDGE_KEYS = frozenset({"name", "from", "by", "to", "inside", "given", "then", "grows", "shrinks", "spared"})


@dataclass(frozen=True)
class ReferencePage:
    """A page that a person would name."""

    name: str
    sight: Sight


@dataclass(frozen=True)
class ReferenceEdge:
    """A navigation that a person would name: from one of the pages (`*` is any), by a click on an element that fits, or
    by Enter in a field that does, to a page. The element must be `inside` one of some others, if
    there are any. `given` must be in view before, `then` afterwards. Of `grows` there must
    be more in view afterwards, of `shrinks` less. `spared`: safety leaves it alone, so it does not count."""

    name: str
    sources: tuple[str, ...]
    by: tuple[ElementPattern, ...]
    target: str
    inside: tuple[ElementPattern, ...]
    given: Sight
    then: Sight
    grows: tuple[ElementPattern, ...]
    shrinks: tuple[ElementPattern, ...]
    spared: bool

    def is_taken(self, source: str, element: Element, target: str, before: Observation, after: Observation) -> bool:
        return (
            (ANYWHERE in self.sources or source in self.sources)
            and self.target in (ANYWHERE, target)
            and any(each.fits(element) for each in self.by)
            and (not self.inside or self._is_inside(element, before.root))
            and self.given.fits(before)
            and self.then.fits(after)
            and all(each.count(after.root) > each.count(before.root) for each in self.grows)
            and all(each.count(after.root) < each.count(before.root) for each in self.shrinks)
        )

    def _is_inside(self, element: Element, root: Element) -> bool:
        around = (each for each in root.walk() if any(pattern.fits(each) for pattern in self.inside))
        return any(below is element for each in around for below in each.walk())


@dataclass(frozen=True)
class Reference:
    """The graph, as it stands in a file. A page is the first one that fits."""

    application: str
    pages: tuple[ReferencePage, ...]
    edges: tuple[ReferenceEdge, ...]

    def page_of(self, seen: Observation) -> str:
        """Empty if it is none."""
        return next((each.name for each in self.pages if each.sight.fits(seen)), "")

    def wanted(self) -> tuple[str, ...]:
        """The edges that count."""
        return tuple(each.name for each in self.edges if not each.spared)


def read_reference(file: Path) -> Reference:
    """Raises ValueError if the file cannot be meant so."""
    return reference_graph(json.loads(file.read_text(encoding="utf-8")))


def reference_graph(written: Mapping[str, Any]) -> Reference:
    """From what such a file holds. Raises ValueError."""
    pages = tuple(ReferencePage(each["name"], sight(_known(each, SIGHT_KEYS | {"name"}))) for each in written["pages"])
    edges = tuple(map(_edge, written["edges"]))
    names = {each.name for each in pages}
    for each in edges:
        if missing := {*each.sources, each.target} - names - {ANYWHERE}:
            raise ValueError(f"{each.name}: there is no page {', '.join(sorted(missing))}")
    for what, counted in (("pages", pages), ("edges", edges)):
        if twice := [name for name, count in Counter(each.name for each in counted).items() if count > 1]:
            raise ValueError(f"{what} of the same name: {', '.join(twice)}")
    return Reference(written["application"], pages, edges)


def _edge(written: Mapping[str, Any]) -> ReferenceEdge:
    _known(written, _EDGE_KEYS)
    given, then = (_known(written.get(key, {}), SIGHT_KEYS) for key in ("given", "then"))
    by, inside, grows, shrinks = (
        tuple(map(element_pattern, several(written.get(key, ())))) for key in ("by", "inside", "grows", "shrinks")
    )
    if not by:
        raise ValueError(f"{written['name']}: `by` is missing")
    sources = tuple(several(written["from"]))
    return ReferenceEdge(
        written["name"],
        sources,
        by,
        written["to"],
        inside,
        sight(given),
        sight(then),
        grows,
        shrinks,
        written.get("spared", False),
    )


def _known(written: Mapping[str, Any], keys: frozenset[str]) -> Mapping[str, Any]:
    if unknown := set(written) - keys:
        raise ValueError(f"{written.get('name', written)}: unknown {', '.join(sorted(unknown))}")
    return written


@dataclass(frozen=True)
class UnmappedTransition:
    """A step that changed the page and is no edge of the reference: either it is none that a person would name, or the
    reference lacks it. Pages that the reference lacks are shown by their address and headings."""

    source: str
    action: str
    target: str


class ReferenceMapper:
    """Collects the steps of a crawl. Cost: one pass over both views of a step for each pattern that has to be looked
    at."""

    def __init__(self, reference: Reference) -> None:
        self._reference = reference
        self.covered: dict[str, None] = {}
        """The edges that were taken, in the sequence of their first time; also spared ones."""
        self.visited: dict[str, None] = {}
        self.unmapped: Counter[UnmappedTransition] = Counter()

    def add(self, step: TakenStep) -> None:
        after = step.after.observation
        target = self._reference.page_of(after)
        self.visited |= dict.fromkeys([target] if target else [])
        if step.before is None or step.chosen is None or after.refusal:
            return
        before = step.before.observation
        element = _meant(before.root, step)
        if element is None:
            return
        source = self._reference.page_of(before)
        taken = [each.name for each in self._reference.edges if each.is_taken(source, element, target, before, after)]
        self.covered |= dict.fromkeys(taken)
        if not taken and (source != target or not target):
            self.unmapped[UnmappedTransition(source or _shown(before), _label(element), target or _shown(after))] += 1

    def count(self) -> int:
        """The edges taken that count."""
        return sum(each in self.covered for each in self._reference.wanted())

    def missing(self) -> tuple[str, ...]:
        return tuple(each for each in self._reference.wanted() if each not in self.covered)


def _meant(root: Element, step: TakenStep) -> Element | None:
    """The element that was clicked, or the field in which Enter was pressed."""
    assert step.chosen is not None
    performed = step.chosen.action.step(dict(step.chosen.values))
    locators = performed.locators or (performed.inputs[-1].locators if performed.inputs else ())
    return next(_only(root, locators), None)


def _only(root: Element, locators: tuple[Locator, ...]) -> Iterator[Element]:
    """What each locator means, if that is one element: the browser takes the first of them."""
    for each in locators:
        found = each.find(root)
        if len(found) == 1:
            yield found[0]


def _label(element: Element) -> str:
    name = element.name or element.attribute("title") or element.attribute("name") or element.attribute("href")
    return f"{element.role} {name}".strip()


def _shown(seen: Observation) -> str:
    headings = [each.name for each in seen.root.walk() if each.role == "heading"][:2]
    return f"{seen.address.partition('//')[2].partition('/')[2]} [{'; '.join(headings)}]"
