"""The drawing of a site map: where each page stands, and the lines between them.

Idea
    A menu leads from everywhere to everywhere; drawn in full it hides the rest. So pages stand in the columns of a tree
    of the cheapest ways from the start, in which a link of the page itself is cheaper than one of a shared part, and
    lines are those of the tree, and all links of the pages themselves. The lines of shared parts are drawn for one page
    at a time.
Guarantee
    No two pages overlap. Deterministic.
Cost
    Linear in the links but for sorting, and that of `graph_layout` with one line for each page.
"""

import json
from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import Any

from unknot.model.sanitise import shown
from unknot.report.html.data import ESCAPES
from unknot.report.html.layout import graph_layout
from unknot.report.site_map.site_map import MapAction, SiteMap

_CARD, _CARD_WITH_PICTURE = (208, 66), (208, 183)
_OWN, _SHARED = 2, 5
"""The cost of a link on the way from the start."""
_MOST_TITLES = 4
"""Of a line."""

_Link = tuple[int, int]


def drawing_data(site: SiteMap) -> str:
    """JSON for the script, without any character that is special in HTML or in scripts."""
    return json.dumps(_document(site), ensure_ascii=False, separators=(",", ":")).translate(ESCAPES)


def _document(site: SiteMap) -> dict[str, Any]:
    own, shared = _own_links(site), _shared_links(site)
    tree = _tree(site, own, shared)
    order = dict.fromkeys(place for link in tree for place in link) | dict.fromkeys(range(len(site.pages)))
    if site.start is not None:
        order = {site.start: None} | order
    card = _CARD_WITH_PICTURE if site.screenshots else _CARD
    arrows = [(str(source), str(target)) for source, target in tree]
    spots = graph_layout({str(place): "" for place in order}, arrows, card).spots
    lines = {**{link: titles for link, titles in own.items() if link[0] != link[1]}}
    for link in tree:
        lines.setdefault(link, [])
    return {
        "card": list(card),
        "start": site.start,
        "spots": [[spots[str(place)].x, spots[str(place)].y] for place in range(len(site.pages))],
        "lines": [
            [source, target, int((source, target) in tree), _words(titles)]
            for (source, target), titles in sorted(lines.items())
        ],
        "parts": [
            {"name": shown(part.name), "pages": list(part.pages), "targets": sorted(shared[number])}
            for number, part in enumerate(site.parts)
        ],
    }


def _words(titles: list[str]) -> str:
    """What leads there; nothing if only shared parts do."""
    rest = f" and {len(titles) - _MOST_TITLES} more" if len(titles) > _MOST_TITLES else ""
    return shown(", ".join(titles[:_MOST_TITLES]) + rest)


def _own_links(site: SiteMap) -> dict[_Link, list[str]]:
    """Each with the titles of the actions that lead there."""
    found: dict[_Link, list[str]] = {}
    for source, page in enumerate(site.pages):
        for action, target in _steps(page.actions):
            titles = found.setdefault((source, target), [])
            if action.title not in titles:
                titles.append(action.title)
    return found


def _shared_links(site: SiteMap) -> list[set[int]]:
    """Where each part leads."""
    return [{target for _, target in _steps(part.actions)} for part in site.parts]


def _steps(actions: tuple[MapAction, ...]) -> Iterator[tuple[MapAction, int]]:
    for action in actions:
        for target in action.targets:
            yield action, target.page


def _tree(site: SiteMap, own: Mapping[_Link, object], shared: list[set[int]]) -> dict[_Link, None]:
    """The links of the cheapest ways from the start, nearest first."""
    near: dict[int, dict[int, int]] = {}
    for part, targets in zip(site.parts, shared, strict=True):
        for source in part.pages:
            near.setdefault(source, {}).update(dict.fromkeys(targets, _SHARED))
    for source, target in own:
        near.setdefault(source, {})[target] = _OWN
    found: dict[int, _Link | None] = {}
    waiting: list[tuple[int, int, int]] = [] if site.start is None else [(0, site.start, site.start)]
    while waiting:
        cost, place, before = heappop(waiting)
        if place in found:
            continue
        found[place] = None if place == site.start else (before, place)
        for target, more in near.get(place, {}).items():
            if target not in found:
                heappush(waiting, (cost + more, target, place))
    return {link: None for link in found.values() if link is not None}
