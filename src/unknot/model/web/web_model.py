"""What a crawl has learned of a web application: its pages, their actions, and where these lead.

Addresses begin behind the origin, such as `/books/12`: an instance has another port each time. Only those at
`WebModel.other_origins` are whole. Counts have a default, because the file of a model keeps them in a part of their
own: `store.web_model_file`.
"""

from dataclasses import dataclass

from unknot.model.navigation_graph import NavigationGraph, Parameter, Transition
from unknot.model.web.action import Action
from unknot.model.web.locator import Locator


@dataclass(frozen=True)
class Destination:
    """A kind of page that an action led to, how often, and with which values, by label, for example. `stays`: wherever
    a component's action was performed, that kind of page followed; `kind` is one of them."""

    kind: str
    count: int = 0
    values: tuple[tuple[str, str], ...] = ()
    stays: bool = False


@dataclass(frozen=True)
class Guard:
    """When an action is possible, as far as was seen. `text` is for a reader: "needs `payer` in the list `members`".
    `held` counts the tries at which it held, all of which worked; `failed` those at which it did not, none of which
    worked. `parameter` is the label of the field that it speaks of, and `values` the name of the list of values in
    view; either may be empty."""

    text: str
    held: int = 0
    failed: int = 0
    parameter: str = ""
    values: str = ""


@dataclass(frozen=True)
class PageAction:
    """An action of a page, with what became of the tries. `worked` counts those that the application accepted.
    `destinations` begin with the one that it led to most often, and have each kind of page once. `refusals` are what
    the application said otherwise, each once. `spared` says why it was left alone; empty if it was not."""

    action: Action
    tries: int = 0
    worked: int = 0
    destinations: tuple[Destination, ...] = ()
    guard: Guard | None = None
    refusals: tuple[str, ...] = ()
    spared: str = ""


@dataclass(frozen=True)
class ValueList:
    """Values of one sort in view, such as the items of a list or the cells of a column. `locators` find all of them,
    the best first; `examples` are some that were seen."""

    name: str
    locators: tuple[Locator, ...]
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Component:
    """A part that several kinds of pages share, such as a menu. `pages` are the kinds of the pages that name it among
    their components."""

    name: str
    role: str
    actions: tuple[PageAction, ...] = ()
    pages: tuple[str, ...] = ()


@dataclass(frozen=True)
class WebPage:
    """A kind of page. `title`, `address` and `headings` are those of one page of it; `template` is the address without
    data, and `common_headings` are what the headings of all its pages have in common, with a star for the words in
    which they differ. `actions` are its own, those of its `components` stand there. `recognised_by` finds what only
    pages of this kind show, the best first. `is_dialog`: a dialog is open on it, and the headings are those of the
    dialog."""

    kind: str
    title: str
    address: str
    template: str
    visits: int = 0
    headings: tuple[str, ...] = ()
    actions: tuple[PageAction, ...] = ()
    components: tuple[str, ...] = ()
    values: tuple[ValueList, ...] = ()
    recognised_by: tuple[Locator, ...] = ()
    common_headings: tuple[str, ...] = ()
    is_dialog: bool = False


@dataclass(frozen=True)
class WebModel:
    """`start` is the kind of page at which the application begins, empty if nothing was seen. `other_origins` are those
    that pages may reach beside the application's own. Kinds of pages, names of components, and keys of the actions of
    one page or component are unique."""

    start: str
    pages: tuple[WebPage, ...]
    components: tuple[Component, ...] = ()
    other_origins: tuple[str, ...] = ()

    def actions_of(self, page: WebPage) -> tuple[PageAction, ...]:
        """Its own, then those of its components."""
        shared = (each for part in self.components if part.name in page.components for each in part.actions)
        return (*page.actions, *shared)

    def graph(self) -> NavigationGraph:
        """An action of a component leads from each page that has it."""
        transitions = {
            Transition(
                each.action.title,
                page.kind,
                page.kind if destination.stays else destination.kind,
                tuple(Parameter(field.label, values=field.options) for field in each.action.fields),
                guard=each.guard.text if each.guard else "",
            ): None
            for page in self.pages
            for each in self.actions_of(page)
            for destination in each.destinations
        }
        return NavigationGraph(self.start, tuple(page.kind for page in self.pages), tuple(transitions))
