"""Starts a slot's guardian, and ends it."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox import reaper

_ENDING_SECONDS = 60.0

_FOR_THE_LINKER = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Some Pythons do not start without it."""


class Reaper:
    """While this process lives and has not called `end`, the guardian waits; after that, however it came about, it
    kills whatever has `mark` in its environment and removes `home`. It holds the descriptors `kept` until it is done.
    In a session of its own: no Ctrl-C reaches it. Costs a process of about 10 MB."""

    def __init__(self, mark: str, home: Path, kept: Sequence[int] = ()) -> None:
        self._mark = mark
        self._home = str(home)
        watched, self._held = os.pipe()
        environment = {name: os.environ[name] for name in _FOR_THE_LINKER if name in os.environ}
        name, _, value = reaper.SPARED.decode().partition("=")
        program = [sys.executable, "-I", "-S", reaper.__file__, str(watched), mark, self._home]
        try:
            self._popen = subprocess.Popen(
                program,
                cwd="/",
                env={**environment, name: value},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(watched, *kept),
                start_new_session=True,
            )
        except OSError as problem:
            os.close(self._held)
            raise RunnerError(f"cannot start {sys.executable}: {problem}") from problem
        finally:
            os.close(watched)

    @property
    def pid(self) -> int:
        return self._popen.pid

    def end(self) -> None:
        """Returns when all is cleared away; if the guardian was killed, by our own hand."""
        os.close(self._held)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(_ENDING_SECONDS)
        if self._popen.returncode != 0:
            self._popen.kill()
            self._popen.wait()
            reaper.clear_away(self._mark, self._home)
