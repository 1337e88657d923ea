"""Who watches a worker ends what hangs, each time."""

import pytest

from unknot.app.crawl.browser_settings import BrowserSettings
from unknot.app.crawl.target import ServerTarget
from unknot.app.crawl.worker import BrowserWorker
from unknot.model.errors import RunnerError


class Watched:
    """An application, as far as it is watched."""

    def __init__(self) -> None:
        self.busy, self.ended = 0.0, 0

    def busy_for(self) -> float:
        return self.busy

    def end_browser(self) -> None:
        self.ended += 1


@pytest.fixture
def watched() -> Watched:
    return Watched()


@pytest.fixture
def worker(watched: Watched) -> BrowserWorker:
    worker = BrowserWorker("watched", ServerTarget("http://127.0.0.1:9/"), BrowserSettings(), lambda *_: None)
    worker._application = watched  # type: ignore[assignment]
    return worker


def test_a_second_browser_that_hangs_is_ended_although_no_look_found_the_worker_idle(
    worker: BrowserWorker, watched: Watched
) -> None:
    for busy in (11, 1, 11):
        watched.busy = busy
        worker.check(10)
    assert watched.ended == 2


def test_what_hangs_on_without_its_browser_ends_the_crawl(worker: BrowserWorker, watched: Watched) -> None:
    for watched.busy in (11, 12):
        worker.check(10)
    assert watched.ended == 1
    watched.busy = 100
    with pytest.raises(RunnerError) as error:
        worker.check(10)
    assert error.value.slug == "browser-lost"
