"""A layer of its own for a process that was forked in the middle of an order: its siblings do not see what it writes.

Standard library only: it is laid inside the process under test.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from unknot.runners.sandbox.overlay_program import Namespace
from unknot.runners.sandbox.tree import is_within


@dataclass(frozen=True)
class BranchLayers:
    """`own` are the directories that only this worker's tests write to, none if layers cannot be laid. `covers` and
    `passed`: see `Overlays`. `store` is an empty directory.

    Guarantee: nothing that a process writes after `lay`, or any process that it starts, is seen by others, where
    `keeps` says so; it vanishes with the last of these processes. Assumes that the process has no file or directory
    open there. Cost: 4 ms."""

    store: str
    own: Sequence[str]
    covers: Sequence[str]
    passed: Sequence[str]

    @classmethod
    def from_text(cls, text: str) -> "BranchLayers":
        return cls(**json.loads(text))

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    def lay(self) -> None:
        """Called right after the fork. Raises FileNotFoundError if a test has removed the current directory; OSError
        if the system does not allow it, as it does not for a branch of a branch: layers lie two deep at most."""
        here = os.getcwd()
        Namespace(self.store, [*self.covers, *self.own], self.passed).close()
        # Still in the directory below the layer.
        os.chdir(here)

    def keeps(self, path: str) -> bool:
        real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if any(is_within(real, directory) for directory in self.own):
            return True
        is_passed = any(is_within(real, passed) for passed in self.passed)
        return bool(self.own) and not is_passed and any(is_within(real, cover) for cover in self.covers)
