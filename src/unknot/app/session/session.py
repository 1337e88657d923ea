"""What operations that run tests need before they can start: settings, a runner, the suite."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from unknot.app.configuration import PYTEST
from unknot.app.options import RunnerOptions, worker_count
from unknot.app.progress import ProgressListener
from unknot.model.errors import CollectionError, UsageError
from unknot.model.sanitise import shown_lines
from unknot.runners.protocol import Listing, Runner
from unknot.runners.sandbox.working_copy import project_files, project_root, why_not_copy
from unknot.runners.settings import Settings
from unknot.runners.sut.spec import InstanceSpec


@dataclass(frozen=True)
class Session:
    """A runner and the suite it has listed. Use it as a context manager: everything it started ends with it."""

    runner: Runner
    listing: Listing
    settings: Settings
    kind: str
    invocation: tuple[str, ...]
    """Put before the ids of an order, this makes a command that a person can run."""
    resources: ExitStack
    is_warm: bool = False
    """Whether a clean state is only a fork away."""
    reset_by: str = ""
    """What restores the clean state, in the user's words, where that needs to be checked; empty if it does not."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.resources.__exit__(kind, error, trace)


def settings_from(options: RunnerOptions, listener: ProgressListener) -> Settings:
    """Raises UsageError for paths that do not exist, and for options that do not fit the kind of suite."""
    is_pytest = options.kind == PYTEST
    for path in options.paths if is_pytest else ():
        if not (options.directory / path.partition("::")[0]).exists():
            raise UsageError(
                f"no such file or directory: {path}", hint="Put options for pytest after `--`.", slug="path-not-found"
            )
    if options.pytest_options and not is_pytest:
        raise UsageError(
            f"options for pytest are given, and this suite is run by {options.kind}",
            hint="Put the options into the command in the configuration.",
            slug="option-not-applicable",
        )
    return Settings(
        directory=options.directory,
        paths=options.paths,
        options=tuple(_with_absolute_file(word, options.directory) for word in options.pytest_options),
        workers=worker_count(options.workers),
        workdir=_workdir(options, listener),
        reset=options.reset,
        timeout=options.timeout,
        instance=options.instance,
    )


def _with_absolute_file(word: str, directory: Path) -> str:
    """pytest reads more words from a file named `@FILE`. It runs in a working copy, which need not have the file."""
    return f"@{directory / word[1:]}" if word.startswith("@") and len(word) > 1 else word


def _workdir(options: RunnerOptions, listener: ProgressListener) -> str:
    if options.workdir != "auto":
        return options.workdir
    reason = why_not_copy(project_root(options.directory))
    if not reason:
        return "copy"
    listener.note(f"running in place, without a working copy for each worker: {reason}")
    return "shared"


def open_session(
    settings: Settings, options: RunnerOptions, listener: ProgressListener, *, all_workers: bool = False
) -> Session:
    """Starts a runner and lists the suite, of whatever kind. `all_workers` says that all of them will be needed: if
    each has a system of its own, none waits for its first order to start it."""
    if options.kind == PYTEST and not options.cluster:
        if settings.instance is None:
            return pytest_session(settings, options.runner, listener, collects_once=all_workers)
        session = pytest_session(settings, options.runner, listener, prestarted=settings.workers if all_workers else 1)
        return with_system(session, options)
    # dask and the modules of commands take a while to import.
    from unknot.app.session.slots import open_slot_session

    return open_slot_session(settings, options, listener)


def pytest_session(
    settings: Settings,
    runner: str,
    listener: ProgressListener,
    *,
    prestarted: int | None = None,
    collects_once: bool = False,
) -> Session:
    """A pytest that has collected the suite, for all workers or each of them.

    Tried as `pytest` first. A suite that is only importable with the current directory on the path, as
    `python -m pytest` puts it there, is collected that way, and the printed commands use it too.
    """
    # Settings alone are needed without it.
    from unknot.runners.pytest.open_suite import open_suite

    with ExitStack() as resources:
        try:
            opened = resources.enter_context(
                open_suite(settings, fork=fork_wanted(runner), prestarted=prestarted, collects_once=collects_once)
            )
        except CollectionError as problem:
            if settings.python_m or not is_import_problem(problem):
                raise
            try:
                again = replace(settings, python_m=True)
                return pytest_session(again, runner, listener, prestarted=prestarted, collects_once=collects_once)
            except CollectionError:
                raise problem from None
        if runner == "auto" and opened.why_fresh:
            listener.note(f"a fresh pytest process for every order: {shown_lines(opened.why_fresh)}")
        if opened.why_shared:
            listener.note(
                f"[outside-shared] workers share HOME and /tmp ({shown_lines(opened.why_shared)}): orders that write"
                " there run one at a time, and what a child process writes is not restored"
            )
        collected = opened.collected
        invocation = (*settings.invocation, *collected.by_hand, *settings.options)
        return Session(
            opened.runner, collected, settings, PYTEST, invocation, resources.pop_all(), is_warm=opened.forks
        )


def with_system(session: Session, options: RunnerOptions) -> Session:
    """The session of a pytest suite with an instance: what else could change an answer counts, and a plain pytest has
    no system to run on."""
    settings = session.settings
    assert settings.instance is not None
    reset_by = describe_resets(settings, settings.instance)
    # What pytest has imported is known; the system may be made of any other file.
    listing = with_files(on_system(session.listing, options, reset_by), settings.instance.files)
    return replace(session, listing=listing, invocation=ask_command(options), reset_by=reset_by)


def fork_wanted(runner: str) -> bool | None:
    """Whether pytest should fork; None if that is ours to choose."""
    return {"fork": True, "fresh": False}.get(runner)


def is_import_problem(problem: CollectionError) -> bool:
    """Whether `python -m pytest` may collect what `pytest` could not."""
    return "ModuleNotFoundError" in problem.message


def on_system(listing: Listing, options: RunnerOptions, reset_by: str) -> Listing:
    """The listing, distinct from one whose tests ran on another system or were reset in another way. The system is
    described in the user's words: the parsed description may hold paths of this machine."""
    system = f"instance {options.configuration.tables.get('instance')!r}"
    return replace(listing, plugins=(*listing.plugins, system, f"put back by {reset_by}"))


def with_files(listing: Listing, globs: Sequence[str]) -> Listing:
    """The listing with these files of the project, or all, as files that all tests share."""
    more = project_files(listing.root, globs)
    return replace(listing, modules=tuple(dict.fromkeys((*listing.modules, *more))))


def describe_resets(settings: Settings, instance: InstanceSpec | None) -> str:
    from unknot.runners.dispatch.reset_measure import described

    ways = ["the working copy"] if settings.workdir == "copy" else []
    if settings.reset:
        ways.append(settings.reset)
    if instance is not None:
        ways.append(described(instance.reset))
    return " and ".join(ways) or "nothing"


def ask_command(options: RunnerOptions) -> tuple[str, ...]:
    """The command that runs an order as the detection did, without the ids of its tests."""
    words = ["unknot", "ask"]
    if options.runner != "auto":
        words += ["--runner", options.runner]
    if options.workdir != "auto":
        words += ["--workdir", options.workdir]
    for suite in options.suite:
        words += ["--suite", suite]
    if options.reset:
        words += ["--reset", options.reset]
    return tuple(words)
