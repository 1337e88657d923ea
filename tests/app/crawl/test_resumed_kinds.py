"""A crawl that goes on from its record knows the pages as the one that was interrupted did."""

from pathlib import Path

import pytest
from web.crawl.noisy_sites import Mailbox, Weather, Wizard

from unknot.app.crawl.crawl_record import CrawlRecord
from unknot.store.journal.crawl_journal import CrawlJournal
from unknot.web.crawl.crawl import PageReader, crawl
from unknot.web.crawl.kinds import FoldedKinds
from unknot.web.crawl.random_walk import RandomWalk
from unknot.web.crawl.trace import TakenStep
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site

STEPS = 120


def new_record(journal: CrawlJournal) -> CrawlRecord:
    return CrawlRecord(PageReader(FoldedKinds()), RandomWalk(0), ("http://simulated",), journal)


def keep(record: CrawlRecord, step: TakenStep, directory: Path) -> None:
    record.record(0, step, lambda: b"", directory)


def gone_on(reader: PageReader, done: list[TakenStep], left: list[TakenStep]) -> list[TakenStep]:
    """The steps that are left, as this reader sees them."""
    steps: list[TakenStep] = []
    before = reader.view(done[-1].after.observation)
    for each in left:
        seen = each.after.observation
        if each.chosen is None:
            step = TakenStep(None, None, reader.view(seen))
        else:
            reader.kinds.typed([value for _, value in each.chosen.values])
            step = reader.taken(before, each.chosen, seen)
        steps.append(step)
        before = step.after
    return steps


@pytest.mark.parametrize("site", [Wizard, Weather, Mailbox])
@pytest.mark.parametrize("interrupted", [1, 30, 80, STEPS])
def test_a_crawl_that_was_interrupted_and_resumed_finds_the_same_kinds(
    site: type[Site], interrupted: int, tmp_path: Path
) -> None:
    with (
        CrawlJournal.open(tmp_path / "web" / "whole.sqlite", "whole") as journal,
        CrawlJournal.open(tmp_path / "web" / "begun.sqlite", "begun") as begun,
    ):
        whole, first = new_record(journal), new_record(begun)
        steps: list[TakenStep] = []
        for step in crawl(SimulatedApplication(site), RandomWalk(0), whole.reader, lambda: len(steps) < STEPS):
            steps.append(step)
            keep(whole, step, tmp_path)
            if len(steps) <= interrupted:
                keep(first, step, tmp_path)
        again = new_record(begun)
        again.resume()
        assert (again.kinds, again.summary()) == (first.kinds, first.summary())
        for step in gone_on(again.reader, steps[:interrupted], steps[interrupted:]):
            keep(again, step, tmp_path)
        assert (again.kinds, again.summary()) == (whole.kinds, whole.summary())


def test_a_kind_that_was_split_is_split_after_a_resume(tmp_path: Path) -> None:
    with CrawlJournal.open(tmp_path / "web" / "journal.sqlite", "crawl") as journal:
        record = new_record(journal)
        application = SimulatedApplication(Wizard)
        for step in crawl(application, RandomWalk(0), record.reader, lambda: application.seconds < 100):
            keep(record, step, tmp_path)
        again = new_record(journal)
        again.resume()
        assert len(again.kinds) == len(record.kinds) > 2


def test_after_a_resume_noise_is_known_without_another_look(tmp_path: Path) -> None:
    with CrawlJournal.open(tmp_path / "web" / "journal.sqlite", "crawl") as journal:
        record = new_record(journal)
        application = SimulatedApplication(Weather)
        for step in crawl(application, RandomWalk(0), record.reader, lambda: application.seconds < 200):
            keep(record, step, tmp_path)
        again = new_record(journal)
        again.resume()
        assert again.reader.kinds.noise == record.reader.kinds.noise != FoldedKinds().noise
        assert not again.reader.kinds.wants_twin(SimulatedApplication(Weather).reset())
