"""The measurement of generators on simulated applications."""

import pytest
from bench.generate.reader import TitleReader
from bench.generate.tables import area, share
from bench.generate.trial import BUDGET

from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.simulated.dimeshift import Dimeshift
from unknot.web.simulated.pagekit.pagekit import Pagekit
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site


@pytest.mark.parametrize("site", [Dimeshift, Pagekit])
def test_the_fast_reader_gives_the_views_of_the_general_one(site: type[Site]) -> None:
    application, fast, general = SimulatedApplication(site), TitleReader(), PageReader(KindByTitle())
    explorer = RandomWalk(1)
    view = general.view(application.reset())
    explorer.begin(view)
    for _ in range(300):
        chosen = explorer.choose(view)
        step = chosen and chosen.action.step(dict(chosen.values))
        observation = application.perform(step) if step else application.reset()
        view = general.view(observation)
        assert fast.view(observation) == view


def test_shares_and_areas() -> None:
    """Two of four transitions, at the beginning and in the middle."""
    times = [0, BUDGET // 2]
    assert share(times, BUDGET // 2, 4) == 50
    assert share(times, BUDGET // 2 - 1, 4) == 25
    assert area(times, 4) == 37.5
