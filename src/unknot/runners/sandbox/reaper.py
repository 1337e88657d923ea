"""The reaper of a sandbox: waits for the end of the process that holds it, then clears away what is left.

`Reaper` starts it as an isolated program (`-I -S`): nothing that the user has installed can keep it from its work.
"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from unknot.runners.sandbox.processes import SPARED, kill_family, wait_for_end
from unknot.runners.sandbox.tree import remove

_KILL_SECONDS = 30.0
"""For processes that do not end when they are killed: they wait for a disk or a network."""

_ENDING_SECONDS = 60.0
_PAUSE_SECONDS = 0.02
_REMOVALS = 5

_FOR_THE_LINKER = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Some Pythons do not start without it."""

_SOURCES = str(Path(__file__).resolve().parents[3])


def isolated_program(module: str, *arguments: str) -> list[str]:
    """The words that run `main` of one of our modules without site-packages and without the user's settings. Such a
    module imports the standard library, `processes` and `tree` only."""
    program = f"import sys; sys.path.append(sys.argv.pop(1)); from {module} import main; main()"
    return [sys.executable, "-I", "-S", "-c", program, _SOURCES, *arguments]


def isolated_environment() -> dict[str, str]:
    """What such a program needs: nothing by which it could be taken for one of the user's."""
    return {name: os.environ[name] for name in _FOR_THE_LINKER if name in os.environ}


class Reaper:
    """While this process lives and has not called `end`, the reaper waits; after that, however it came about, it
    kills whatever has `mark` in its environment and removes `home`. It holds the descriptors `kept` until it is done.
    In a session of its own: no Ctrl-C reaches it. Costs a process of about 10 MB."""

    def __init__(self, mark: str, home: Path, kept: Sequence[int] = ()) -> None:
        self._mark = mark
        self._home = str(home)
        watched, self._held = os.pipe()
        name, _, value = SPARED.decode().partition("=")
        try:
            self._popen = subprocess.Popen(
                isolated_program(__name__, str(watched), mark, self._home),
                cwd="/",
                env={**isolated_environment(), name: value},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(watched, *kept),
                start_new_session=True,
            )
        except BaseException:
            os.close(self._held)
            raise
        finally:
            os.close(watched)

    @property
    def pid(self) -> int:
        return self._popen.pid

    def end(self) -> None:
        """Returns when all is cleared away; if the reaper was killed, by this process itself."""
        os.close(self._held)
        wait_for_end(self._popen, _ENDING_SECONDS)
        if self._popen.returncode != 0:
            self._popen.kill()
            self._popen.wait()
            clear_away(self._mark, self._home)


def clear_away(mark: str, home: str) -> None:
    """Kills every process that has `mark` in its environment, and what is below one, until none is found; then removes
    the directory `home`."""
    kill_family(os.fsencode(mark), seconds=_KILL_SECONDS)
    for _ in range(_REMOVALS):
        if not os.path.lexists(home):
            return
        with contextlib.suppress(OSError):
            remove(home)
        time.sleep(_PAUSE_SECONDS)


def main() -> None:
    descriptor, mark, home = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    while os.read(descriptor, 4096):
        pass
    clear_away(mark, home)
