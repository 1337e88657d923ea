"""Layers for processes that are forked in the middle of an order: their siblings do not see what they write.

Standard library only: they are laid inside the process under test.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from unknot.runners.sandbox.overlay_program import Namespace
from unknot.runners.sandbox.tree import is_within_any


@dataclass(frozen=True)
class LayeredPlaces:
    """`own` are the directories that only this worker's tests write to, none if layers cannot be laid. `covers` and
    `passed`: see `Overlays`. `store` is an empty directory."""

    store: str
    own: Sequence[str]
    covers: Sequence[str]
    passed: Sequence[str]

    @classmethod
    def from_text(cls, text: str) -> "LayeredPlaces":
        return cls(**json.loads(text))

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    def keep(self, path: str) -> bool:
        """Whether a layer keeps what is written there."""
        real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if is_within_any(real, self.own):
            return True
        return bool(self.own) and not is_within_any(real, self.passed) and is_within_any(real, self.covers)


class BranchLayers:
    """The layers of this process.

    Guarantee: what a process writes after `lay`, or any process that it starts, is not seen by others, as far as
    `places` keep it; it vanishes with the last of these processes. What was written before is there. Assumes that the
    process has no file or directory open there. Cost: 5 ms for each."""

    def __init__(self, places: LayeredPlaces) -> None:
        self.places = places
        self._store = places.store
        self._layers: dict[str, list[str]] = {}
        self.is_laid = False
        """Whether this process is a branch with layers of its own."""

    def begin_here(self) -> None:
        """The layers of this process are those that branches begin with, and none of a branch."""
        self.is_laid = False

    def lay(self) -> None:
        """Called right after a fork, in a process with layers or without. Raises FileNotFoundError if a test has
        removed the current directory; OSError if the system does not allow it."""
        here = os.getcwd()
        namespace = Namespace(self._store, [*self.places.covers, *self.places.own], self.places.passed, self._layers)
        self._layers = namespace.layers(self._store)
        self.is_laid = True
        self._store = os.path.join(self._store, "branch")
        os.mkdir(self._store)
        namespace.close()
        # Still in the directory below the layer.
        os.chdir(here)
