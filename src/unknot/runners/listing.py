"""What a runner says it could run, in our words."""

from dataclasses import dataclass
from pathlib import Path

from unknot.model.suite import Suite


@dataclass(frozen=True)
class Listing:
    """`files[i]` is the user's own file of test i; `modules` are files that all tests share. `plugins` are words for
    what else could change an answer: versions, options, commands. `by_hand` are options that make a plain run of an
    order do as unknot does, in spite of the project's own options."""

    suite: Suite
    files: tuple[Path, ...]
    root: Path
    modules: tuple[Path, ...]
    plugins: tuple[str, ...]
    by_hand: tuple[str, ...] = ()
