"""`python -m bench.crawl.measure APPLICATION WAY SEED SECONDS FILE`: one crawl, measured at each second of its browser.

The clock is the time that the application took for steps and resets, logins and settling included; what the crawler
itself thinks is not in it, but in the wall time. All ways leave the same actions alone, and have an instance that is
put back.
"""

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.crawl.reference import ReferenceMapper
from bench.crawl.subjects import Subject, subject_of
from bench.crawl.ways import WAYS
from bench.kit.environment import DEFAULT_CACHE
from bench.kit.failure import BenchFailure
from bench.kit.process import end_when_asked
from unknot.model.errors import RunnerError
from unknot.model.web.code_coverage import CodeSet
from unknot.web.browser.browser_application import BrowserApplication, Rest
from unknot.web.browser.client_coverage import ClientCoverage
from unknot.web.browser.launch import launch, origin_of
from unknot.web.browser.own_code import OwnCode
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.safety import Safety
from unknot.web.crawl.trace import TakenStep

CLIENT, SERVER = "client bytes", "server lines"

_UNMAPPED = 40


@dataclass
class CrawlRecord:
    """`series` has for each measure its value at the end of each second. `settling` are the seconds of the browser in
    which it was only waited for. `unmapped` are transitions for review, as (source, action, target, count)."""

    application: str
    way: str
    seed: int
    limit: float
    seconds: float = 0.0
    wall: float = 0.0
    settling: float = 0.0
    steps: int = 0
    refused: int = 0
    resets: int = 0
    restless: int = 0
    edges: int = 0
    """Those of the reference that count."""
    problem: str = ""
    series: dict[str, list[int]] = field(default_factory=dict)
    start: dict[str, int] = field(default_factory=dict)
    """Code that ran until the login was done, once."""
    known: dict[str, int] = field(default_factory=dict)
    """Code that was loaded, whether it ran or not."""
    covered: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    visited: list[str] = field(default_factory=list)
    unmapped: list[tuple[str, str, str, int]] = field(default_factory=list)
    spared: list[tuple[str, str]] = field(default_factory=list)


class TimedApplication(BrowserApplication):
    """Knows how long it has waited for pages to settle."""

    settling = 0.0

    def _settle(self) -> Rest:
        started = time.monotonic()
        rest = super()._settle()
        self.settling += time.monotonic() - started
        return rest


class Measures:
    """Values at the end of each second, from steps that end at any time: a step counts from its end."""

    def __init__(self, limit: float, names: Sequence[str]) -> None:
        self.series: dict[str, list[int]] = {name: [] for name in names}
        self._limit = int(limit)
        self._latest: Mapping[str, int] = dict.fromkeys(names, 0)

    def add(self, seconds: float, values: Mapping[str, int]) -> None:
        self._fill(min(int(seconds), self._limit - 1))
        self._latest = values

    def end(self) -> None:
        self._fill(self._limit)

    def _fill(self, until: int) -> None:
        for name, row in self.series.items():
            row.extend(self._latest[name] for _ in range(until - len(row)))


def measured(subject: Subject, way: str, seed: int, limit: float, cache: Path) -> CrawlRecord:
    """One run. An application that is lost ends it early: `problem` says so. Raises RunnerError if it cannot
    begin."""
    record = CrawlRecord(subject.name, way, seed, limit)
    reference = subject.reference()
    mapper = ReferenceMapper(reference)
    record.edges = len(reference.wanted())
    measures = Measures(limit, ("edges", "kinds", "steps", CLIENT, SERVER))
    kinds: dict[str, None] = {}
    spared: dict[tuple[str, str], None] = {}
    started = time.monotonic()
    pages = WAYS[way].kinds()
    with _application(subject, cache, keep_html=pages.needs_html) as (application, origin):
        reader = PageReader(pages, Safety(frozenset([origin]), writes=True))
        try:
            for step in crawl(application, WAYS[way].explorer(seed), reader, lambda: record.seconds < limit):
                _count(record, step)
                if record.seconds > limit:
                    # What ends after the time is up does not count.
                    break
                mapper.add(step)
                kinds[step.after.kind] = None
                spared |= {(action.title, why): None for action, why in step.after.spared}
                code = _sizes(reader.covered.ran)
                record.start = record.start or code
                counts = {"edges": mapper.count(), "kinds": len(kinds), "steps": record.steps}
                measures.add(record.seconds, counts | code)
        except RunnerError as problem:
            if not record.steps:
                raise
            record.problem = problem.message
        record.settling = application.settling
        record.known = _sizes(reader.covered.known)
    measures.end()
    record.wall = time.monotonic() - started
    record.series = measures.series
    record.covered, record.missing, record.visited = list(mapper.covered), list(mapper.missing()), list(mapper.visited)
    record.unmapped = [
        (each.source, each.action, each.target, count) for each, count in mapper.unmapped.most_common(_UNMAPPED)
    ]
    record.spared = list(spared)
    return record


def _sizes(code: CodeSet) -> dict[str, int]:
    size = code.size()
    return {CLIENT: size.client_bytes, SERVER: size.server_lines}


def _count(record: CrawlRecord, step: TakenStep) -> None:
    record.seconds += step.after.observation.seconds
    record.restless += step.after.observation.is_restless
    if step.chosen is None:
        record.resets += 1
    else:
        record.steps += 1
        record.refused += bool(step.after.observation.refusal)


@contextmanager
def _application(subject: Subject, cache: Path, *, keep_html: bool) -> Iterator[tuple[TimedApplication, str]]:
    with subject.instance(cache) as instance, sync_playwright() as playwright:

        def clean() -> str:
            instance.reset()
            return f"http://127.0.0.1:{instance.variables['UNKNOT_PORT_0']}/"

        origin = origin_of(clean())
        browser = launch(playwright, [origin])
        server = instance.coverage
        assert server is not None
        client = ClientCoverage(OwnCode([origin]))
        application = TimedApplication(browser, clean, subject.login(), client, server.taken, keep_html=keep_html)
        try:
            yield application, origin
            if server.problem:
                raise BenchFailure(f"server lines are not measured: {server.problem}")
        finally:
            application.close()
            browser.close()


def main() -> None:
    name, way, seed, limit, file = sys.argv[1:]
    end_when_asked()
    record = measured(subject_of(name), way, int(seed), float(limit), DEFAULT_CACHE)
    Path(file).write_text(json.dumps(asdict(record)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
