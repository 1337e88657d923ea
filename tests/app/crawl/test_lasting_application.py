"""An application that outlives its browser."""

import threading
from collections.abc import Iterator

import pytest
from crawled_site import CrawledSite, serving
from playwright.sync_api import sync_playwright

from unknot.app.crawl.browser_settings import BrowserSettings
from unknot.app.crawl.lasting_application import LastingApplication
from unknot.app.crawl.target import ServerTarget
from unknot.model.errors import RunnerError
from unknot.web.crawl.actions import actions_of

pytestmark = pytest.mark.browser

PAGES = {"/": "<h1>Start</h1><a href=/>Again</a>", "/moved": "<h1>Moved</h1>"}


class Moving(ServerTarget):
    """Has another port after each reset, as an instance may."""

    def __init__(self, addresses: list[str]) -> None:
        super().__init__(addresses[0])
        self._addresses = iter(addresses)

    def clean(self) -> str:
        return next(self._addresses)


@pytest.fixture
def site() -> Iterator[CrawledSite]:
    with serving(PAGES) as site:
        yield site


def test_a_browser_that_is_ended_loses_the_step_and_comes_back_with_the_reset(site: CrawledSite) -> None:
    with sync_playwright() as playwright:
        application = LastingApplication(playwright, ServerTarget(site.address), BrowserSettings())
        (again,) = actions_of(application.reset().root)
        for _ in range(2):
            assert not application.perform(again.step({})).is_lost
            ending = threading.Thread(target=application.end_browser)
            ending.start()
            ending.join()
            after = application.perform(again.step({}))
            assert after.is_lost
            assert after.refusal == "the page did not answer"
            assert not application.reset().is_lost
        application.close()


def test_a_browser_that_ends_all_the_time_ends_the_crawl(site: CrawledSite) -> None:
    with sync_playwright() as playwright:
        application = LastingApplication(playwright, ServerTarget(site.address), BrowserSettings())
        (again,) = actions_of(application.reset().root)

        def lose_it_often() -> None:
            for _ in range(50):
                application.end_browser()
                application.perform(again.step({}))
                application.reset()

        with pytest.raises(RunnerError) as error:
            lose_it_often()
        assert error.value.slug == "browser-lost"
        application.close()


def test_another_port_is_reached_by_a_browser_of_its_own(site: CrawledSite) -> None:
    with serving(PAGES) as other, sync_playwright() as playwright:
        target = Moving([f"{site.address}/", f"{other.address}/moved"])
        application = LastingApplication(playwright, target, BrowserSettings())
        assert application.reset().address == f"{site.address}/"
        assert application.reset().address == f"{other.address}/moved"
        assert application.host == other.address.removeprefix("http://")
        application.close()
