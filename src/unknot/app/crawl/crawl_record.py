"""What the workers of a crawl share: the learned model, the journal, and what was found."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from unknot.app.crawl.progress import CrawlProgress
from unknot.app.crawl.recorded_steps import recorded_steps
from unknot.model.errors import RunnerError
from unknot.model.web.crawl_summary import CrawlSummary
from unknot.store.atomic import write_bytes_atomically
from unknot.store.journal.crawl_journal import CrawlJournal, JournalRow
from unknot.web.crawl.crawl import PageReader, learn_again
from unknot.web.crawl.explorer import Explorer
from unknot.web.crawl.learned_model import place_of
from unknot.web.crawl.summary_builder import SummaryBuilder
from unknot.web.crawl.trace import TakenStep
from unknot.web.recorded.observation_bytes import encode_observation
from unknot.web.recorded.step_text import encode_step

_LOOK_SECONDS = 0.2
_PATIENCE_SECONDS = 15.0


class CrawlRecord:
    """`guard` is held by the thread that reads a page, learns or records. A look at these threads waits for it
    for a limited time only, as one of them may hang. `elapsed` counts from the first page that this session has seen,
    after what earlier ones took."""

    def __init__(self, reader: PageReader, explorer: Explorer, origins: tuple[str, ...], journal: CrawlJournal) -> None:
        self.guard = threading.RLock()
        self.reader = reader
        self.explorer = explorer
        self.steps = 0
        self._journal = journal
        self._found = SummaryBuilder(origins)
        self._tried: dict[tuple[str, str], bool] = {}
        self.kinds: dict[str, int] = {}
        """Numbered in the sequence in which they were found."""
        self._sizes = 0, 0, 0
        self._earlier = 0.0
        self._since: float | None = None

    @property
    def elapsed(self) -> float:
        return self._earlier + (time.monotonic() - self._since if self._since is not None else 0.0)

    def summary(self, patience: float = _PATIENCE_SECONDS) -> CrawlSummary:
        """Raises RunnerError if a thread holds the guard for longer than `patience`."""
        if not self.guard.acquire(timeout=patience):
            raise RunnerError(
                f"the crawl hangs: it has been reading one page for more than {patience:.0f} s",
                hint="Run the command again to resume: all steps before are recorded.",
                slug="crawl-hangs",
            )
        try:
            return self._found.summary()
        finally:
            self.guard.release()

    def progress(self, minutes: float) -> CrawlProgress:
        """As it was before, while a thread holds the guard."""
        if self.guard.acquire(timeout=_LOOK_SECONDS):
            try:
                tried = sum(self._tried.values())
                self._sizes = len(self.kinds), tried, len(self._tried) - tried
            finally:
                self.guard.release()
        return CrawlProgress(*self._sizes, self.steps, self.elapsed, 60 * minutes)

    def resume(self) -> None:
        """Learns from all that earlier sessions have recorded. Raises StorageError if it is damaged."""
        for row, step in recorded_steps(self._journal, self.reader):
            learn_again(self.explorer, step)
            self._add(step)
            self._earlier = max(self._earlier, row.elapsed)

    def record(self, worker: int, step: TakenStep, picture: Callable[[], bytes], screenshots: Path) -> None:
        """Called with the guard held, in the thread of the worker. Once it returns the step is kept, whatever happens
        to this process."""
        if self._since is None:
            self._since = time.monotonic()
        is_new = step.after.kind not in self.kinds
        self._add(step)
        place = step.before.kind if step.before is not None else ""
        action, text = (step.chosen.action.key, encode_step(step.chosen)) if step.chosen is not None else ("", "")
        observation = encode_observation(step.after.observation)
        self._journal.record(JournalRow(worker, self.elapsed, place, action, text, observation))
        if is_new and (content := picture()):
            # Named by the sequence in which kinds were found: nothing of a page reaches a path.
            write_bytes_atomically(screenshots / f"{len(self.kinds)}.jpg", content)

    def _add(self, step: TakenStep) -> None:
        self._found.add(step)
        self.steps += step.chosen is not None
        self.kinds.setdefault(step.after.kind, len(self.kinds) + 1)
        for action in step.after.actions:
            self._tried.setdefault((place_of(step.after.kind, action), action.key), False)
        if step.before is not None and step.chosen is not None:
            action = step.chosen.action
            self._tried[place_of(step.before.kind, action), action.key] = True
