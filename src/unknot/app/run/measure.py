"""Coverage of a run: by pytest-cov, or by the coverage.py that measures this process."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from unknot.runners.pytest.inside.measuring import ABOUT_NOTHING_MEASURED, mapped
from unknot.runners.settings import Measure

_OPTIONS = {
    "--source": "run:source",
    "--include": "run:include",
    "--omit": "run:omit",
    "--concurrency": "run:concurrency",
}


def measure_into(directory: Path, project: Path) -> Measure:
    """Workers measure if pytest-cov does, or as this process is measured: `coverage run -m unknot run`."""
    running = _running_coverage()
    return Measure(directory, () if running is None else tuple(_command(running, project)))


def add_to_running_coverage(directory: Path) -> None:
    """What the workers have measured belongs to what this process has measured."""
    running = _running_coverage()
    if running is None:
        return
    import coverage

    # In this process, no module under test was imported.
    running.set_option("run:disable_warnings", list(ABOUT_NOTHING_MEASURED))
    data = running.get_data()
    for name in mapped(directory, str(directory / ".combined")):
        more = coverage.CoverageData(basename=name)
        more.read()
        data.update(more)


def _running_coverage() -> Any:
    coverage = sys.modules.get("coverage")
    return coverage.Coverage.current() if coverage is not None else None


def _command(running: Any, project: Path) -> Iterator[str]:
    yield from ("-m", "coverage", "run", "--parallel-mode")
    if rcfile := getattr(running.config, "config_file", None):
        yield f"--rcfile={rcfile}"
    for flag, option in (("--branch", "run:branch"), ("--timid", "run:timid")):
        if running.get_option(option):
            yield flag
    if context := running.get_option("run:context"):
        yield f"--context={context}"
    for flag, option in _OPTIONS.items():
        names = running.get_option(option) or ()
        if names:
            is_path = option != "run:concurrency"
            yield f"{flag}={','.join(dict.fromkeys(each for name in names for each in _both(name, project, is_path)))}"


def _both(name: str, project: Path, is_path: bool) -> Iterator[str]:
    """Workers run in a copy of the project, and may import it from where it is."""
    yield name
    path = os.path.normpath(project / name)
    if is_path and not name.startswith("*") and (os.path.exists(path) or os.sep in name or "*" in name):
        yield path
        yield os.path.relpath(path, project)
