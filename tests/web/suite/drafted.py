"""Drafts of tests for simulated applications."""

from dataclasses import dataclass

from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.crawl.trace import TakenStep
from unknot.web.generate.execution import PathExecution
from unknot.web.generate.live import LiveGenerator
from unknot.web.generate.observing import Observing
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site
from unknot.web.suite.drafting import Drafting
from unknot.web.suite.replay import ReplayPlace


@dataclass
class Drafted:
    drafting: Drafting
    walks: list[tuple[TakenStep, ...]]


def drafted(site: type[Site], seed: int, steps: int = 60) -> Drafted:
    """Walks of so many steps, and all drafts of them tried."""
    application, reader = SimulatedApplication(site), PageReader(KindByTitle())
    drafting = Drafting(seed, lambda: True)
    place = ReplayPlace(application, reader)
    # A site without actions takes no steps.
    resets = 20

    def goes_on() -> bool:
        return execution.steps < steps and len(walks) < resets

    execution = PathExecution(application, reader, site.navigation_graph(), goes_on)
    walks: list[tuple[TakenStep, ...]] = []
    for test in LiveGenerator(Observing(seed)).generate(execution):
        walks.append(test.walk)
        drafting.add(test.walk)
    while drafting.waiting:
        drafting.try_next(place)
    return Drafted(drafting, walks)
