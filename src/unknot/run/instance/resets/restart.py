"""The way back that is always right: nothing is kept, all is made anew."""

import os
import shutil

from unknot.model.errors import RunnerError
from unknot.run.instance.resets.options import Options
from unknot.run.instance.resets.protocol import Placed


class Restart:
    """Empties the instance's directory while the system is stopped. Whoever owns the instance prepares and starts it
    again, so the clean state is as good as those two. Cost: whatever they take."""

    needs_stop = True
    can_fork = False

    def __init__(self, options: Options, placed: Placed) -> None:  # noqa: ARG002 - every kind is made alike
        self._directory = placed.directory

    def keep(self, name: str) -> None:
        pass

    def put_back(self, name: str) -> None:  # noqa: ARG002 - there is one clean state
        try:
            with os.scandir(self._directory) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        shutil.rmtree(entry.path)
                    else:
                        os.unlink(entry.path)
        except OSError as problem:
            raise RunnerError(
                f"cannot empty {self._directory}: {problem}", hint="does a process of the system still write there?"
            ) from problem

    def forget(self, name: str) -> None:
        pass
