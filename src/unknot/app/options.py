"""Options that several operations take. Names and defaults are those of the command line."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Literal, TypeVar

from unknot.app.configuration import ProjectConfiguration, suite_kind
from unknot.runners.sut.spec import InstanceSpec
from unknot.store.state_directory import STATE

_Options = TypeVar("_Options")

LOCK = "unknot.lock.json"
WEB_MODEL = "unknot.web.json"
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
        """The system under test that each worker has a copy of, if the configuration describes one."""
        table = self.configuration.tables.get("instance")
        if table is None:
            return None
        from unknot.runners.sut.config import instance_spec

        return instance_spec(table, self.configuration.place_of("instance"))


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


def options_from(kind: type[_Options], values: Mapping[str, object]) -> _Options:
    """The dataclass, with those of the values that have the names of its fields; lists become tuples. A field that is a
    dataclass of options is made of the same values."""
    arguments: dict[str, object] = {}
    for each in fields(kind):  # type: ignore[arg-type]
        value = values.get(each.name)
        if is_dataclass(each.type) and isinstance(each.type, type) and not isinstance(value, each.type):
            arguments[each.name] = options_from(each.type, values)
        elif each.name in values:
            arguments[each.name] = tuple(value) if isinstance(value, list) else value
    return kind(**arguments)
