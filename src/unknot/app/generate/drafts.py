"""Explores an application and drafts tests: replayed, shortened, each with checks that can fail."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from unknot.app.crawl.abstractions import page_kinds
from unknot.app.crawl.crawl import (
    CrawlOptions,
    browser_settings,
    is_same_application,
    named_origin,
    reader_of,
    targets_of,
)
from unknot.app.crawl.worker import BrowserWorker
from unknot.app.generate.generators import GENERATORS
from unknot.app.generate.progress import DraftingProgress
from unknot.app.generate.session import DraftSession, ExploredApplication
from unknot.app.options import WEB_MODEL
from unknot.app.progress import ProgressListener
from unknot.model.errors import RunnerError
from unknot.store.journal.crawl_journal import CrawlJournal
from unknot.store.state_directory import StateDirectory
from unknot.store.web_model_file import read_web_model
from unknot.web.browser.launch import origin_of
from unknot.web.suite.draft import Draft
from unknot.web.suite.faults import FaultDraft

if TYPE_CHECKING:
    from unknot.web.browser.browser_application import Login

_LOOK_SECONDS = 0.2
NOT_IN_MODEL = "not in the model"


@dataclass(frozen=True, kw_only=True)
class DraftOptions:
    """`crawl` says which application, how to log in, what is left alone, for how many `minutes` to explore and to try
    drafts, and how many `steps` to explore. `model` is the file that the crawl has written. `tests`: no more than so
    many drafts."""

    crawl: CrawlOptions
    model: Path = Path(WEB_MODEL)
    algorithm: str = next(iter(GENERATORS))
    tests: int | None = None


@dataclass(frozen=True)
class GeneratedDrafts:
    """`drafts` come page by page, and what needs least first. `dropped` counts what was not kept, by the reason.
    `problem` says why it ended before its time; what was found until then is kept. `steps` counts those of the walks,
    `recorded` those of the crawl that were used as well; `replays` and `replayed_steps` are what trying drafts took."""

    drafts: tuple[Draft, ...]
    faults: tuple[FaultDraft, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    problem: str = ""
    recorded: int = 0
    walks: int = 0
    steps: int = 0
    replays: int = 0
    replayed_steps: int = 0
    seconds: float = 0.0


def generated_drafts(options: DraftOptions, login: "Login | None", listener: ProgressListener) -> GeneratedDrafts:
    """`login` is the function that the options name. Raises UsageError for options that cannot be used, StorageError if
    there is no model, RunnerError if the application or the browser cannot be had at all. Kinds of pages and keys of
    actions are those of the model: what it does not have is dropped. The steps that the crawl has recorded are walks as
    well, if they are still there."""
    crawl = options.crawl
    model = read_web_model(options.model)
    targets = targets_of(crawl)
    kinds = page_kinds(crawl.abstraction)
    origins = (named_origin(targets[0]), *map(origin_of, crawl.also))
    reader = reader_of(crawl, targets[0], origins, kinds)
    settings = browser_settings(crawl, login, kinds)
    stop = threading.Event()
    with _journal(crawl, targets[0].named, listener) as journal:
        explored = ExploredApplication(reader, model, origins[0], journal)
        session = DraftSession(explored, crawl, options.algorithm, options.tests, lambda: not stop.is_set())
        session.read_recorded()
    workers = [
        BrowserWorker(f"generate-{number}", target, settings, partial(session.work, number))
        for number, target in enumerate(targets)
    ]
    problem = _run(workers, session, crawl, stop, listener)
    drafting = session.drafting
    drafting.give_up()
    drafts, unknown = session.drafts()
    if unknown:
        drafting.dropped[NOT_IN_MODEL] += unknown
    return GeneratedDrafts(
        tuple(drafts[: options.tests]),
        tuple(drafting.fault_drafts),
        dict(drafting.dropped.most_common()),
        problem,
        session.recorded,
        session.walks,
        session.steps,
        drafting.replays,
        drafting.replayed_steps,
        session.elapsed,
    )


def _run(
    workers: list[BrowserWorker],
    session: DraftSession,
    crawl: CrawlOptions,
    stop: threading.Event,
    listener: ProgressListener,
) -> str:
    """Until all have ended. Returns why that was before their time, and raises the problem if nothing can be kept."""
    for each in workers:
        each.start()
    try:
        while any(each.is_alive for each in workers):
            for each in workers:
                each.wait(_LOOK_SECONDS / len(workers))
                each.check(crawl.step_seconds)
            if listener.is_interrupted() or any(each.problem is not None for each in workers):
                stop.set()
            listener.drafting(_progress(session, crawl))
    except KeyboardInterrupt:
        stop.set()
        for each in workers:
            each.wait(crawl.step_seconds)
    finally:
        stop.set()
        listener.drafting_finished()
    problem = next((each.problem for each in workers if each.problem is not None), None)
    if problem is None or listener.is_interrupted():
        return ""
    if isinstance(problem, RunnerError) and session.drafts()[0]:
        return problem.message
    raise problem


def _progress(session: DraftSession, crawl: CrawlOptions) -> DraftingProgress:
    drafting = session.drafting
    return DraftingProgress(
        session.walks, session.steps, len(drafting.kept), drafting.waiting, drafting.replays, session.elapsed,
        60 * crawl.minutes,
    )  # fmt: skip


@contextmanager
def _journal(crawl: CrawlOptions, named: str, listener: ProgressListener) -> Iterator[CrawlJournal | None]:
    """The latest crawl of this application with this login."""
    path = StateDirectory(crawl.state_dir).web_journal
    with ExitStack() as opened:
        keys: list[str] = []
        if path.exists():
            keys = opened.enter_context(CrawlJournal.open(path, "")).keys()
        key = next((each for each in keys if is_same_application(each, crawl, named)), None)
        if key is None:
            listener.note(f"no steps of a crawl are used: {crawl.state_dir} has none with this address and login")
            yield None
        else:
            yield opened.enter_context(CrawlJournal.open(path, key))
