"""How to run a suite: what the user said, in one value."""

import sys
from dataclasses import dataclass
from pathlib import Path

from unknot.runners.sut.spec import InstanceSpec


@dataclass(frozen=True)
class Measure:
    """Every process that runs tests leaves coverage data in a directory of its own below `directory`. `command` are the
    words that start coverage.py before pytest, none if a plugin of pytest starts it."""

    directory: Path
    command: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """`paths` and `options` go to pytest as they are. `python_m` says to run `python -m pytest`, which puts the
    current directory on the import path, instead of `pytest`, which does not. `instance` is the system under test that
    each worker has a copy of. With `reports`, workers report as pytest does, for a reporter of pytest; with `selects`,
    options that select tests by what failed before (`--lf`) count. `measure` says how coverage is measured."""

    directory: Path
    paths: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    workers: int = 1
    workdir: str = "copy"
    reset: str = ""
    timeout: float = 300.0
    python: str = sys.executable
    python_m: bool = False
    instance: InstanceSpec | None = None
    reports: bool = False
    selects: bool = False
    measure: Measure | None = None

    @property
    def invocation(self) -> tuple[str, ...]:
        """How a person would start it."""
        return ("python", "-m", "pytest") if self.python_m else ("pytest",)
