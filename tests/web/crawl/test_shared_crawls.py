"""Crawls that share what they learn, that go on from a record, and that lose their page."""

import threading
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.web.element import Element
from unknot.model.web.step import PageStep
from unknot.web.application.observation import Observation
from unknot.web.crawl.crawl import PageReader, crawl, learn_again
from unknot.web.crawl.explorer import Explorer
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.crawl.systematic import BreadthFirst, DepthFirst
from unknot.web.crawl.trace import TakenStep
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site, action
from unknot.web.simulated.trello import Trello

EXPLORERS = (PromisingFirst, RandomWalk, DepthFirst, BreadthFirst)


class Hall(Site):
    start = "Hall"

    @action("Hall")
    def one(self) -> None: ...

    @action("Hall")
    def two(self) -> None: ...


class Empty(Site):
    start = "Empty"


@pytest.mark.parametrize("make", EXPLORERS)
def test_workers_share_what_they_learn(make: type[PromisingFirst]) -> None:
    """Each step is recorded in the sequence in which it was learned, by whichever worker."""
    guard = threading.RLock()
    reader = PageReader(KindByTitle())
    first = make(0)
    explorers: list[Explorer] = [first, first.companion(1)]
    taken: list[tuple[int, TakenStep]] = []
    problems: list[BaseException] = []

    def record(number: int, step: TakenStep) -> None:
        taken.append((number, step))

    def walk(number: int) -> None:
        try:
            steps = crawl(SimulatedApplication(Trello), explorers[number], reader, lambda: len(taken) < 300, guard)
            for step in steps:
                record(number, step)
        except BaseException as problem:  # noqa: BLE001 - asserted below
            problems.append(problem)

    threads = [threading.Thread(target=walk, args=(number,)) for number in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not problems
    assert {number for number, _ in taken} == {0, 1}
    for number in range(2):
        own = [step for worker, step in taken if worker == number]
        assert all(after.before in (None, before.after) for before, after in pairwise(own))


def test_two_workers_do_not_try_the_same_action_at_the_same_time() -> None:
    reader = PageReader(KindByTitle())
    first = PromisingFirst(0)
    view = reader.view(SimulatedApplication(Hall).reset())
    chosen = []
    for explorer in (first, first.companion(0)):
        explorer.begin(view)
        chosen.append(explorer.choose(view))
    assert {each.action.name for each in chosen if each is not None} == {"one", "two"}


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 1000), st.integers(1, 80))
def test_a_record_teaches_what_the_crawl_itself_has_taught(seed: int, count: int) -> None:
    explorer, again = PromisingFirst(seed), PromisingFirst(seed)
    reader = PageReader(KindByTitle())
    for step in islice(crawl(SimulatedApplication(Trello), explorer, reader, lambda: True), count):
        learn_again(again, step)
    assert dict(again.model.records) == dict(explorer.model.records)
    assert again.model.actions == explorer.model.actions


@pytest.mark.parametrize("make", EXPLORERS)
def test_every_strategy_goes_on_from_a_record_of_another_one(make: type[PromisingFirst]) -> None:
    explorer = make(0)
    reader = PageReader(KindByTitle())
    for step in islice(crawl(SimulatedApplication(Trello), RandomWalk(3), reader, lambda: True), 60):
        learn_again(explorer, step)
    steps = list(islice(crawl(SimulatedApplication(Trello), explorer, reader, lambda: True), 60))
    assert steps[0].chosen is None
    assert any(step.chosen is not None for step in steps)


@pytest.mark.parametrize("make", EXPLORERS)
def test_a_crawl_without_any_action_ends(make: type[PromisingFirst]) -> None:
    steps = list(islice(crawl(SimulatedApplication(Empty), make(0), PageReader(KindByTitle()), lambda: True), 100))
    assert len(steps) < 5


def test_a_strategy_that_has_done_all_ends_the_crawl() -> None:
    steps = list(islice(crawl(SimulatedApplication(Hall), DepthFirst(0), PageReader(KindByTitle()), lambda: True), 100))
    assert [step.chosen.action.name for step in steps if step.chosen is not None] == ["one", "two"]


class Endless:
    """Stories that lead to more stories, each with a name of its own, and a few other pages."""

    def __init__(self) -> None:
        self._where = "/"
        self.visited: set[str] = set()

    def reset(self) -> Observation:
        self._where = "/"
        return self._seen()

    def look_again(self) -> Observation | None:
        return None

    def perform(self, step: PageStep) -> Observation:
        self._where = self._links()[step.locators[0].name]
        return self._seen()

    def _links(self) -> dict[str, str]:
        if self._where.startswith("/story/"):
            return {f"{self._where[7:]}{letter}": f"{self._where}{letter}" for letter in "xyz"}
        start = {"Stories": "/story/a", "Settings": "/settings", "Help": "/help"}
        return {"/": start, "/settings": {"Deep": "/deep"}}.get(self._where, {})

    def _seen(self) -> Observation:
        self.visited.add(self._where)
        links = (Element("link", name, "a", attributes=(("href", to),)) for name, to in self._links().items())
        return Observation(f"http://site{self._where}", self._where, Element("document", children=tuple(links)))


@pytest.mark.parametrize("seed", range(8))
def test_pages_without_end_leave_time_for_the_rest(seed: int) -> None:
    application = Endless()
    list(islice(crawl(application, PromisingFirst(seed), PageReader(KindByTitle()), lambda: True), 120))
    assert {"/settings", "/deep", "/help"} <= application.visited


class Crashing:
    """The second action crashes the page."""

    def __init__(self) -> None:
        self._inner = SimulatedApplication(Hall)
        self.resets = 0

    def reset(self) -> Observation:
        self.resets += 1
        return self._inner.reset()

    def look_again(self) -> Observation | None:
        return None

    def perform(self, step: PageStep) -> Observation:
        if step.locators[0].name == "two":
            return Observation("about:crashed", "", Element("document"), refusal="the page crashed", is_lost=True)
        return self._inner.perform(step)


def test_a_page_that_is_lost_is_a_failed_step_of_the_page_before_and_then_a_reset() -> None:
    application = Crashing()
    steps = list(islice(crawl(application, PromisingFirst(0), PageReader(KindByTitle()), lambda: True), 40))
    assert {step.after.kind for step in steps} == {"Hall"}
    assert application.resets > 1
    for before, after in pairwise(steps):
        if before.after.observation.is_lost:
            assert after.chosen is None
    crashed = [step for step in steps if step.after.observation.is_lost]
    assert 0 < len(crashed) < len(steps) / 2
