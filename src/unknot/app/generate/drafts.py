"""Explores an application and drafts tests: replayed, shortened, each with checks that can fail."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unknot.app.crawl.crawl import CrawlOptions
from unknot.app.options import WEB_MODEL
from unknot.app.progress import ProgressListener
from unknot.web.suite.draft import Draft
from unknot.web.suite.faults import FaultDraft


@dataclass(frozen=True, kw_only=True)
class DraftOptions:
    """`crawl` says which application, how to log in, what is left alone, and for how many `minutes` and `steps` to
    explore and replay. `model` is the file that the crawl has written. `tests`: no more than so many drafts."""

    crawl: CrawlOptions
    model: Path = Path(WEB_MODEL)
    algorithm: str = "observing"
    tests: int | None = None


@dataclass(frozen=True)
class GeneratedDrafts:
    """`drafts` come page by page, and what needs least first. `dropped` counts what was not kept, by the reason.
    `problem` says why it ended before its time; what was found until then is kept. `steps` counts those of the walks,
    `replays` and `replayed_steps` what trying drafts took."""

    drafts: tuple[Draft, ...]
    faults: tuple[FaultDraft, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    problem: str = ""
    walks: int = 0
    steps: int = 0
    replays: int = 0
    replayed_steps: int = 0
    seconds: float = 0.0


def generated_drafts(options: DraftOptions, listener: ProgressListener) -> GeneratedDrafts:
    """Raises UsageError for options that cannot be used, RunnerError if the application or the browser cannot be had at
    all. Kinds of pages and keys of actions are those of the model: what it does not have is dropped."""
    raise NotImplementedError
