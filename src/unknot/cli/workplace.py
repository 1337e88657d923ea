"""What verbs that run tests need before they can start: settings, a runner, the suite."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from unknot.cli.options import workers
from unknot.cli.suite_kind import PYTEST, instance_of, kind_of
from unknot.model.errors import CollectionError, UsageError
from unknot.report.shown import shown_lines
from unknot.run.collected import Collected
from unknot.run.listing import Listing
from unknot.run.pytest_oracle import PytestOracle
from unknot.run.runner import Runner
from unknot.run.settings import Settings
from unknot.run.workdir import project_root, why_not_copy


@dataclass(frozen=True)
class Workplace:
    """A runner and the suite it has listed. `invocation` is put before the ids of an order to make a command that a
    person can run; `is_warm` says that a clean state is a fork away."""

    runner: Runner
    listing: Listing
    settings: Settings
    kind: str
    invocation: tuple[str, ...]
    is_warm: bool = False
    put_back_by: str = ""
    """What puts the clean state back, in the user's words, where that is to be looked at; empty if it need not be."""


def settings_from(options: argparse.Namespace, console: Console) -> Settings:
    directory = Path.cwd()
    is_pytest = kind_of(options) == PYTEST
    for path in options.paths if is_pytest else ():
        if not Path(path.partition("::")[0]).exists():
            raise UsageError(f"no such file or directory: {path}", hint="options for pytest go after `--`")
    if options.pytest_options and not is_pytest:
        raise UsageError(
            f"what stands after `--` is for pytest, and this suite is run by {kind_of(options)}",
            hint="put the options into the configuration's command",
        )
    return Settings(
        directory=directory,
        paths=tuple(options.paths),
        options=tuple(map(_from_here, options.pytest_options)),
        workers=workers(options.workers),
        workdir=_workdir(options.workdir, directory, console),
        reset=options.reset,
        timeout=options.timeout,
        instance=instance_of(options),
    )


def _from_here(word: str) -> str:
    """pytest reads more words from a file named `@FILE`. It runs in a working copy, which need not have the file."""
    return f"@{Path(word[1:]).absolute()}" if word.startswith("@") and len(word) > 1 else word


def _workdir(wanted: str, directory: Path, console: Console) -> str:
    if wanted != "auto":
        return wanted
    reason = why_not_copy(project_root(directory))
    if not reason:
        return "copy"
    console.print(f"running in place, without a working copy for each worker: {reason}", markup=False)
    return "shared"


@contextmanager
def workplace(settings: Settings, options: argparse.Namespace, console: Console) -> Iterator[Workplace]:
    """A runner that has listed the suite, of whatever kind."""
    kind = kind_of(options)
    # Resets of several systems under test take their time at the same time only in several processes.
    if kind == PYTEST and not options.cluster and settings.instance is None:
        with pytest_workplace(settings, options.runner, console) as (runner, collected, settings):
            invocation = (*settings.invocation, *collected.by_hand, *settings.options)
            yield Workplace(runner, collected, settings, kind, invocation, runner.forks)
        return
    # dask and what belongs to seats take a while to import.
    from unknot.cli.seat_workplace import seated

    with seated(settings, options, console) as place:
        yield place


@contextmanager
def pytest_workplace(
    settings: Settings, runner: str, console: Console
) -> Iterator[tuple[PytestOracle, Collected, Settings]]:
    """A pytest that has collected the suite.

    Tried as `pytest` first. A suite that is only importable with the current directory on the path, as
    `python -m pytest` puts it there, is collected that way, and the printed commands say so too.
    """
    fork = {"fork": True, "fresh": False}.get(runner)
    try:
        oracle, collected = _collected(settings, fork)
    except CollectionError as problem:
        if "ModuleNotFoundError" not in problem.message:
            raise
        settings = replace(settings, python_m=True)
        try:
            oracle, collected = _collected(settings, fork)
        except CollectionError:
            raise problem from None
    with oracle:
        if fork is None and not oracle.forks:
            console.print(f"a fresh pytest process for every order: {shown_lines(oracle.why_fresh)}", markup=False)
        yield oracle, collected, settings


def _collected(settings: Settings, fork: bool | None) -> tuple[PytestOracle, Collected]:
    oracle = PytestOracle(settings, fork=fork)
    try:
        return oracle, oracle.collect()
    except BaseException:
        oracle.close()
        raise
