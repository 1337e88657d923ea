"""Gives each worker of pytest-xdist files of its own: what its tests write, no other worker sees."""

import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from unknot.model.errors import StorageError
from unknot.model.recording import Recording
from unknot.model.suite import TestId
from unknot.pytest_plugin.messages import list_few
from unknot.report.wording import counted
from unknot.runners.sandbox.overlays import Overlays, shared_places
from unknot.runners.sandbox.sandbox import make_home
from unknot.runners.sandbox.working_copy import project_root
from unknot.store.recording_file import read_recording

_ON_DISK = ("file", "directory")


class SeparateFiles:
    """Registered in the controller. Covers the project, the directory that it is in, HOME and those for temporary
    files, as `unknot run` does; what workers wrote is gone when the session ends. Raises pytest.UsageError when the
    workers start if that is not possible here, and tests are recorded to share files."""

    def __init__(self, config: pytest.Config, recording: Path) -> None:
        self._config = config
        self._recording = recording
        self._home: Path | None = None
        self._overlays: list[Overlays] = []
        self._problem = ""

    def pytest_xdist_setupnodes(self, config: pytest.Config, specs: list[Any]) -> None:
        """xdist starts the workers with the specifications that are in this list afterwards."""
        self._home = make_home()
        through = [self._home, config._tmp_path_factory.getbasetemp()]  # type: ignore[attr-defined]
        specs[:] = [self._inside(spec, number, through) if spec.popen else spec for number, spec in enumerate(specs)]
        if not self._problem and not all(spec.popen for spec in specs):
            self._problem = "some workers are not processes of this machine that xdist starts"
        if self._problem and (sharing := list(_sharing(self._recording))):
            verb = "finds" if len(sharing) == 1 else "find"
            raise pytest.UsageError(
                f"unknot: workers would share files ({self._problem}), and {counted(len(sharing), 'test')} {verb} files"
                f" of other tests: {list_few(sharing)}; use `unknot run`, or one process without -n"
            )
        reporter = config.pluginmanager.getplugin("terminalreporter")
        if self._problem and reporter is not None:
            reporter.write_line(f"unknot: workers share the disk ({self._problem})")

    def _inside(self, spec: Any, number: int, through: Sequence[Path]) -> Any:
        assert self._home is not None
        root = project_root(self._config.rootpath)
        overlays = Overlays(self._home / str(number), shared_places(root, is_copied=True), through)
        self._overlays.append(overlays)
        python = shlex.split(spec.python) if spec.python else [sys.executable]
        words = overlays.words(python, self._config.invocation_params.dir)
        self._problem = self._problem or overlays.problem
        if overlays.problem:
            return spec
        others = [part for part in str(spec).split("//") if not part.startswith("python=")]
        made = type(spec)("//".join([*others, f"python={shlex.join(words)}"]))
        # By which its worker is called.
        made.id = spec.id
        return made

    @pytest.hookimpl(trylast=True)
    def pytest_configure_node(self, node: Any) -> None:
        """A worker of pytest-cov would leave its data in a file, which only itself can see: unless it is taken to run
        on another machine."""
        if not self._problem and "cov_master_host" in node.workerinput:
            node.workerinput["cov_master_host"] = ""

    def pytest_unconfigure(self) -> None:
        for overlays in self._overlays:
            overlays.close()
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)


def _sharing(path: Path) -> Iterator[TestId]:
    """Tests that were recorded to find files of others. Without a recording nothing is known."""
    try:
        recording = read_recording(path)
    except StorageError:
        return
    yield from dict.fromkeys(_readers(recording))


def _readers(recording: Recording) -> Iterator[TestId]:
    return (flow.reader for flow in recording.flows if flow.location.kind in _ON_DISK and not flow.harmless)
