"""What a crawl would do, without doing it."""

import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from urllib.parse import urljoin

from unknot.app.crawl.abstractions import ABSTRACTIONS, page_kinds
from unknot.app.crawl.browser_settings import BrowserSettings
from unknot.app.crawl.browsers import open_playwright
from unknot.app.crawl.crawl import CrawlOptions, reader_of, reads_only, targets_of
from unknot.app.crawl.login import login_function
from unknot.app.progress import ProgressListener
from unknot.model.web.dry_run import DryRun, PlannedPage
from unknot.web.browser.launch import origin_of
from unknot.web.crawl.addresses import address_template
from unknot.web.crawl.safety import Safety
from unknot.web.crawl.view import View

PAGES = 50
_SAME = 3
"""So many pages with addresses that differ in data only show what all of them are like."""

_REPORT_PAGES = 10


def dry_run(options: CrawlOptions, listener: ProgressListener) -> DryRun:
    """Opens the addresses of links, nearest first: at most 50 pages, or `steps`, for no longer than `minutes`, and no
    more than three whose addresses differ in data only. Nothing is clicked and no form is sent; a link that changes
    data, by its name, is not followed. An instance is started and the login function is called, as in a crawl. Raises
    UsageError and RunnerError as a crawl does."""
    login = login_function(options.login, options.runner.directory) if options.login else None
    target = targets_of(replace(options, coverage=False))[0]
    settings = BrowserSettings(
        login=login, also=options.also, keeps_login=False, reads_only=reads_only(options, target)
    )
    with open_playwright() as playwright, ExitStack() as resources:
        from unknot.app.crawl.lasting_application import LastingApplication

        browser = LastingApplication(playwright, target, settings)
        resources.callback(browser.close)
        seen = browser.reset()
        origins = (browser.origin, *map(origin_of, options.also))
        reader = reader_of(options, target, origins, page_kinds(ABSTRACTIONS[0]))
        follows = Safety(frozenset(origins), writes=False)
        until = time.monotonic() + 60 * options.minutes
        pages: dict[str, View] = {}
        waiting: deque[str] = deque()
        known = {_page_of(seen.address)}
        alike: Counter[str] = Counter()
        opened = 1
        while True:
            if not seen.refusal:
                view = reader.view(seen)
                pages.setdefault(view.kind, view)
                for address in _addresses(view, follows):
                    template = address_template(address)
                    if address not in known and alike[template] < _SAME:
                        known.add(address)
                        alike[template] += 1
                        waiting.append(address)
            has_enough = opened >= (options.steps or PAGES) or time.monotonic() > until
            if not waiting or has_enough or listener.is_interrupted():
                return DryRun(tuple(map(_planned, pages.values())), opened, len(waiting))
            seen = browser.visit(waiting.popleft())
            opened += 1
            if opened % _REPORT_PAGES == 0:
                listener.status(f"{opened} pages opened, {len(waiting)} found")


def _addresses(view: View, follows: Safety) -> Iterator[str]:
    """Where links lead that only show something."""
    for action in view.actions:
        if action.href and not action.fields and not follows.why_not(action, view.observation.address):
            address = urljoin(view.observation.address, action.href)
            if address.startswith(("http:", "https:")):
                yield _page_of(address)


def _page_of(address: str) -> str:
    """Without the fragment, unless it is a route."""
    page, _, fragment = address.partition("#")
    return address if fragment.startswith(("/", "!/")) else page


def _planned(view: View) -> PlannedPage:
    actions = {each.key: each for each in view.actions}
    spared = {each.key: (each, why) for each, why in view.spared}
    observation = view.observation
    return PlannedPage(
        view.kind, observation.title, observation.address, tuple(actions.values()), tuple(spared.values())
    )
