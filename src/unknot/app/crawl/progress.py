"""How far a crawl has got."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CrawlProgress:
    """`tried` and `left` count actions, those of shared parts once. `seconds` is how long it has lasted, all sessions
    together; `budget` is how long it may last. `coverage` is for a reader, empty if there is none."""

    kinds: int
    tried: int
    left: int
    steps: int
    seconds: float
    budget: float
    coverage: str = ""
