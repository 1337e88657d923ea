"""Processes that a test starts: anything may have happened in them."""

import os
import sys
from types import FrameType
from typing import Any

from unknot.recorder.inside.collector import Collector
from unknot.recorder.inside.files.real_paths import text_of
from unknot.recorder.inside.ledger import Ledger

_SPAWN = "os.posix_spawn"
_FORKS = frozenset({"os.fork", "os.forkpty"})
_EVENTS = frozenset({"subprocess.Popen", "os.system", _SPAWN, "os.spawn", "os.startfile", *_FORKS})
_OURS = os.path.dirname(os.path.dirname(__file__)) + os.sep


class Processes(Collector):
    """Tells the program of each process that a test starts, as something read and written: it may find what the one
    before left.

    A fork runs the same program: it counts for fork safety but is no location of its own.
    """

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger, _EVENTS)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in _FORKS:
            self._touched.add("subprocess fork")
            return
        if event == _SPAWN and _is_in_subprocess(sys._getframe(1)):
            # Told already, by a name that shows what a shell is asked to run.
            return
        program = _program(event, arguments)
        self._touched.add(f"subprocess {program}")
        self.ledger.read("subprocess", program)
        self.ledger.wrote("subprocess", program)


def _is_in_subprocess(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__") == "subprocess"


def _program(event: str, arguments: tuple[Any, ...]) -> str:
    """The first word of a command line, or the file that is run, without its directory.

    >>> _program("os.system", (b"/bin/ls -l",))
    'ls'
    """
    named = arguments[1] if event == "os.spawn" else arguments[0]
    words = text_of(named).split() if event == "os.system" else [text_of(named)]
    if event == "subprocess.Popen" and type(arguments[1]) in (list, tuple) and len(arguments[1]) == 3:
        # `shell=True`: what the shell is asked to run.
        shell, option, command = arguments[1]
        if shell in ("/bin/sh", b"/bin/sh") and option == "-c":
            words = text_of(command).split()
    return (words or [""])[0].rpartition("/")[2] or "unknown"
