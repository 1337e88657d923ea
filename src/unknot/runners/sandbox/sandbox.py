"""A slot's sandbox: a private directory, a number, and a reaper that clears both away whatever happens."""

import os
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.numbers import take_number
from unknot.runners.sandbox.reaper_start import Reaper
from unknot.runners.sandbox.temporary_root import make_home

MARK = "UNKNOT_SLOT"


@dataclass(frozen=True)
class Sandbox:
    """What a slot is given: a private directory, a number that no other slot of this machine has at the same time,
    and a mark that must stand in the environment of whatever it starts. When the slot is closed, or the process that
    holds it dies in whatever way, everything with that mark is killed and the directory is removed."""

    home: Path
    number: int
    mark: Mapping[str, str] = field(default_factory=dict)


class OpenSandbox:
    """A sandbox with its reaper. `last_breath` is a descriptor that stays open until all is cleared away, or -1."""

    def __init__(self, last_breath: int = -1) -> None:
        self._number = take_number()
        home: Path | None = None
        try:
            home = make_home()
            token = f"{os.getpid()}-{secrets.token_hex(8)}"
            kept = [self._number.descriptor, *([last_breath] if last_breath >= 0 else [])]
            self._reaper = Reaper(f"{MARK}={token}", home, kept)
        except BaseException as problem:
            self._number.release()
            if home is not None:
                shutil.rmtree(home, ignore_errors=True)
            if isinstance(problem, OSError):
                raise RunnerError(
                    f"cannot make a directory for tests: {problem}", hint="free some space, or set TMPDIR"
                ) from problem
            raise
        self.sandbox = Sandbox(home, self._number.value, {MARK: token})

    def close(self) -> None:
        """Returns when no process with the mark is left and the directory is gone."""
        self._reaper.end()
        self._number.release()
