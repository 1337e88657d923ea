"""Which Python lines the programs of an instance run, from step to step, while they go on."""

import contextlib
import json
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from unknot.model.sanitise import shown
from unknot.model.web.code_coverage import CodeSet, RangesByName, StepCoverage, ranges_of

_INJECTED = Path(__file__).parent / "injected"
_SECONDS = 5.0
"""A server that does not answer by then is stuck."""

_INSTALLED = ("site-packages", "dist-packages")


class ServerCoverage:
    """Lines of own code in all Python processes of the instance, also those that they start or fork.

    Guarantee
        A program without coverage.py runs as it does otherwise; `problem` says so then. No port is opened: a socket in
        a directory of the instance is.
    Assumptions
        The programs let PYTHONPATH through. What a process runs between the last answer and its end counts if it ends
        by itself.
    Cost
        One connection to each process for each answer.
    """

    def __init__(self, directory: Path, project: Path, sources: Sequence[str]) -> None:
        """`directory` is only for this. `sources` are packages, and directories relative to the project; without any it
        is the project, and the package of the program that is started, if it is installed."""
        self._directory = directory
        self._project = project.resolve()
        self._sources = tuple(sources)
        self._was_reached = False

    def environment(self, base: Mapping[str, str]) -> dict[str, str]:
        """For the programs, from the one that they have otherwise."""
        path = os.pathsep.join(filter(None, (str(_INJECTED), base.get("PYTHONPATH", ""))))
        sources = os.pathsep.join(map(self._source, self._sources))
        own = {
            "UNKNOT_SERVER_COVERAGE": str(self._directory),
            "UNKNOT_SERVER_COVERAGE_SOURCES": sources,
            "PYTHONPATH": path,
        }
        return {**base, **own}

    def taken(self) -> StepCoverage:
        """What ran since it was taken last. Empty if there is nothing that answers."""
        coverage = StepCoverage()
        for answer in self._answers():
            self._was_reached = True
            ran, code = self._lines(answer.get("ran", {})), self._lines(answer.get("code", {}))
            coverage = coverage.union(StepCoverage(CodeSet(server_lines=ran), CodeSet(server_lines=code)))
        return coverage

    @property
    def problem(self) -> str:
        """Why lines are not measured, or not all; empty if they are. Once something was taken."""
        with contextlib.suppress(OSError):
            return shown((self._directory / "problem").read_text(errors="replace"))
        return "" if self._was_reached else "it runs no Python program that lets PYTHONPATH through"

    def _source(self, name: str) -> str:
        path = self._project / name
        return str(path) if path.is_dir() else name

    def _answers(self) -> "Iterator[Mapping[str, Any]]":
        for path in sorted(self._directory.glob("*.sock")):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(_SECONDS)
                data = bytearray()
                try:
                    connection.connect(str(path))
                    while part := connection.recv(1 << 16):
                        data += part
                except (ConnectionRefusedError, FileNotFoundError):
                    # The process has ended.
                    path.unlink(missing_ok=True)
                    continue
                except OSError:
                    continue
            yield from _read(data)
        for path in sorted(self._directory.glob("*.json")):
            with contextlib.suppress(OSError):
                data = bytearray(path.read_bytes())
                path.unlink()
                yield from _read(data)

    def _lines(self, given: Mapping[str, Sequence[int]]) -> RangesByName:
        return {self._name(path): ranges_of(lines) for path, lines in given.items() if lines}

    def _name(self, path: str) -> str:
        """Without what differs from one machine, or instance, to another."""
        parts = Path(path).parts
        for place, part in enumerate(parts):
            if part in _INSTALLED:
                return "/".join(parts[place + 1 :])
        with contextlib.suppress(ValueError):
            return Path(path).relative_to(self._project).as_posix()
        return path


def _read(data: bytearray) -> "Iterator[Mapping[str, Any]]":
    with contextlib.suppress(ValueError):
        answer = json.loads(data)
        if isinstance(answer, dict):
            yield answer
