"""The clock of the browser, set ahead."""

import time

import pytest
from crawled_site import serving
from playwright.sync_api import sync_playwright

from unknot.model.web.locator import Locator
from unknot.model.web.step import PageStep
from unknot.web.browser.browser_application import BrowserApplication
from unknot.web.browser.launch import launch, origin_of

pytestmark = pytest.mark.browser

PAGE = """<h1>Clock</h1><p id=days></p>
    <button onclick="setTimeout(() => days.textContent = Math.floor(Date.now() / 864e5), 50)">Show</button>"""


def test_the_page_has_the_time_of_another_day_and_settles() -> None:
    with serving({"/": PAGE}) as site, sync_playwright() as playwright:
        browser = launch(playwright, [origin_of(site.address)])
        application = BrowserApplication(browser, lambda: site.address)
        shown = []
        for ahead in (0, 40, 0):
            application.days_ahead = ahead
            application.reset()
            seen = application.perform(PageStep((Locator("button", "Show"),)))
            assert not seen.is_restless
            (days,) = (int(each.text) for each in seen.root.walk() if each.text.isdecimal())
            shown.append(days)
        application.close()
        browser.close()
    today = int(time.time() // 86_400)
    assert shown[0] in (today - 1, today)
    assert shown[1] - shown[0] in (40, 41)
    assert shown[2] - shown[0] in (0, 1)
