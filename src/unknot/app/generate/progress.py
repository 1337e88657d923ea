"""How far the search for tests has got."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DraftingProgress:
    """`drafts` are kept, so many more are `waiting` to be tried by replays. `seconds` is how long it has lasted,
    `budget` how long it may last."""

    walks: int = 0
    steps: int = 0
    drafts: int = 0
    waiting: int = 0
    replays: int = 0
    seconds: float = 0.0
    budget: float = 1.0
