"""An application that answers from what was recorded."""

from collections.abc import Callable
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.web.locator import Locator
from unknot.model.web.step import PageStep
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.explorer import Explorer
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.crawl.systematic import BreadthFirst, DepthFirst
from unknot.web.crawl.trace import TakenStep
from unknot.web.recorded.observation_bytes import decode_observation, encode_observation
from unknot.web.recorded.replay_application import NeverRecorded, ReplayApplication
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site, action
from unknot.web.simulated.trello import Trello

EXPLORERS = (PromisingFirst, RandomWalk, DepthFirst, BreadthFirst)


class Remembers(Site):
    """Is not put back: the same steps lead elsewhere the second time."""

    start = "Start"
    visits = 0

    @action("Start", to=[f"Room {number}" for number in range(1, 100)])
    def go(self) -> str:
        Remembers.visits += 1
        return f"Room {Remembers.visits}"


def recorded(site: type[Site], explorer: Explorer, count: int) -> list[TakenStep]:
    return list(islice(crawl(SimulatedApplication(site), explorer, PageReader(KindByTitle()), lambda: True), count))


def replayed(trace: list[TakenStep], explorer: Explorer) -> list[TakenStep]:
    steps = crawl(ReplayApplication([trace]), explorer, PageReader(KindByTitle()), lambda: True)
    return list(islice(steps, len(trace)))


@settings(deadline=None, max_examples=20)
@given(st.sampled_from(EXPLORERS), st.integers(0, 10_000), st.integers(1, 60))
def test_an_explorer_makes_the_same_trace_on_its_own_record(
    make: Callable[[int], Explorer], seed: int, count: int
) -> None:
    trace = recorded(Trello, make(seed), count)
    assert replayed(trace, make(seed)) == trace


def test_so_it_does_where_the_same_steps_lead_elsewhere_the_second_time() -> None:
    Remembers.visits = 0
    trace = recorded(Remembers, PromisingFirst(0), 12)
    assert len({step.after.kind for step in trace}) > 3
    assert replayed(trace, PromisingFirst(0)) == trace


def test_a_trace_can_be_replayed_after_it_was_on_disk() -> None:
    trace = recorded(Trello, PromisingFirst(1), 30)
    replay = ReplayApplication([trace])
    seen = [
        replay.reset() if each.chosen is None else replay.perform(each.chosen.action.step(dict(each.chosen.values)))
        for each in trace
    ]
    assert [decode_observation(encode_observation(each)) for each in seen] == [each.after.observation for each in trace]


def test_what_was_never_recorded_is_an_error() -> None:
    replay = ReplayApplication([recorded(Trello, RandomWalk(0), 10)])
    replay.reset()
    with pytest.raises(NeverRecorded, match="what follows this step"):
        replay.perform(PageStep((Locator("button", "Nowhere"),)))


def test_a_record_without_steps_does_not_even_begin() -> None:
    with pytest.raises(NeverRecorded):
        ReplayApplication([]).reset()
    with pytest.raises(NeverRecorded):
        ReplayApplication([]).perform(PageStep(()))
