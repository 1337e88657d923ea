"""What was recorded of a suite's browsers while it ran once: what was sent, what was shown, what was kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from unknot.model.suite import Order, TestId, by_test


@dataclass(frozen=True)
class Field:
    """A value that was sent, and what it is called there: a form field, a path into JSON, a parameter of the query.
    A secret one is a digest: it can be compared with others, and with nothing else."""

    name: str
    value: str
    is_secret: bool = False


@dataclass(frozen=True)
class Exchange:
    """One request and its answer. `address` is without scheme and host. `context` numbers the browser context, 0 for a
    request that the test sent without a browser. `status` is 0 if there was no answer. `location` is where the answer
    sends the browser, `given` the ids that the answer to a write has named. `text` is what was shown: after
    `condensed`, only what tests of this suite have written; `digest` tells whether the same was shown twice.
    `continues` says that it came from a page that was there when the test began: a link was followed, a form sent."""

    test: TestId
    method: str
    address: str
    context: int = 0
    writes: bool = False
    fields: tuple[Field, ...] = ()
    status: int = 0
    location: str = ""
    given: tuple[str, ...] = ()
    text: str = ""
    digest: str = ""
    continues: bool = False


@dataclass(frozen=True)
class Page:
    """What a page showed when its test had run, or when it was closed."""

    test: TestId
    address: str
    context: int = 0
    text: str = ""


@dataclass(frozen=True, order=True)
class Entry:
    """Something that a browser keeps. `kind` is "cookie", "localStorage", "sessionStorage", "service worker",
    "IndexedDB" or "cache"; `place` is its domain or origin; `digest` tells one value from another."""

    kind: str
    place: str
    name: str
    digest: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.kind, self.place, self.name)


class Moment(StrEnum):
    """When a snapshot was taken: a test begins with all its fixtures set up; it has run; its fixtures are torn down; a
    fixture that several tests share was set up, by the first of them that ran."""

    FOUND = "found"
    LEFT = "left"
    ENDED = "ended"
    SHARED = "shared"


@dataclass(frozen=True)
class Look:
    """All that one context keeps at one moment. `places` are the origins whose storage could be read: of others nothing
    is known at that moment. Cookies are always read."""

    test: TestId
    context: int
    moment: Moment
    entries: tuple[Entry, ...] = ()
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Traffic:
    """One run of the suite in its own order. Everything is in the sequence in which it happened. What shared fixtures
    did is not in it: no test caused it. `contexts` counts the browser contexts. `unseen` are tests that failed or were
    left out, so that not all they do was recorded; `notes` say what else was not."""

    tests: Order
    exchanges: tuple[Exchange, ...] = ()
    pages: tuple[Page, ...] = ()
    looks: tuple[Look, ...] = ()
    contexts: int = 0
    unseen: tuple[TestId, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_silent(self) -> bool:
        """Whether no request was recorded at all, even if pages or storage were."""
        return not self.exchanges

    @cached_property
    def exchanges_of(self) -> Mapping[TestId, tuple[Exchange, ...]]:
        return by_test(self.exchanges, lambda exchange: exchange.test)
