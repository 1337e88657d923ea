"""Crawls an application in a browser, on the user's server or on an instance."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unknot.app.crawl.login import login_function
from unknot.app.options import RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.model.crawl import CrawlSummary
from unknot.model.errors import RunnerError, UsageError
from unknot.model.sanitise import shown
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.explorer import Explorer
from unknot.web.crawl.kinds import FoldedKinds
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.crawl.record import CrawlRecord
from unknot.web.crawl.safety import Safety
from unknot.web.crawl.systematic import BreadthFirst, DepthFirst

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

MINUTES = 10.0
_OF_INSTANCE = "http://127.0.0.1:{port0}/"

_REPORT_SECONDS = 5.0
_PORT = "UNKNOT_PORT_"

_EXPLORERS: dict[str, Callable[[int], Explorer]] = {
    "promising": PromisingFirst,
    "depth-first": DepthFirst,
    "breadth-first": BreadthFirst,
    "random": RandomWalk,
}
EXPLORERS = tuple(_EXPLORERS)


@dataclass(frozen=True, kw_only=True)
class CrawlOptions:
    """`address` may have placeholders of an instance, such as `{port0}`; empty means the first port of the instance.
    `allow` are words of actions that are spared otherwise, `also` further origins that may be reached. `writes` says
    that data may be changed although nothing puts it back."""

    runner: RunnerOptions
    address: str = ""
    minutes: float = MINUTES
    steps: int | None = None
    login: str = ""
    allow: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    writes: bool = False
    explorer: str = "promising"
    seed: int = 0


@dataclass(frozen=True)
class CrawlResult:
    """`problem` says why the crawl ended before its time; what was found until then is kept. `is_read_only`: forms that
    change data were left alone."""

    summary: CrawlSummary
    problem: str = ""
    is_read_only: bool = False


def crawl_application(options: CrawlOptions, listener: ProgressListener) -> CrawlResult:
    """Raises UsageError for options that cannot be used, RunnerError if the application or the browser cannot be had at
    all. Stops at the end of its time, when it is interrupted, and if the application is lost."""
    login = login_function(options.login, options.runner.directory) if options.login else None
    with _playwright() as playwright, ExitStack() as resources:
        from unknot.web.browser.browser_application import BrowserApplication
        from unknot.web.browser.launch import launch, origin_of

        clean, can_reset = _clean_state(options, resources, listener)
        origins = [origin_of(clean()), *map(origin_of, options.also)]
        browser = launch(playwright, origins)
        resources.callback(browser.close)
        application = BrowserApplication(browser, clean, login)
        resources.callback(application.close)
        writes = can_reset or options.writes
        reader = PageReader(FoldedKinds(), Safety(frozenset(origins), writes, options.allow))
        explorer = _EXPLORERS[options.explorer](options.seed)
        record = CrawlRecord()
        until = time.monotonic() + 60 * options.minutes
        most = options.steps
        steps = 0
        reported = time.monotonic()

        def goes_on() -> bool:
            in_time = time.monotonic() < until and (most is None or steps < most)
            return in_time and not listener.is_interrupted()

        try:
            for step in crawl(application, explorer, reader, goes_on):
                steps += step.chosen is not None
                record.add(step)
                if time.monotonic() > reported + _REPORT_SECONDS:
                    reported = time.monotonic()
                    listener.status(f"{steps:,} steps, {len(reader.kinds_seen):,} kinds of pages")
        except RunnerError as problem:
            if not steps:
                raise
            return CrawlResult(record.summary(reader.spared), problem.message, not writes)
        return CrawlResult(record.summary(reader.spared), is_read_only=not writes)


def _clean_state(
    options: CrawlOptions, resources: ExitStack, listener: ProgressListener
) -> tuple[Callable[[], str], bool]:
    """What puts the application back and returns its address, and whether it does put back more than the browser."""
    spec = options.runner.instance
    if spec is None or (options.address and "{" not in options.address):
        if not options.address:
            raise UsageError(
                "no address is given, and the configuration describes no instance",
                hint="Name the address of the application, or see docs/reference/instance.md.",
                slug="crawl-address",
            )
        return lambda: options.address, False
    from unknot.runners.sut.instance import SandboxedInstance

    listener.status("starting an instance")
    instance = SandboxedInstance(spec, options.runner.directory)
    resources.callback(instance.close)

    def clean() -> str:
        instance.reset()
        return _filled(options.address or _OF_INSTANCE, instance.variables)

    return clean, True


def _filled(address: str, variables: Mapping[str, str]) -> str:
    """With `{port0}` and the like as the instance has them now."""
    ports = {
        f"{{port{name.removeprefix(_PORT)}}}": value for name, value in variables.items() if name.startswith(_PORT)
    }
    for name, value in ports.items():
        address = address.replace(name, value)
    if "{" in address:
        raise UsageError(
            f"{shown(address)} has a placeholder that the instance does not fill",
            hint=f"There are {', '.join(ports)}." if ports else "Give the instance `ports = 1`.",
            slug="crawl-address",
        )
    return address


@contextmanager
def _playwright() -> "Iterator[Playwright]":
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as problem:
        raise RunnerError(
            "Playwright is not installed",
            hint="Install it with `pip install 'unknot[web]'`; it needs no browser of its own.",
            slug="playwright-missing",
        ) from problem
    with sync_playwright() as playwright:
        yield playwright
