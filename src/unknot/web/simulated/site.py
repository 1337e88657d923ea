"""How to write a simulated application: a class with hidden state, whose methods are the actions of its pages.

class Notes(Site):
    start = "Notes"

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []

    @action("Notes", text=("milk", "eggs"))
    def add(self, text: str) -> None:
        self.notes.append(text)

    @action("Notes", to="Note", guard="the note is there", text=("milk", "eggs"))
    def show(self, text: str) -> None:
        self.require(text in self.notes)

    back = link("Note", to="Notes")

    def in_view(self) -> dict[str, list[str]]:
        return {"notes": self.notes}
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from unknot.model.navigation_graph import NavigationGraph, Parameter, Transition
from unknot.model.web.element import Element

_MARK = "_unknot_action"

Target = tuple[str, str]
"""A page, and the way in which an action leads there, which tells transitions between the same pages apart."""


class GuardViolated(Exception):
    """The action is not possible now."""


@dataclass(frozen=True)
class SiteAction:
    """`pages` are those that offer it; `fields` have the values that each parameter can take, none for any text.
    Without `targets` it stays on its page. `guard` is what has to hold, empty if it is always possible. `method` is the
    attribute of the class, since actions of different pages may have the same name."""

    name: str
    method: str
    pages: tuple[str, ...]
    targets: tuple[Target, ...]
    guard: str
    fields: tuple[tuple[str, tuple[str, ...]], ...]

    def transitions(self) -> Iterator[Transition]:
        parameters = tuple(Parameter(name, values=values) for name, values in self.fields)
        for page in self.pages:
            for target, way in self.targets or ((page, ""),):
                yield Transition(self.name, page, target, parameters, self.guard, way)


class Site:
    """A new object is the clean state. An action that declares one page to lead to goes there; with several, it returns
    which, and the way if it declares ways. An action returns nothing to stay."""

    start: ClassVar[str]

    def __init__(self) -> None:
        self.page = self.start

    @staticmethod
    def require(holds: bool, why: str = "") -> None:
        """A guard. Without a reason, the reason is what the action declares."""
        if not holds:
            raise GuardViolated(why)

    def in_view(self) -> Mapping[str, Sequence[str]]:
        """The lists of values that the present page shows."""
        return {}

    def address(self) -> str:
        """The path of the present page, its parameters, and its route."""
        return self.page

    def heading(self) -> str:
        return self.page

    def beside(self, load: int) -> Sequence[Element]:
        """What the present page shows beside its lists and actions. `load` is another number each time: for clocks,
        nonces, generated ids and messages that are shown once."""
        return ()

    @classmethod
    def actions(cls) -> tuple[SiteAction, ...]:
        """In the order of the code, those of base classes first."""
        found: dict[str, SiteAction] = {}
        for each in reversed(cls.__mro__):
            for method, value in vars(each).items():
                if isinstance(marked := getattr(value, _MARK, None), SiteAction):
                    found[method] = replace(marked, method=method, name=marked.name or method)
        return tuple(found.values())

    @classmethod
    def navigation_graph(cls) -> NavigationGraph:
        """As page objects of the application would give it."""
        transitions = tuple(transition for each in cls.actions() for transition in each.transitions())
        pages = dict.fromkeys([cls.start, *(page for each in transitions for page in (each.source, each.target))])
        return NavigationGraph(cls.start, tuple(pages), transitions)


_Method = Callable[..., str | Target | None]


def action(
    *pages: str, to: str | Sequence[str | Target] = (), guard: str = "", named: str = "", **fields: Sequence[str]
) -> Callable[[_Method], _Method]:
    """Marks a method as an action of these pages. `to` is where it leads; `fields` are its parameters, without values
    for any text; `named` is for actions that share a name but not a method."""
    listed = (to,) if isinstance(to, str) else to
    targets = tuple((each, "") if isinstance(each, str) else each for each in listed)
    values = tuple((name, tuple(each)) for name, each in fields.items())

    def mark(method: Any) -> Any:
        setattr(method, _MARK, SiteAction(named, "", pages, targets, guard, values))
        return method

    return mark


def link(*pages: str, to: str = "", named: str = "") -> _Method:
    """An action that only leads to a page; without `to`, it stays."""

    def follow(site: Site) -> None: ...

    return action(*pages, to=to or (), named=named)(follow)
