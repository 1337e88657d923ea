"""What earlier sessions of a crawl have recorded."""

from collections.abc import Iterator

from unknot.store.journal.crawl_journal import CrawlJournal, JournalRow
from unknot.store.journal.failures import damaged
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.trace import TakenStep
from unknot.web.crawl.view import View
from unknot.web.recorded.observation_bytes import DamagedObservation, decode_observation
from unknot.web.recorded.step_text import DamagedStep, decode_step


def recorded_steps(journal: CrawlJournal, reader: PageReader) -> Iterator[tuple[JournalRow, TakenStep]]:
    """In their sequence; the reader learns from them as it did then. Raises StorageError if one is damaged."""
    before: dict[int, View] = {}
    for row in journal.steps():
        step = _recorded(journal, reader, row, before.get(row.worker))
        yield row, step
        before[row.worker] = step.after


def _recorded(journal: CrawlJournal, reader: PageReader, row: JournalRow, before: View | None) -> TakenStep:
    try:
        observation = decode_observation(row.observation)
        chosen = decode_step(row.step) if row.step else None
    except (DamagedObservation, DamagedStep) as problem:
        raise damaged(journal.path, problem) from problem
    if chosen is None or before is None:
        return TakenStep(None, None, reader.view(observation))
    reader.kinds.typed([value for _, value in chosen.values])
    return reader.taken(before, chosen, observation)
