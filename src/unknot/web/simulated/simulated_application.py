"""A simulated application behind the protocol of all applications."""

from unknot.model.navigation_graph import Transition
from unknot.web.application.element import Element
from unknot.web.application.observation import Observation
from unknot.web.application.step import PageStep
from unknot.web.simulated.site import GuardViolated, Site, SiteAction

RESET_SECONDS, STEP_SECONDS = 3.0, 1.0
"""A reset costs as much as three steps, as measured with real applications in a browser."""


class SimulatedApplication:
    """Shows each page as a document: a heading, the lists in view, and a form for each action, or a button for one
    without parameters. `taken` has the transitions that were taken, each once, in order of the first time."""

    def __init__(self, site: type[Site]) -> None:
        self._make = site
        self._site = site()
        self._actions = site.actions()
        self._shown = {each: _shown(each) for each in self._actions}
        self._document = self._drawn()
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
        source = self._site.page
        try:
            result = getattr(self._site, chosen.name)(**given)
        except GuardViolated as problem:
            return self._observe(STEP_SECONDS, str(problem))
        target, way = (result or source, "") if not isinstance(result, tuple) else result
        self._site.page = target
        self.taken[Transition(chosen.name, source, target, condition=way)] = None
        return self._observe(STEP_SECONDS)

    def _meant(self, step: PageStep) -> SiteAction | None:
        for locator in step.locators:
            found = locator.find(self._document)
            if len(found) == 1:
                return next((each for each in self._actions if each.name == found[0].name), None)
        return None

    def _inputs(self, step: PageStep) -> list[tuple[str, str]]:
        return [
            (found[0].name, each.value)
            for each in step.inputs
            for locator in each.locators[:1]
            if len(found := locator.find(self._document)) == 1 and each.value in found[0].options
        ]

    def _observe(self, seconds: float, refusal: str = "") -> Observation:
        self.seconds += seconds
        page = self._site.page
        self._document = self._drawn()
        return Observation(f"http://simulated/{page}", page, self._document, refusal=refusal, seconds=seconds)

    def _drawn(self) -> Element:
        page = self._site.page
        lists = [
            Element(
                "list",
                name,
                children=tuple(Element("listitem", children=(Element("text", text=item),)) for item in items),
            )
            for name, items in self._site.in_view().items()
        ]
        actions = [shown for each, shown in self._shown.items() if page in each.pages]
        return Element("document", children=(Element("heading", page), *lists, *actions))


def _shown(action: SiteAction) -> Element:
    button = Element("button", action.name, tag="button")
    if not action.fields:
        return button
    fields = [Element("combobox", name, tag="select", options=values) for name, values in action.fields]
    return Element("form", action.name, tag="form", children=(*fields, button))
