"""All browsers of the process that are watched at the moment."""

from typing import Any, Protocol

FOUND = "found"
"""A test begins, and its fixtures are set up."""

LEFT = "left"
"""A test has run, or closes what it opened; now the pages are read as well."""

ENDED = "ended"
"""Its fixtures are torn down, too, and have sent requests."""

SHARED = "shared"
"""A fixture that several tests share was set up."""


class WatchedBrowser(Protocol):
    """One set of cookies and storage, with the pages that share it."""

    number: int
    has_news: bool
    """Whether it has sent a request since the last look."""

    @property
    def is_gone(self) -> bool: ...

    def look(self, moment: str) -> None:
        """Writes down what it keeps, and at the end of a test what its pages show. Raises nothing that the suite would
        not know what to do with; takes a few seconds at most."""
        ...


class WatchedBrowsers:
    """Contexts of Playwright by themselves, drivers of Selenium by themselves."""

    def __init__(self) -> None:
        self.of_playwright: dict[Any, Any] = {}
        self.of_selenium: dict[Any, Any] = {}

    def alive(self) -> list[WatchedBrowser]:
        """In the sequence in which they were opened; those that are gone are forgotten."""
        for watched in (self.of_playwright, self.of_selenium):
            for key in [key for key, each in watched.items() if each.is_gone]:
                del watched[key]
        found: list[WatchedBrowser] = [*self.of_playwright.values(), *self.of_selenium.values()]
        return sorted(found, key=lambda each: each.number)
