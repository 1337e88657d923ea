"""Endless lists of links leave room for others."""

from itertools import islice

import pytest

from unknot.model.web.element import Element
from unknot.model.web.step import PageStep
from unknot.web.application.observation import Observation
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.promising import PromisingFirst

WORDS = ("amber", "birch", "cedar", "dusk", "ember", "fern", "grove", "heath", "iris", "jade")


class Endless:
    """Each page of tags links to many others that were never seen; the last link leads to a form."""

    def __init__(self) -> None:
        self._page = "start"
        self._count = 0

    def reset(self) -> Observation:
        self._page = "start"
        return self._shown()

    def look_again(self) -> Observation | None:
        return None

    def perform(self, step: PageStep) -> Observation:
        (found,) = next(filter(None, (each.find(self._root) for each in step.locators)))
        self._page = found.attribute("href") or found.name
        return self._shown()

    def _shown(self) -> Observation:
        title = "Tag" if self._page.startswith("/tags/") else self._page
        links = []
        for word in WORDS * 3:
            self._count += 1
            name = f"{word}{self._count:x}".translate(str.maketrans("0123456789", "ghijklmnop"))
            links.append(Element("link", name, attributes=(("href", f"/tags/{name}"),)))
        if title == "Tag":
            links.append(Element("link", "Deeper", attributes=(("href", "/deeper"),)))
        self._root = Element("document", children=tuple(links))
        return Observation(f"http://localhost{self._page}", title, self._root)


@pytest.mark.parametrize("seed", range(5))
def test_what_is_no_part_of_an_endless_list_is_tried_soon(seed: int) -> None:
    steps = crawl(Endless(), PromisingFirst(seed), PageReader(KindByTitle()), lambda: True)
    tried = [each.chosen.action.name for each in islice(steps, 40) if each.chosen is not None]
    assert "Deeper" in tried
