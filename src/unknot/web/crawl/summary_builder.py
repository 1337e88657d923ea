"""What a crawl has found: the model of the application, and what went wrong."""

from collections import Counter

from unknot.model.web.crawl_summary import CrawlCoverage, CrawlSummary, PageFault
from unknot.web.application.observation import WOULD_CHANGE, EventKind
from unknot.web.crawl.covered_code import CoveredCode
from unknot.web.crawl.model_builder import ModelBuilder
from unknot.web.crawl.trace import TakenStep

_FAULTS = frozenset({EventKind.PAGE_ERROR, EventKind.CONSOLE_ERROR, EventKind.HTTP_ERROR, EventKind.REQUEST_FAILED})


class SummaryBuilder:
    """Collects the steps of a crawl. Valid after each of them."""

    def __init__(self, origins: tuple[str, ...] = ()) -> None:
        self._model = ModelBuilder(origins)
        self._covered: CoveredCode | None = None
        self._faults: Counter[tuple[str, str, str, str]] = Counter()
        self._blocked: dict[str, None] = {}
        self._unsent: dict[str, None] = {}
        self._steps = self._refused = self._resets = self._lost_logins = 0
        self._seconds = 0.0

    def add(self, step: TakenStep) -> None:
        self._model.add(step)
        self._seconds += step.after.observation.seconds
        if step.after.observation.coverage is not None:
            self._covered = self._covered or CoveredCode()
            self._covered.add(step.after.observation.coverage)
        page, action = "", ""
        if step.before is None or step.chosen is None:
            self._resets += 1
        else:
            page, action = step.before.kind, step.chosen.action.title
            self._steps += 1
            self._refused += step.after.refused
        for event in step.after.observation.events:
            if event.kind is EventKind.BLOCKED:
                self._blocked[event.text] = None
            elif event.kind is EventKind.NOT_SENT:
                self._unsent[event.text] = None
            elif event.kind is EventKind.LOGIN_LOST:
                self._lost_logins += 1
            elif event.kind in _FAULTS and not step.after.refusal.startswith(WOULD_CHANGE):
                self._faults[event.kind.value, event.text, page, action] += 1

    def summary(self) -> CrawlSummary:
        return CrawlSummary(
            self._model.model(),
            tuple(PageFault(*fault, count) for fault, count in self._faults.items()),
            tuple(self._blocked),
            self._steps,
            self._refused,
            self._resets,
            self._seconds,
            self._lost_logins,
            CrawlCoverage(self._covered.ran.size(), self._covered.known.size()) if self._covered else None,
            tuple(self._unsent),
        )
