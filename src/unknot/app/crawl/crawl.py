"""Crawls an application in a browser, on the user's server or on an instance."""

import json
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from unknot.app.crawl.abstractions import ABSTRACTIONS, page_kinds
from unknot.app.crawl.browser_settings import BrowserSettings
from unknot.app.crawl.crawl_record import CrawlRecord
from unknot.app.crawl.explorers import EXPLORERS, session_seed
from unknot.app.crawl.login import login_function
from unknot.app.crawl.target import InstanceTarget, ServerTarget, Target, host_of
from unknot.app.crawl.worker import CrawlWorker
from unknot.app.options import RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.model.errors import RunnerError, StorageError, UnknotError, UsageError
from unknot.model.sanitise import shown
from unknot.model.web.crawl_summary import CrawlSummary
from unknot.runners.sandbox.locks import take_lock
from unknot.store.journal.crawl_journal import CrawlJournal
from unknot.store.state_directory import STATE, StateDirectory
from unknot.web.browser.launch import origin_of
from unknot.web.crawl.crawl import PageReader
from unknot.web.crawl.kinds import PageKinds
from unknot.web.crawl.safety import Safety

if TYPE_CHECKING:
    from unknot.web.browser.browser_application import Login

MINUTES = 10.0
_FORMAT = 1
"""Of what is recorded: steps of another one are not resumed."""

_LOGOUTS = ("log out", "logout", "log off", "sign out", "signout", "sign off")
"""If such an action is allowed, a login form that follows is what was asked for."""

_LOOK_SECONDS = 0.2
_STEP_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class CrawlOptions:
    """`address` may have placeholders of an instance, such as `{port0}`; empty means the first port of the instance.
    `minutes` and `steps` limit the crawl with all its sessions together; `no_cache` forgets the earlier ones. `allow`
    are words of actions that are spared otherwise, `also` further origins that may be reached. `writes` says that data
    may be changed although nothing puts it back. `libraries` are patterns for scripts that are not the application's
    own code. `step_seconds`: what takes longer hangs."""

    runner: RunnerOptions
    address: str = ""
    minutes: float = MINUTES
    steps: int | None = None
    login: str = ""
    allow: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    writes: bool = False
    explorer: str = "promising"
    abstraction: str = ABSTRACTIONS[0]
    coverage: bool = True
    libraries: tuple[str, ...] = ()
    seed: int = 0
    workers: int = 1
    no_cache: bool = False
    state_dir: Path = Path(STATE)
    step_seconds: float = _STEP_SECONDS


@dataclass(frozen=True)
class CrawlResult:
    """`problem` says why the crawl ended before its time; what was found until then is kept. `error` is the same, if it
    is to be raised once that is written: nothing outside of the crawl explains it. `is_read_only`: forms that
    change data were left alone. `resumed` counts the steps of earlier sessions. `screenshots` are JPEG images by the
    kind of page."""

    summary: CrawlSummary
    problem: str = ""
    is_read_only: bool = False
    resumed: int = 0
    screenshots: Mapping[str, bytes] = field(default_factory=dict)
    error: Exception | None = None


def crawl_application(options: CrawlOptions, listener: ProgressListener) -> CrawlResult:
    """Raises UsageError for options that cannot be used, RunnerError if the application or the browser cannot be had at
    all. Stops at the end of its time, when it is interrupted, and at whatever goes wrong later: the result says what,
    and has all that was found until then. Every step is in the journal; the same crawl goes on from there the next
    time."""
    login = login_function(options.login, options.runner.directory) if options.login else None
    targets = targets_of(options)
    named = targets[0].named
    state = StateDirectory(options.state_dir)
    key = journal_key(options, named)
    with ExitStack() as resources:
        journal = resources.enter_context(CrawlJournal.open(state.web_journal, key))
        resources.enter_context(_only_crawl(state.web))
        if options.no_cache:
            journal.forget()
        origins = (named_origin(targets[0]), *map(origin_of, options.also))
        kinds = page_kinds(options.abstraction)
        reader = reader_of(options, targets[0], origins, kinds)
        is_read_only = reads_only(options, targets[0])
        settings = replace(browser_settings(options, login, kinds), reads_only=is_read_only)
        steps_before = journal.step_count()
        explorer = EXPLORERS[options.explorer](session_seed(options.seed, steps_before))
        record = CrawlRecord(reader, explorer, origins, journal)
        record.resume()
        screenshots = state.screenshots / blake2b(key.encode(), digest_size=8).hexdigest()
        resumed = record.steps
        problem: Exception | None = None
        is_spent = record.elapsed >= 60 * options.minutes or record.steps >= (options.steps or float("inf"))
        if is_spent and resumed:
            listener.note(_spent(options, record))
        else:
            if resumed:
                listener.status(f"resuming after {resumed:,} steps and {record.elapsed:.0f} s")
            workers = [
                CrawlWorker(
                    number,
                    target,
                    record,
                    explorer if not number else explorer.companion(session_seed(options.seed, steps_before, number)),
                    settings,
                    screenshots,
                )
                for number, target in enumerate(targets)
            ]
            problem = _explore(workers, record, options, listener)
        pictures = {
            kind: path.read_bytes()
            for kind, number in record.kinds.items()
            if (path := screenshots / f"{number}.jpg").exists()
        }
        message = "" if problem is None else _message(problem)
        error = None if isinstance(problem, RunnerError) else problem
        return CrawlResult(record.summary(), message, is_read_only, resumed, pictures, error)


