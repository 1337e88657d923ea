"""The file that all page objects share."""

PAGE_OBJECT = '''\
"""What all page objects share: where they are, and how they wait."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from functools import reduce
from typing import TypeVar, overload
from urllib.parse import urljoin

from playwright.sync_api import Error, Locator, Page, Request, expect

One = TypeVar("One", bound="PageObject")
Two = TypeVar("Two", bound="PageObject")
Three = TypeVar("Three", bound="PageObject")
Method = TypeVar("Method", bound=Callable[..., object])


def requires(_condition: str) -> Callable[[Method], Method]:
    """Says what has to hold for a method to work, as far as the crawl has seen."""

    def unchanged(method: Method) -> Method:
        return method

    return unchanged


def _cells(row: Locator) -> Locator:
    """Also the one that is the header of the row."""
    cells = row.get_by_role("cell").or_(row.get_by_role("gridcell"))
    return cells.or_(row.get_by_role("rowheader"))


class PageObject:
    """A page in the browser, or a part of one."""

    address = re.compile(".")
    """What the address of such a page matches."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def recognised_by(self) -> Locator:
        """What such a page shows."""
        raise NotImplementedError

    def is_loaded(self) -> bool:
        is_there = self.address.search(self.page.url) is not None
        return is_there and self.recognised_by.is_visible()

    def wait_until_loaded(self) -> None:
        expect(self.page).to_have_url(self.address)
        expect(self.recognised_by).to_be_visible()

    def _go_to(self, path: str) -> None:
        """Another page of the application, which has to be open, unless the browser
        context has a base URL."""
        self.page.goto(urljoin(self.page.url, path))
        self.wait_until_loaded()

    @overload
    def _arrive_at(self, one: type[One], /) -> One: ...

    @overload
    def _arrive_at(self, one: type[One], two: type[Two], /) -> One | Two: ...

    @overload
    def _arrive_at(
        self,
        one: type[One],
        two: type[Two],
        three: type[Three],
        /,
    ) -> One | Two | Three: ...

    @overload
    def _arrive_at(self, *pages: type[PageObject]) -> PageObject: ...

    def _arrive_at(self, *pages: type[PageObject]) -> PageObject:
        """The one of these pages that appears."""
        possible = [each(self.page) for each in pages]
        if len(possible) == 1:
            possible[0].wait_until_loaded()
            return possible[0]
        either = reduce(Locator.or_, (each.recognised_by for each in possible))
        expect(either.first).to_be_visible()
        for each in possible:
            if each.is_loaded():
                return each
        names = ", ".join(each.__name__ for each in pages)
        raise AssertionError(f"{self.page.url} is none of {names}")

    @contextmanager
    def _until_answered(self) -> Iterator[None]:
        """Waits for the answers to all requests that are sent meanwhile, and for what
        the page makes of them: what is not there then will not come."""
        sent: list[Request] = []

        def note(request: Request) -> None:
            if request.resource_type in ("document", "fetch", "xhr"):
                sent.append(request)

        self.page.on("request", note)
        try:
            yield
            self._let_it_render()
            waited_for = 0
            while waited_for < len(sent):
                # A request that is given up, for example for another page, has none.
                with suppress(Error):
                    answer = sent[waited_for].response()
                    if answer is not None:
                        answer.finished()
                waited_for += 1
                self._let_it_render()
        finally:
            self.page.remove_listener("request", note)

    def _let_it_render(self) -> None:
        # The page may go on to another one meanwhile.
        with suppress(Error):
            self.page.wait_for_load_state()
            self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def _column(self, header: str) -> list[str]:
        """The texts below this header of a table; none if there is no such table."""
        named = self.page.get_by_role("columnheader", name=header, exact=True)
        tables = self.page.get_by_role("table").or_(self.page.get_by_role("grid"))
        table = tables.filter(has=named).first
        headers = table.get_by_role("columnheader").all()
        is_it = [each.and_(named).count() > 0 for each in headers]
        if True not in is_it:
            return []
        rows = [_cells(each) for each in table.get_by_role("row").all()]
        whole = [cells for cells in rows if cells.count() == len(headers)]
        return [cells.nth(is_it.index(True)).inner_text() for cells in whole]

    def _tick(self, boxes: Locator, labels: Collection[str]) -> None:
        """Ticks the boxes with these labels, and no others."""
        for box in boxes.all():
            label = box.evaluate("box => box.labels[0]?.innerText.trim()")
            box.set_checked(label in labels)
'''

BASE_PAGE = '''\
"""What all page objects share. This file is yours: `unknot pages` keeps it as it is."""

from ._generated.page_object import PageObject


class BasePage(PageObject):
    """A page of the application, or a part of one."""
'''

PACKAGE = '''\
"""Page objects. These files are yours: `unknot pages` only changes `_generated`."""
'''

GENERATED_PACKAGE = '''\
"""The base classes of the page objects."""
'''
