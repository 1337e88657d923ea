"""Options that several operations take. Names and defaults are those of the command line."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, TypeVar

from unknot.app.configuration import ProjectConfiguration, instance_of, suite_kind
from unknot.runners.sut.spec import InstanceSpec
from unknot.store.state_directory import STATE

_Options = TypeVar("_Options")

LOCK = "unknot.lock.json"
TIMEOUT = 300.0

PytestRunnerName = Literal["auto", "fork", "fresh"]
RunnerName = Literal["auto", "fork", "fresh", "command", "junit", "mtr"]
WorkdirName = Literal["auto", "copy", "shared"]


@dataclass(frozen=True, kw_only=True)
class RunnerOptions:
    """How the tests of a project are run. `directory` is where the tests are started, `configuration` that of its
    project; `paths` count from the directory. `pytest_options` are passed to pytest as they are."""

    directory: Path
    configuration: ProjectConfiguration
    paths: tuple[str, ...] = ()
    pytest_options: tuple[str, ...] = ()
    workers: int | None = None
    runner: RunnerName = "auto"
    suite: tuple[str, ...] = ()
    cluster: str = ""
    workdir: WorkdirName = "auto"
    reset: str = ""
    timeout: float = TIMEOUT

    @property
    def kind(self) -> str:
        """Raises UsageError if the configuration describes several suites and the options do not say which."""
        return suite_kind(self.configuration, self.runner)

    @property
    def instance(self) -> InstanceSpec | None:
        return instance_of(self.configuration)


@dataclass(frozen=True, kw_only=True)
class ProjectFiles:
    """The files that unknot keeps in a project. `durations_file` says how long each test takes; by default it is in the
    state directory."""

    lock: Path = Path(LOCK)
    state_dir: Path = Path(STATE)
    durations_file: Path | None = None


def worker_count(wanted: int | None) -> int:
    """All cores that this process may use, unless a number is given."""
    if wanted is not None:
        return wanted
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:
        return os.cpu_count() or 1


def options_from(kind: type[_Options], values: Mapping[str, object], **more: object) -> _Options:
    """The dataclass, with those of the values that have the names of its fields, and with `more`. Lists become
    tuples."""
    names = {each.name for each in fields(kind)} - set(more)  # type: ignore[arg-type]
    known = {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items() if name in names
    }
    return kind(**known, **more)
