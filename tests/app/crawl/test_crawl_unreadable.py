"""Pages that cannot be read, and problems that nothing explains: the crawl goes on, or keeps what it has found."""

import threading
from dataclasses import replace

import pytest
from crawled_site import serving
from noted_crawl import Crawl

from unknot.app.crawl.crawl_record import CrawlRecord
from unknot.app.crawl.worker import CrawlWorker
from unknot.model.errors import RunnerError
from unknot.model.web.crawl_summary import CrawlSummary
from unknot.web.crawl.trace import TakenStep

pytestmark = pytest.mark.browser

DEEP = "<h1>Deep</h1>" + "<ul><li>" * 600 + "<a href=/>Home</a>"
START = "<h1>Start</h1><a href=/deep>Deep</a> <a href=/other>Other</a>"
PAGES = {"/": START, "/deep": DEEP, "/other": "<h1>Other</h1><a href=/>Home</a>"}


def kinds(found: CrawlSummary) -> set[str]:
    return {page.kind for page in found.model.pages}


def test_a_page_of_hundreds_of_nested_lists_is_a_refused_step(crawled: Crawl) -> None:
    with serving(PAGES) as site:
        found = crawled(site.address, steps=8).summary
        assert "/deep" in {each.path for each in site.asked}
        # Resumed from what was recorded.
        again = crawled(site.address, steps=10).summary
    assert kinds(found) == kinds(again) == {"/", "/other"}
    assert found.refused >= 1
    assert found.resets >= 2


def test_an_application_that_begins_with_such_a_page_is_named(crawled: Crawl) -> None:
    with serving({"/": DEEP}) as site, pytest.raises(RunnerError, match="cannot be read: RecursionError") as error:
        crawled(site.address, steps=3)
    assert error.value.slug == "crawl-unreadable"


def test_what_was_found_before_an_unexpected_problem_is_kept(crawled: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    record = CrawlRecord.record

    def fails(self: CrawlRecord, worker: int, step: TakenStep, *others: object) -> None:
        record(self, worker, step, *others)  # type: ignore[arg-type]
        if self.steps == 4:
            raise LookupError("unexpected \x1b this")

    monkeypatch.setattr(CrawlRecord, "record", fails)
    with serving(PAGES) as site:
        result = crawled(site.address, steps=9)
    assert isinstance(result.error, LookupError)
    assert result.problem == r"LookupError: unexpected \x1b this"
    assert "/other" in kinds(result.summary)
    assert result.summary.steps == 4


def test_a_thread_that_holds_what_is_found_stops_no_watcher(crawled: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    records: list[CrawlRecord] = []
    made = CrawlWorker.__init__

    def remembers(self: CrawlWorker, number: int, target: object, record: CrawlRecord, *others: object) -> None:
        records.append(record)
        made(self, number, target, record, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(CrawlWorker, "__init__", remembers)
    with serving(PAGES) as site:
        crawled(site.address, steps=4)
    (record,) = records
    known = record.progress(1)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with record.guard:
            held.set()
            done.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(60)
    try:
        assert replace(record.progress(1), seconds=0) == replace(known, seconds=0)
        with pytest.raises(RunnerError) as error:
            record.summary(patience=0.1)
        assert error.value.slug == "crawl-hangs"
    finally:
        done.set()
        holder.join()
    assert "/" in kinds(record.summary())
