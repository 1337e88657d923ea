"""How to write a simulated application: a class with hidden state, whose methods are the actions of its pages.

class Notes(Site):
    start = "Notes"

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []

    @action("Notes", text=("milk", "eggs"))
    def add(self, text: str) -> None:
        self.notes.append(text)

    @action("Notes", text=("milk", "eggs"))
    def show(self, text: str) -> str:
        self.require(text in self.notes, "there is no such note")
        return "Note"

    def in_view(self) -> dict[str, list[str]]:
        return {"notes": self.notes}
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

_MARK = "_unknot_action"


class GuardViolated(Exception):
    """The action is not possible now."""


@dataclass(frozen=True)
class SiteAction:
    """`pages` are those that offer it; `fields` have the values that each parameter can take."""

    name: str
    pages: tuple[str, ...]
    fields: tuple[tuple[str, tuple[str, ...]], ...]


class Site:
    """A new object is the clean state. An action returns the page that follows, or None to stay; if it can lead to the
    same page in several ways that count as different transitions, a pair of the page and the way."""

    start: ClassVar[str]

    def __init__(self) -> None:
        self.page = self.start

    @staticmethod
    def require(holds: bool, why: str = "not possible now") -> None:
        """A guard."""
        if not holds:
            raise GuardViolated(why)

    def in_view(self) -> Mapping[str, Sequence[str]]:
        """The lists of values that the present page shows."""
        return {}

    @classmethod
    def actions(cls) -> tuple[SiteAction, ...]:
        """In the order of the code, those of base classes first."""
        found: dict[str, SiteAction] = {}
        for each in reversed(cls.__mro__):
            found |= {name: getattr(value, _MARK) for name, value in vars(each).items() if hasattr(value, _MARK)}
        return tuple(found.values())


_Method = Callable[..., str | tuple[str, str] | None]


def action(*pages: str, **fields: Sequence[str]) -> Callable[[_Method], _Method]:
    """Marks a method as an action of these pages. `fields` are its parameters."""

    def mark(method: Any) -> Any:
        values = tuple((name, tuple(values)) for name, values in fields.items())
        setattr(method, _MARK, SiteAction(method.__name__, pages, values))
        return method

    return mark
