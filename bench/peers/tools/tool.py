"""What the benchmark has to know about a tool."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bench.peers.truth import Claim
from bench.peers.workbench import Workbench


@dataclass
class Answer:
    """What a tool said; filled as it goes on, so that something is left when it runs out of time."""

    claims: dict[str, Claim] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)

    def told(self) -> str:
        """The notes in one line, equal ones counted."""
        return "; ".join(f"{count} x {note}" if count > 1 else note for note, count in self.notes.items())


@dataclass(frozen=True)
class Tool:
    """`ask` gets the dependent tests too, for tools that want to be told which test to look at."""

    name: str
    requirements: tuple[str, ...]
    ask: Callable[[Workbench, Sequence[str], Answer], None]
    pythons: tuple[str, ...] = ()
    """Versions it runs on, best first; without any, that of the benchmark."""
    is_unknot: bool = False
