"""Where a tool works: an environment of its own, a fresh copy of the planted suite, and a clock."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from bench.kit.environment import Environment
from bench.kit.failure import BenchFailure
from bench.kit.process import Finished, run

PLANTED = Path(__file__).resolve().parent / "planted"


class OutOfTime(BenchFailure):
    """The tool has used all the time that it gets."""


class Workbench:
    """Runs a tool's commands and adds up their seconds."""

    def __init__(self, environment: Environment, directory: Path, limit: float) -> None:
        self._environment = environment
        self._limit = limit
        self._calls = 0
        self._logs = directory.with_name(f"{directory.name}-logs")
        self.directory = directory
        self.seconds = 0.0
        shutil.rmtree(self._logs, ignore_errors=True)
        self.renew()
        self._check_green()

    def renew(self) -> None:
        """A fresh copy of the suite, without anything the tool has left there."""
        shutil.rmtree(self.directory, ignore_errors=True)
        shutil.copytree(PLANTED, self.directory, ignore=shutil.ignore_patterns("__pycache__", ".*"))

    def run(self, command: str, *words: str, terminal: bool = False) -> Finished:
        """A command of the environment, timed; raises OutOfTime when it had to be stopped."""
        left = self._limit - self.seconds
        done = self._run([command, *words], max(left, 1.0), terminal=terminal)
        self.seconds += done.seconds
        if done.timed_out:
            raise OutOfTime(f"stopped after {self._limit:.0f} s")
        return done

    def _check_green(self) -> None:
        """Not timed. It also fills the caches of bytecode, for every tool alike."""
        done = self._run(["python", "-m", "pytest", "-q"], self._limit, terminal=False)
        if done.code:
            raise BenchFailure(f"the planted suite is not green in its own order: {done.last_line()}")

    def _run(self, command: Sequence[str], timeout: float, *, terminal: bool) -> Finished:
        self._calls += 1
        return run(
            [self._environment.script(command[0]), *command[1:]],
            directory=self.directory,
            environment=self._environment.variables(),
            timeout=timeout,
            log=self._logs / f"{self._calls:03}.log",
            terminal=terminal,
        )
