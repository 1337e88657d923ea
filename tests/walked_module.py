"""A module made from source, and a heap that compares it."""

import textwrap
import types
from collections.abc import Callable

from unknot.recorder.native._heap import Change, Heap


class WalkedModule:
    """The module `shop`; everything in it is the user's."""

    def __init__(
        self, source: str = "", is_stopped: Callable[[str], bool] = lambda _name: False, **limits: int
    ) -> None:
        self.module = types.ModuleType("shop")
        self.run(source)
        self.heap = Heap(lambda name: name.split(".")[0] == "shop", is_stopped, **limits)  # type: ignore[arg-type]
        self.compare()

    def run(self, source: str) -> None:
        exec(textwrap.dedent(source), vars(self.module))

    def compare(self) -> list[Change]:
        return self.heap.compare([("shop", self.module)])

    def after(self, source: str) -> list[Change]:
        self.run(source)
        return self.compare()

    def names_after(self, source: str) -> list[str]:
        return [change.name for change in self.after(source)]
