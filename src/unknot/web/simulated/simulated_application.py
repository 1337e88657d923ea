"""A simulated application behind the protocol of all applications."""

from unknot.model.navigation_graph import Transition
from unknot.model.web.element import Element
from unknot.model.web.locator import Locator
from unknot.model.web.step import PageStep
from unknot.web.application.observation import Observation
from unknot.web.simulated.site import GuardViolated, Site, SiteAction, Target

RESET_SECONDS, STEP_SECONDS = 3.0, 1.0
"""A reset costs as much as three steps, as measured with real applications in a browser."""


class UndeclaredTransition(Exception):
    """The class of the application is wrong: an action does what it does not declare."""


class SimulatedApplication:
    """Shows each page as a document: a heading, the lists in view, and a form for each action, or a button for one
    without parameters. The title is the name of the page. `taken` has the transitions that were taken, each once, in
    order of the first time.

    Guarantee
        What is taken, and what is refused, is declared by the site: a transition of its graph, a guard.
    """

    def __init__(self, site: type[Site]) -> None:
        self._make = site
        self._site = site()
        self._loads = 0
        self._pages: dict[str, dict[str, SiteAction]] = {}
        for each in site.actions():
            for page in each.pages:
                if self._pages.setdefault(page, {}).setdefault(each.name, each) is not each:
                    raise UndeclaredTransition(f"{page} has two actions {each.name}")
        self._transitions = {
            (each.action, each.source, each.target, each.condition): each
            for each in site.navigation_graph().transitions
        }
        self._controls = {
            page: Element("document", children=tuple(map(_shown, actions.values())))
            for page, actions in self._pages.items()
        }
        self._found: dict[tuple[str, Locator], Element | None] = {}
        self.taken: dict[Transition, None] = {}
        self.seconds = 0.0

    def reset(self) -> Observation:
        self._site = self._make()
        return self._observe(RESET_SECONDS)

    def perform(self, step: PageStep) -> Observation:
        chosen = self._meant(step)
        if chosen is None:
            return self._observe(STEP_SECONDS, "there is no such element")
        given = dict(self._inputs(step))
        missing = [name for name, _ in chosen.fields if name not in given]
        if missing:
            return self._observe(STEP_SECONDS, f"nothing was entered for {', '.join(missing)}")
        try:
            result = getattr(self._site, chosen.method)(**given)
        except GuardViolated as problem:
            if not chosen.guard:
                raise UndeclaredTransition(f"{chosen.name} declares no guard") from problem
            return self._observe(STEP_SECONDS, str(problem) or f"not possible unless {chosen.guard}")
        taken = self._transition(chosen, result)
        self._site.page = taken.target
        self.taken[taken] = None
        return self._observe(STEP_SECONDS, way=taken.condition)

    def _transition(self, chosen: SiteAction, result: str | Target | None) -> Transition:
        source = self._site.page
        if result is None:
            result = chosen.targets[0] if len(chosen.targets) == 1 else source
        target, way = (result, "") if isinstance(result, str) else result
        known = self._transitions.get((chosen.name, source, target, way))
        if known is None:
            raise UndeclaredTransition(f"{chosen.name} of {source} does not declare that it leads to {target} {way}")
        return known

    def look_again(self) -> Observation:
        return self._observe(STEP_SECONDS)

    def _meant(self, step: PageStep) -> SiteAction | None:
        for locator in step.locators:
            if (found := self._find(locator)) is not None:
                return self._pages[self._site.page].get(found.name)
        return None

    def _inputs(self, step: PageStep) -> list[tuple[str, str]]:
        return [
            (found.name, each.value)
            for each in step.inputs
            for locator in each.locators[:1]
            if (found := self._find(locator)) is not None and (each.value in found.options or not found.options)
        ]

    def _find(self, locator: Locator) -> Element | None:
        """The only such control of the page; a page always has the same."""
        key = self._site.page, locator
        if key not in self._found:
            controls = self._controls.get(self._site.page)
            found = locator.find(controls) if controls else []
            self._found[key] = found[0] if len(found) == 1 else None
        return self._found[key]

    def _observe(self, seconds: float, refusal: str = "", way: str = "") -> Observation:
        self.seconds += seconds
        page = self._site.page
        address = f"http://simulated/{self._site.address()}"
        return Observation(address, page, self._drawn(), refusal=refusal, way=way, seconds=seconds)

    def _drawn(self) -> Element:
        page = self._site.page
        self._loads += 1
        lists = [
            Element(
                "list",
                name,
                children=tuple(Element("listitem", children=(Element("text", text=item),)) for item in items),
            )
            for name, items in self._site.in_view().items()
        ]
        controls = self._controls[page].children if page in self._controls else ()
        heading = Element("heading", self._site.heading())
        return Element("document", children=(heading, *self._site.beside(self._loads), *lists, *controls))


def _shown(action: SiteAction) -> Element:
    button = Element("button", action.name, tag="button")
    if not action.fields:
        return button
    fields = [_field(name, values) for name, values in action.fields]
    return Element("form", action.name, tag="form", children=(*fields, button))


def _field(name: str, values: tuple[str, ...]) -> Element:
    if values:
        return Element("combobox", name, tag="select", options=values)
    return Element("textbox", name, tag="input", attributes=(("type", "text"),))
