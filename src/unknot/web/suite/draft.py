"""A test before it is written: steps from a clean state, the data that it enters, and what it checks at the end.

Everything is literal: a test is replayed with other data by replacing texts, in values, locators and checks alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from unknot.model.web.action import Action


@dataclass(frozen=True)
class DraftStep:
    """An action on a page of this kind, with what to enter, by the labels of its fields, and the kind of page that
    followed."""

    kind: str
    action: Action
    values: tuple[tuple[str, str], ...]
    leads_to: str


class CheckKind(Enum):
    """What can be seen after a step that was not so before."""

    PAGE = "page"
    """A page of the kind `text` is in view, and it was of another kind before."""
    MESSAGE = "message"
    """The page shows `text`."""
    LISTED = "listed"
    """`text` is in the list `values`."""
    GONE = "gone"
    """`text` is no longer in the list `values`."""
    COUNT = "count"
    """The list `values` has `by` values more than before the step; less, if that is negative."""
    FIELD = "field"
    """The field `values` (its label) holds `text`."""


@dataclass(frozen=True)
class Check:
    """See `CheckKind`. Lists are those of `View.lists`, by name."""

    kind: CheckKind
    text: str = ""
    values: str = ""
    by: int = 0


@dataclass(frozen=True)
class Draft:
    """The last step is what the test is about, those before it prepare it. `data` are the values that it enters and
    that may be any others of their sort: each different one once."""

    steps: tuple[DraftStep, ...]
    data: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()

    def with_checks(self, checks: tuple[Check, ...]) -> "Draft":
        return replace(self, checks=checks)


def replaced(text: str, data: Mapping[str, str]) -> str:
    """With other data, the longest first."""
    for old in sorted(data, key=len, reverse=True):
        text = text.replace(old, data[old])
    return text
