"""What `detect` and `run` both need before they can start: settings, a runner, the collected suite."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from unknot.cli.options import workers
from unknot.model.errors import CollectionError, UsageError
from unknot.run.collected import Collected
from unknot.run.pytest_oracle import PytestOracle
from unknot.run.settings import Settings
from unknot.run.workdir import project_root, why_not_copy


def settings_from(options: argparse.Namespace, console: Console) -> Settings:
    directory = Path.cwd()
    for path in options.paths:
        if not Path(path.partition("::")[0]).exists():
            raise UsageError(f"no such file or directory: {path}", hint="options for pytest go after `--`")
    return Settings(
        directory=directory,
        paths=tuple(options.paths),
        options=tuple(map(_from_here, options.pytest_options)),
        workers=workers(options.workers),
        workdir=_workdir(options.workdir, directory, console),
        reset=options.reset,
        timeout=options.timeout,
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
def workplace(settings: Settings, runner: str, console: Console) -> Iterator[tuple[PytestOracle, Collected, Settings]]:
    """A runner that has collected the suite.

    Tried as `pytest` first. A suite that is only importable with the current directory on the path, as
    `python -m pytest` puts it there, is collected that way, and the printed commands say so too.
    """
    fork = {"auto": None, "fork": True, "fresh": False}[runner]
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
            console.print(f"a fresh pytest process for every order: {oracle.why_fresh}", markup=False)
        yield oracle, collected, settings


def _collected(settings: Settings, fork: bool | None) -> tuple[PytestOracle, Collected]:
    oracle = PytestOracle(settings, fork=fork)
    try:
        return oracle, oracle.collect()
    except BaseException:
        oracle.close()
        raise
