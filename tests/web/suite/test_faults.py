"""What goes wrong on a simulated application, and the steps that show it."""

from dataclasses import replace

from unknot.model.web.step import PageStep
from unknot.web.application.observation import EventKind, Observation, PageEvent
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.generate.execution import PathExecution
from unknot.web.generate.live import LiveGenerator
from unknot.web.generate.observing import Observing
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site, action, link
from unknot.web.suite.drafting import Drafting
from unknot.web.suite.replay import ReplayPlace


class Shop(Site):
    """It cannot show an item while the basket is full, and its icon is missing."""

    start = "Shop"

    def __init__(self) -> None:
        super().__init__()
        self.basket: list[str] = []
        self.fails = False

    to_help = link("Shop", to="Help")
    back = link("Help", "Item", to="Shop")

    @action("Shop", item=("tea", "milk"))
    def add(self, item: str) -> None:
        self.basket.append(item)

    @action("Shop", to="Item")
    def show(self) -> None:
        self.fails = len(self.basket) > 1


_NO_ICON = PageEvent(EventKind.HTTP_ERROR, "404 http://simulated/icon.png")


class FailingShop(SimulatedApplication):
    def __init__(self) -> None:
        super().__init__(Shop)

    def reset(self) -> Observation:
        return replace(super().reset(), events=(_NO_ICON,))

    def perform(self, step: PageStep) -> Observation:
        seen = super().perform(step)
        events = [_NO_ICON]
        if isinstance(self._site, Shop) and self._site.fails and seen.title == "Item":
            events.append(PageEvent(EventKind.HTTP_ERROR, f"500 http://simulated/item/{len(self._site.basket)}"))
        return replace(seen, events=tuple(events))


def explored(steps: int = 120) -> tuple[ReplayPlace, Drafting]:
    application, reader = FailingShop(), PageReader(KindByTitle())
    drafting = Drafting(0, lambda: True)
    execution = PathExecution(application, reader, Shop.navigation_graph(), lambda: execution.steps < steps)
    for test in list(LiveGenerator(Observing(1)).generate(execution)):
        drafting.add(test.walk)
    return ReplayPlace(application, reader), drafting


def test_a_fault_that_is_seen_sometimes_has_the_fewest_steps_that_show_it() -> None:
    place, drafting = explored()
    drafting.try_faults(place)
    (fault,) = drafting.fault_drafts
    assert fault.kind is EventKind.HTTP_ERROR
    assert fault.text.startswith("500 http://simulated/item/")
    assert [each.action.title for each in fault.draft.steps] == ["add", "add", "show"]
    events = place.replay(fault.draft).after.observation.events
    assert any(each.text.startswith("500") for each in events)


def test_a_fault_that_each_page_of_a_kind_shows_is_left_to_the_crawl() -> None:
    _, drafting = explored()
    assert [text for (_, text), _ in drafting.faults.sometimes()] == ["# http://simulated/item/#"]


def test_a_fault_is_tried_once() -> None:
    place, drafting = explored()
    drafting.try_faults(place)
    replays = drafting.replays
    drafting.try_faults(place)
    assert drafting.replays == replays
