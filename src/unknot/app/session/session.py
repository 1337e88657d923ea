"""What operations that run tests need before they can start: settings, a runner, the suite."""

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
from unknot.runners.pytest.collection import Collected
from unknot.runners.pytest.pytest_oracle import PytestOracle
from unknot.runners.sandbox.working_copy import project_root, why_not_copy
from unknot.runners.settings import Settings


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
    # Resets of several systems under test take place at the same time only in several processes.
    if options.kind == PYTEST and not options.cluster and settings.instance is None:
        return pytest_session(settings, options.runner, listener)
    # dask and the modules of slots take a while to import.
    from unknot.app.session.slots import open_slot_session

    return open_slot_session(settings, options, listener, all_workers=all_workers)


def pytest_session(settings: Settings, runner: str, listener: ProgressListener) -> Session:
    """A pytest that has collected the suite.

    Tried as `pytest` first. A suite that is only importable with the current directory on the path, as
    `python -m pytest` puts it there, is collected that way, and the printed commands use it too.
    """
    oracle, collected, settings = start_pytest(settings, runner)
    if runner == "auto":
        note_fresh_processes(oracle.why_fresh, listener)
    resources = ExitStack()
    resources.enter_context(oracle)
    invocation = (*settings.invocation, *collected.by_hand, *settings.options)
    return Session(oracle, collected, settings, PYTEST, invocation, resources, is_warm=oracle.forks)


def start_pytest(settings: Settings, runner: str) -> tuple[PytestOracle, Collected, Settings]:
    """The oracle must be closed. Raises CollectionError if neither `pytest` nor `python -m pytest` can collect."""
    oracle = PytestOracle(settings, fork=fork_wanted(runner))
    try:
        return oracle, oracle.collect(), settings
    except CollectionError as problem:
        oracle.close()
        if settings.python_m or not is_import_problem(problem):
            raise
        try:
            return start_pytest(replace(settings, python_m=True), runner)
        except CollectionError:
            raise problem from None
    except BaseException:
        oracle.close()
        raise


def fork_wanted(runner: str) -> bool | None:
    """Whether pytest should fork; None if that is ours to choose."""
    return {"fork": True, "fresh": False}.get(runner)


def is_import_problem(problem: CollectionError) -> bool:
    """Whether `python -m pytest` may collect what `pytest` could not."""
    return "ModuleNotFoundError" in problem.message


def note_fresh_processes(reason: str, listener: ProgressListener) -> None:
    if reason:
        listener.note(f"a fresh pytest process for every order: {shown_lines(reason)}")