def journal_key(options: CrawlOptions, named: str) -> str:
    """Which crawl it is, of the application at this address."""
    return json.dumps([_FORMAT, named, options.login, options.abstraction, options.explorer, options.seed])


def is_same_application(key: str, options: CrawlOptions, named: str) -> bool:
    """Whether this is the key of a crawl with the same address and login, whatever decided on its steps."""
    return key.startswith(json.dumps([_FORMAT, named, options.login])[:-1])


def browser_settings(options: CrawlOptions, login: "Login | None", kinds: PageKinds) -> BrowserSettings:
    return BrowserSettings(
        login=login,
        also=options.also,
        keeps_login=not any(word.lower() in name for word in options.allow for name in _LOGOUTS),
        keeps_html=kinds.needs_html,
        measures_code=options.coverage,
        libraries=options.libraries,
    )


def targets_of(options: CrawlOptions) -> list[Target]:
    """For each worker one. Nothing is started."""
    spec = options.runner.instance
    if spec is None or (options.address and "{" not in options.address):
        if not options.address:
            raise UsageError(
                "no address is given, and the configuration describes no instance",
                hint="Name the address of the application, or see docs/reference/instance.md.",
                slug="crawl-address",
            )
        origin_of(options.address)
        if options.workers > 1 and options.writes:
            raise UsageError(
                "several workers would change the same data at the same time",
                hint="Describe an instance, of which each worker has its own, or leave out -n or --writes.",
                slug="crawl-workers",
            )
        return [ServerTarget(options.address) for _ in range(options.workers)]
    directory = options.runner.directory
    return [
        InstanceTarget(spec, directory, options.address, is_measured=options.coverage) for _ in range(options.workers)
    ]


def named_origin(target: Target) -> str:
    """As it is in observations: without the ports of an instance."""
    if not target.is_put_back:
        return origin_of(target.named)
    return f"{target.named.partition('://')[0]}://{host_of(target.named)}"


def reader_of(options: CrawlOptions, target: Target, origins: tuple[str, ...], kinds: PageKinds) -> PageReader:
    return PageReader(kinds, Safety(frozenset(origins), not reads_only(options, target), options.allow))


def reads_only(options: CrawlOptions, target: Target) -> bool:
    """Whether nothing may change the data: nothing puts it back, and the user does not say that it may."""
    return not (options.writes or target.is_put_back)


def _explore(
    workers: list[CrawlWorker], record: CrawlRecord, options: CrawlOptions, listener: ProgressListener
) -> Exception | None:
    """Until all workers have ended, or one hangs for good. Returns why they ended before their time, if they did, and
    raises the problem if there is nothing to keep."""
    stop = threading.Event()
    most = options.steps if options.steps is not None else float("inf")

    def goes_on() -> bool:
        return not stop.is_set() and record.elapsed < 60 * options.minutes and record.steps < most

    before = record.steps
    hangs: RunnerError | None = None
    for each in workers:
        each.explore(goes_on)
    try:
        while any(each.is_alive for each in workers):
            for each in workers:
                each.wait(_LOOK_SECONDS / len(workers))
            for each in workers:
                each.check(options.step_seconds)
            listener.crawl(record.progress(options.minutes))
            if any(each.problem is not None and not isinstance(each.problem, RunnerError) for each in workers):
                stop.set()
    except RunnerError as problem:
        hangs = problem
    except KeyboardInterrupt:
        # The steps under way are finished, recorded, and nothing is left behind.
        stop.set()
        for each in workers:
            each.wait(options.step_seconds)
    finally:
        stop.set()
        listener.crawl_finished()
    if unmeasured := next(filter(None, (each.unmeasured for each in workers)), ""):
        listener.note(f"server coverage is not measured: {unmeasured}")
    problems = [hangs] if hangs is not None else [each.problem for each in workers]
    return _problem(problems, listener, has_steps=record.steps > before)


def _problem(
    problems: Sequence[BaseException | None], listener: ProgressListener, *, has_steps: bool
) -> Exception | None:
    if listener.is_interrupted():
        return None
    found: list[Exception] = []
    for each in problems:
        if isinstance(each, Exception) and has_steps:
            found.append(each)
        elif each is not None:
            raise each
    if unexpected := [each for each in found if not isinstance(each, RunnerError)]:
        return unexpected[0]
    if found and len(found) < len(problems):
        listener.note(f"a worker ended early: {_message(found[0])}")
        return None
    return found[0] if found else None


def _message(problem: Exception) -> str:
    if isinstance(problem, UnknotError):
        return problem.message
    first, _, _ = str(problem).partition("\n")
    return f"{type(problem).__name__}: {shown(first)}"


def _spent(options: CrawlOptions, record: CrawlRecord) -> str:
    if options.steps is not None and record.steps >= options.steps:
        return (
            f"{record.steps:,} steps are recorded, so nothing was explored:"
            f" go on with --steps {2 * record.steps}, or begin again with --no-cache"
        )
    return (
        f"the {options.minutes:g} minutes are spent, so nothing was explored:"
        f" go on with --minutes {2 * options.minutes:g}, or begin again with --no-cache"
    )


@contextmanager
def _only_crawl(directory: Path) -> Iterator[None]:
    """Two crawls would mix their steps."""
    lock = take_lock(directory / "running")
    if lock is None:
        raise StorageError(
            f"another crawl uses {directory}",
            hint="Wait for it, or choose another directory with the option `state-dir`.",
            slug="crawl-running",
        )
    try:
        yield
    finally:
        os.close(lock)
