"""Coverage of a planned run: measured in each process that runs tests, in a working copy, and mapped to the project."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MEASURE = "UNKNOT_MEASURE"
"""The working copy and the project, as JSON, in the environment of a process that is measured."""
DATA = "COVERAGE_FILE"
SUBPROCESSES = "COVERAGE_PROCESS_START"
_DATA_BEFORE = "UNKNOT_COVERAGE_FILE"
ABOUT_NOTHING_MEASURED = ("module-not-imported", "no-data-collected")
"""Warnings that a process gives in which no test runs."""
_PATHS = "paths.json"
_DATA_NAME = ".coverage"


def environment(directory: Path, copy: str, original: str) -> dict[str, str]:
    """Variables for a process whose data go to the directory, which is made. `mapped` reads what is there."""
    directory.mkdir(parents=True)
    paths = json.dumps([copy, original])
    (directory / _PATHS).write_text(paths)
    before = {_DATA_BEFORE: os.environ[DATA]} if DATA in os.environ else {}
    return {**before, MEASURE: paths, DATA: str(directory / _DATA_NAME)}


def start(known_options: Any) -> None:
    """To be called before pytest-cov starts. It measures as in a process of its own, and reports nothing: the process
    that has the terminal does."""
    without_xdist(known_options)
    if hasattr(known_options, "cov_report"):
        known_options.cov_report = {"": None}
    if getattr(known_options, "cov_source", None):
        _measure_originals(*json.loads(os.environ[MEASURE]))


def without_xdist(known_options: Any) -> None:
    """pytest-cov waits for the workers of xdist if there are to be any."""
    for name, value in (("numprocesses", None), ("dist", "no"), ("distload", False), ("tx", [])):
        if hasattr(known_options, name):
            setattr(known_options, name, value)


def hide() -> None:
    """Tests see the environment of the user, unless processes that they start are measured too."""
    if os.environ.pop(MEASURE, None) is not None and SUBPROCESSES not in os.environ:
        before = os.environ.pop(_DATA_BEFORE, None)
        os.environ.pop(DATA, None)
        if before is not None:
            os.environ[DATA] = before


def follow_forks(config: Any) -> None:
    """Older versions of pytest-cov start again in each test that runs in another process than the session."""
    plugin = config.pluginmanager.get_plugin("_cov")
    if hasattr(plugin, "pid"):
        os.register_at_fork(after_in_child=lambda: setattr(plugin, "pid", os.getpid()))


def save() -> None:
    """Writes what this process has measured; it will end without its usual clean-up."""
    coverage = sys.modules.get("coverage")
    with contextlib.suppress(Exception):
        measured = coverage.Coverage.current() if coverage is not None else None
        if measured is not None:
            measured.stop()
            measured.save()
            data = measured.get_data()
            data.close()
            if f"pid{os.getpid()}" not in (name := data.data_filename()):
                # pytest-cov may have chosen one name for all forks, and the next one would replace the file.
                os.rename(name, f"{name}.pid{os.getpid()}")


def mapped(directory: Path, target: str) -> Iterator[str]:
    """Data files next to `target`, one for each process that has left data below the directory, with the paths of the
    project. Their names begin with that of `target`, so that coverage.py combines them with it."""
    import coverage

    for number, process in enumerate(sorted(directory.iterdir())):
        copy, original = json.loads((process / _PATHS).read_text())
        files = [str(file) for file in process.glob(f"{_DATA_NAME}*") if not file.name.endswith("-journal")]
        if not files:
            continue
        name = f"{target}.unknot-{os.getpid()}-{number}"
        made = coverage.Coverage(data_file=name, data_suffix=False, config_file=False, messages=False)
        made.set_option("paths", {"project": [original, copy]})
        made.combine(files, strict=False)
        made.save()
        made.get_data().close()
        yield name


def _measure_originals(copy: str, original: str) -> None:
    """A package can be imported from the working copy or, if it is installed in editable mode, from the project: what
    the user says about one of the two counts for both."""
    import coverage

    def start_for_both(self: Any) -> None:
        for option in ("run:source", "run:source_dirs", "run:include", "run:omit"):
            with contextlib.suppress(coverage.CoverageException):
                named = list(self.get_option(option) or ())
                more = [other for name in named if (other := in_project(name, option))]
                if more:
                    self.set_option(option, list(dict.fromkeys([*named, *more])))
        start_one(self)

    def in_project(name: str, option: str) -> str:
        path = os.path.join(os.getcwd(), name)
        is_package = option == "run:source" and not os.path.isdir(path)
        path = os.path.normpath(path)
        if name.startswith("*") or is_package or not (path + os.sep).startswith(copy + os.sep):
            return ""
        return original + path[len(copy) :]

    start_one = coverage.Coverage.start
    if copy != original:
        coverage.Coverage.start = start_for_both  # type: ignore[method-assign]
