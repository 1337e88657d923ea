"""What a crawl has learned: where actions lead, and how often they worked."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

ActionKey = tuple[str, str]
"""The kind of page, or `EVERYWHERE`, and the key of the action there."""

EVERYWHERE = "*"
"""In place of the kind of page, for actions that are on many."""


@dataclass
class ActionRecord:
    """`targets` counts the kinds of page that followed when it worked."""

    has_inputs: bool = False
    tries: int = 0
    worked: int = 0
    targets: Counter[str] = field(default_factory=Counter)
    failures_since_change: int = 0
    """Since something else changed in the application, as far as is known."""


class LearnedModel:
    """The actions of each kind of page, each with its record."""

    def __init__(self) -> None:
        self.records: defaultdict[ActionKey, ActionRecord] = defaultdict(ActionRecord)
        self.actions: dict[str, dict[ActionKey, None]] = {}

    def see(self, kind: str, actions: Iterable[tuple[str, str, bool]]) -> None:
        """The actions in view on a page of this kind: where its record is kept, its key, if it takes inputs."""
        known = self.actions.setdefault(kind, {})
        for place, key, has_inputs in actions:
            known[place, key] = None
            self.records[place, key].has_inputs = has_inputs

    def record(self, kind: str, key: str, target: str, *, worked: bool) -> bool:
        """Counts one try. Returns whether it showed something new: a first success, or another target."""
        record = self.records[kind, key]
        record.tries += 1
        if not worked:
            record.failures_since_change += 1
            return False
        record.worked += 1
        record.failures_since_change = 0
        record.targets[target] += 1
        return record.targets[target] == 1

    def something_changed(self) -> None:
        """Guards may hold now that did not."""
        for record in self.records.values():
            record.failures_since_change = 0
