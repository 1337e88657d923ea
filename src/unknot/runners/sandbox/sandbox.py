"""The ground that a slot stands on: made, and cleared away whatever happens."""

import os
import secrets
import shutil
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.numbers import take_number
from unknot.runners.sandbox.reaper_start import Guard
from unknot.runners.sandbox.temporary_root import make_home
from unknot.runners.workers.slot import Ground

MARK = "UNKNOT_SEAT"


class OpenGround:
    """A ground with its guard. `last_breath` is a descriptor that stays open until all is cleared away, or -1."""

    def __init__(self, last_breath: int = -1) -> None:
        self._number = take_number()
        home: Path | None = None
        try:
            home = make_home()
            token = f"{os.getpid()}-{secrets.token_hex(8)}"
            kept = [self._number.descriptor, *([last_breath] if last_breath >= 0 else [])]
            self._guard = Guard(f"{MARK}={token}", home, kept)
        except BaseException as problem:
            self._number.release()
            if home is not None:
                shutil.rmtree(home, ignore_errors=True)
            if isinstance(problem, OSError):
                raise RunnerError(
                    f"cannot make a directory for tests: {problem}", hint="free some space, or set TMPDIR"
                ) from problem
            raise
        self.ground = Ground(home, self._number.value, {MARK: token})

    def close(self) -> None:
        """Returns when no process with the mark is left and the directory is gone."""
        self._guard.end()
        self._number.release()
