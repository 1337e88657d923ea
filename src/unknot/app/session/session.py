"""What verbs that run tests need before they can start: settings, a runner, the suite."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from unknot.app.configuration import PYTEST, instance_of, kind_of
from unknot.cli.options import workers
from unknot.model.errors import CollectionError, UsageError
from unknot.model.sanitise import shown_lines
from unknot.runners.protocol import Listing, Runner
from unknot.runners.pytest.collected import Collected
from unknot.runners.pytest.pytest_oracle import PytestOracle
from unknot.runners.sandbox.workdir import project_root, why_not_copy
from unknot.runners.settings import Settings

_Found = TypeVar("_Found")


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
def workplace(
    settings: Settings, options: argparse.Namespace, console: Console, *, at_once: bool = False
) -> Iterator[Workplace]:
    """A runner that has listed the suite, of whatever kind. `at_once` says that all workers will be needed: if each has
    a system of its own, none waits for its first order to bring it up."""
    kind = kind_of(options)
    # Resets of several systems under test take their time at the same time only in several processes.
    if kind == PYTEST and not options.cluster and settings.instance is None:
        with pytest_workplace(settings, options.runner, console) as (runner, collected, settings):
            invocation = (*settings.invocation, *collected.by_hand, *settings.options)
            yield Workplace(runner, collected, settings, kind, invocation, runner.forks)
        return
    # dask and what belongs to slots take a while to import.
    from unknot.app.session.slots import seated

    with seated(settings, options, console, at_once=at_once) as place:
        yield place


@contextmanager
def pytest_workplace(
    settings: Settings, runner: str, console: Console
) -> Iterator[tuple[PytestOracle, Collected, Settings]]:
    """A pytest that has collected the suite.

    Tried as `pytest` first. A suite that is only importable with the current directory on the path, as
    `python -m pytest` puts it there, is collected that way, and the printed commands say so too.
    """
    fork = wanted_fork(runner)
    (oracle, collected), settings = either_way(settings, lambda tried: _collected(tried, fork))
    with oracle:
        if fork is None:
            tell_if_fresh(oracle.why_fresh, console)
        yield oracle, collected, settings


def wanted_fork(runner: str) -> bool | None:
    """What `--runner` says of the two ways to run pytest; None if that is ours to choose."""
    return {"fork": True, "fresh": False}.get(runner)


def either_way(settings: Settings, collect: Callable[[Settings], _Found]) -> tuple[_Found, Settings]:
    """What is collected by `pytest`, or else by `python -m pytest`, and the settings by which it was."""
    try:
        return collect(settings), settings
    except CollectionError as problem:
        if "ModuleNotFoundError" not in problem.message:
            raise
        settings = replace(settings, python_m=True)
        try:
            return collect(settings), settings
        except CollectionError:
            raise problem from None


def tell_if_fresh(why: str, console: Console) -> None:
    if why:
        console.print(f"a fresh pytest process for every order: {shown_lines(why)}", markup=False)


def _collected(settings: Settings, fork: bool | None) -> tuple[PytestOracle, Collected]:
    oracle = PytestOracle(settings, fork=fork)
    try:
        return oracle, oracle.collect()
    except BaseException:
        oracle.close()
        raise
