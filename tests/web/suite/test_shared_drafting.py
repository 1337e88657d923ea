"""Several threads that draft together."""

import threading
from concurrent.futures import ThreadPoolExecutor

from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import KindByTitle
from unknot.web.generate.execution import PathExecution
from unknot.web.generate.live import LiveGenerator
from unknot.web.generate.observing import Observing
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.trello import Trello
from unknot.web.suite.checks import is_true
from unknot.web.suite.drafting import Drafting
from unknot.web.suite.replay import ReplayPlace

STEPS = 150


def test_what_threads_keep_together_works_and_is_kept_once() -> None:
    reader, guard = PageReader(KindByTitle()), threading.RLock()
    drafting = Drafting(0, lambda: True, guard)

    def work(number: int) -> None:
        application = SimulatedApplication(Trello)
        place = ReplayPlace(application, reader, guard)
        execution = PathExecution(
            application, reader, Trello.navigation_graph(), lambda: execution.steps < STEPS, guard=guard
        )
        for test in LiveGenerator(Observing(number)).generate(execution):
            drafting.add(test.walk)
            drafting.try_next(place)
        while drafting.waiting:
            drafting.try_next(place)

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(work, range(3)))
    assert len(drafting.kept) > 3
    acts = [(each.steps[-1].kind, each.steps[-1].action.key, each.checks) for each in drafting.kept]
    assert len(acts) == len(set(acts))
    for draft in drafting.kept:
        done = ReplayPlace(SimulatedApplication(Trello), PageReader(KindByTitle())).replay(draft)
        assert done.worked
        assert all(is_true(check, done.before, done.after) for check in draft.checks)
