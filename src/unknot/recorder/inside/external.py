"""Everything that tests do outside of their process, from one audit hook."""

import os
import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any

from unknot.recorder.inside.audit import AuditListener, Collector
from unknot.recorder.inside.database.databases import TableRecorder
from unknot.recorder.inside.database.dbapi import DbapiCollector
from unknot.recorder.inside.database.sqlite import SqliteCollector
from unknot.recorder.inside.files.files import FileCollector
from unknot.recorder.inside.files.real_paths import text_of
from unknot.recorder.inside.files.sockets import PortCollector
from unknot.recorder.inside.ledger import Ledger

_SPAWN = "os.posix_spawn"
_FORKS = frozenset({"os.fork", "os.forkpty"})
_EVENTS = frozenset({"subprocess.Popen", "os.system", _SPAWN, "os.spawn", "os.startfile", *_FORKS})
_OURS = os.path.dirname(__file__) + os.sep


class ExternalRecorder(AuditListener):
    """Drives the collectors at the boundaries between tests. A test boundary is after the teardown of one test and
    before the setup of the next, and around the setup of a fixture that tests share. What has changed since the last
    boundary belongs to the test or fixture that ran. Make it before the suite's first import.

    This class records files, databases, ports and subprocesses, but nothing in memory: that needs the compiled parts,
    and `StateRecorder`, which extends it. Without memory, a second pass would find nothing more. One audit hook passes
    each collector the events that it handles.
    """

    def __init__(self, ledger: Ledger, request: Mapping[str, Any]) -> None:
        self.files = FileCollector(ledger, request["scratch"], tuple(request["roots"]))
        self._ledger = ledger
        self._tables = TableRecorder(ledger)
        self._collectors: tuple[Collector, ...] = (
            self.files,
            SubprocessCollector(ledger),
            PortCollector(ledger),
            SqliteCollector(ledger, self._tables),
            DbapiCollector(ledger, self._tables),
        )
        super().__init__(frozenset().union(*(collector.events for collector in self._collectors)))
        self._listeners = {
            event: tuple(collector for collector in self._collectors if event in collector.events)
            for event in self._events
        }
        self.install()
        for collector in self._collectors:
            collector.start()
        self.start()

    def take_baseline(self, items: Mapping[str, Any]) -> None:
        """Takes the clean state, before the first test. `items` are pytest's, by test id."""
        self._ledger.note(f"the memory of {len(items)} tests: the compiled parts of the recorder are missing")

    @property
    def is_out_of_time(self) -> bool:
        """Whether no more tests should run."""
        return False

    def begin_test(self, test: str) -> None:
        self._ledger.begin(test)
        self._tables.begin_test()
        for collector in self._collectors:
            collector.begin_test()

    def end_test(self) -> None:
        self.record_boundary()
        self._ledger.end()

    def enter_fixture(self, name: str) -> str:
        """Returns the fixture that was being set up before; empty for the test itself."""
        outer = self._ledger.fixture
        self.leave_fixture(name)
        return outer

    def leave_fixture(self, outer: str) -> None:
        if self._ledger.test:
            self.record_boundary()
            self._ledger.fixture = outer

    def record_boundary(self) -> None:
        """Records what has changed since the last boundary."""
        for collector in self._collectors:
            collector.end_test()

    def close(self) -> None:
        self.stop()
        for collector in self._collectors:
            collector.stop()

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        for collector in self._listeners[event]:
            collector.handle(event, arguments)


class SubprocessCollector(Collector):
    """Records the program of each process that a test starts as read and written: it may find what an earlier one
    left, since anything may happen in it.

    A fork runs the same program: it counts for fork safety but is not a location of its own.
    """

    subject = "subprocesses"

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger, _EVENTS)

    def _record_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _FORKS:
            self.ledger.touched.add("subprocess fork")
            return
        if event == _SPAWN and _is_in_subprocess(sys._getframe(1)):
            # Recorded already by `subprocess.Popen`, under a name that shows which command a shell runs.
            return
        program = _program(event, arguments)
        self.ledger.touched.add(f"subprocess {program}")
        self.ledger.read("subprocess", program)
        self.ledger.wrote("subprocess", program)


def _is_in_subprocess(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") == "subprocess"


def _program(event: str, arguments: tuple[Any, ...]) -> str:
    """The first word of a command line, or the executable, without its directory.

    >>> _program("os.system", (b"/bin/ls -l",))
    'ls'
    """
    named = arguments[1] if event == "os.spawn" else arguments[0]
    words = text_of(named).split() if event == "os.system" else [text_of(named)]
    if event == "subprocess.Popen" and type(arguments[1]) in (list, tuple) and len(arguments[1]) == 3:
        # `shell=True`: the command that the shell runs.
        shell, option, command = arguments[1]
        if shell in ("/bin/sh", b"/bin/sh") and option == "-c":
            words = text_of(command).split()
    return (words or [""])[0].rpartition("/")[2] or "unknown"
