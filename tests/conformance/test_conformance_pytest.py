"""The pytest runner is held to what every runner is: by a fork tree, and by fresh processes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest

from unknot.conformance import Does, Feature, Opened, PlantedSuite, PlantedTest, RunnerConformance, Step
from unknot.runners.protocol import Runner
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

pytestmark = pytest.mark.slow

_HEAD = """
import os, pytest, subprocess, sys, time
from pathlib import Path
"""

_IN_FILES = """
def sets(key): Path(key + ".state").touch()
def clears(key): Path(key + ".state").unlink(missing_ok=True)
def holds(key): return Path(key + ".state").exists()
"""

_IN_MEMORY_AND_FILES = """
IN_FILES, MEMORY = ("account", "code", "rate"), set()
def sets(key): Path(key + ".state").touch() if key in IN_FILES else MEMORY.add(key)
def clears(key): Path(key + ".state").unlink(missing_ok=True) if key in IN_FILES else MEMORY.discard(key)
def holds(key): return Path(key + ".state").exists() if key in IN_FILES else key in MEMORY
"""


def _line(step: Step) -> str:
    match step.does:
        case Does.SETS | Does.CLEARS:
            return f"{step.does}({step.key!r})"
        case Does.NEEDS:
            return f"assert holds({step.key!r})"
        case Does.BREAKS_IF:
            return f"assert not holds({step.key!r})"
        case Does.FAILS:
            return "assert False"
        case Does.SKIPS:
            return "pytest.skip()"
        case Does.CRASHES:
            return "os.kill(os.getpid(), 9)"
        case Does.HANGS:
            return "time.sleep(3600)"
        case Does.SLEEPS:
            return f"time.sleep({step.seconds})"
        case Does.PRINTS:
            return f"print(('x' * 79 + chr(10)) * {step.count})"
        case Does.LEAVES:
            return "subprocess.Popen(['sleep', '3600'], start_new_session=True)"


def _function(test: PlantedTest) -> str:
    """Under any name: pytest finds a function by its place in the module's namespace."""
    body = [_line(step) for step in test.steps] or ["pass"]
    lines = "".join(f"    {line}\n" for line in body)
    return f"\ndef planted():\n{lines}globals()[{'test_' + test.name!r}] = planted\n"


class _PytestConformance(RunnerConformance):
    forks = True
    state = _IN_MEMORY_AND_FILES

    def id_of(self, test: PlantedTest) -> str:
        return f"test_planted.py::test_{test.name}"

    @contextmanager
    def make(self, suite: PlantedSuite, directory: Path) -> Iterator[Opened[Runner]]:
        (directory / "pytest.ini").write_text("[pytest]\n")
        text = _HEAD + self.state + "".join(map(_function, suite.tests)) + "\ndel planted\n"
        (directory / "test_planted.py").write_text(text, encoding="utf-8")
        settings = Settings(directory, workers=suite.workers, timeout=suite.timeout)
        with open_suite(settings, fork=self.forks) as opened:
            yield Opened(opened.runner, opened.collected.suite.tests)


class TestForkTree(_PytestConformance):
    pass


class TestFreshProcesses(_PytestConformance):
    """State in files: a fresh process forgets what is in memory by itself."""

    forks = False
    many_orders, few_orders = 5, 3
    state = _IN_FILES
    hostile_names = ("$(touch stolen)", "../../../stolen", "Größe, 寸法, 🪢")
    lacks: ClassVar = {Feature.DETECTION: "a process of half a second for each order"}
