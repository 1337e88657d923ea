"""What a crawl has learned: where actions lead, and how often they worked."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from unknot.model.web.action import Action
from unknot.web.crawl.guards import GUESS, Guards

ActionKey = tuple[str, str]
"""The kind of page, or `EVERYWHERE`, and the key of the action there."""

EVERYWHERE = "*"
"""In place of the kind of page, for actions that are on many."""


def place_of(kind: str, action: Action) -> str:
    """Where the record of an action is kept: what is on many pages leads to the same one from each."""
    return EVERYWHERE if action.is_shared else kind


_FEW, _FAMILIAR = 3, 12
"""So many of a family say something about the others, and so many all that there is to say."""


@dataclass
class ActionRecord:
    """`targets` counts the kinds of page that followed when it worked."""

    has_inputs: bool = False
    tries: int = 0
    worked: int = 0
    targets: Counter[str] = field(default_factory=Counter)
    failures_since_change: int = 0
    """Since something else changed in the application, as far as is known."""
    tries_since_gain: int = 0
    """Since a try ran code that had not run before; all tries, if coverage is not measured."""
    under_way: int = 0
    """Workers that are trying it now."""


class LearnedModel:
    """The actions of each kind of page, each with its record."""

    def __init__(self) -> None:
        self.records: defaultdict[ActionKey, ActionRecord] = defaultdict(ActionRecord)
        self.actions: dict[str, dict[ActionKey, None]] = {}
        self.guards = Guards(GUESS)
        self._visits: Counter[str] = Counter()
        self._in_view: Counter[tuple[str, ActionKey]] = Counter()
        self.shows: defaultdict[ActionKey, Counter[ActionKey]] = defaultdict(Counter)
        """By action, how often it has brought others into view on the same page, such as the items of a menu."""
        self._families: dict[ActionKey, str] = {}
        self._led_to: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """By family, the kinds of pages that followed."""
        self.left_empty: set[ActionKey] = set()
        """Actions that were tried with nothing entered, after they had worked."""

    def see(self, kind: str, actions: Iterable[tuple[str, str, bool]]) -> None:
        """The actions in view on a page of this kind: where its record is kept, its key, if it takes inputs."""
        known = self.actions.setdefault(kind, {})
        self._visits[kind] += 1
        for place, key, has_inputs in actions:
            if self._in_view[kind, (place, key)] < self._visits[kind]:
                self._in_view[kind, (place, key)] += 1
            known[place, key] = None
            self.records[place, key].has_inputs = has_inputs

    def presence(self, kind: str, key: ActionKey) -> float:
        """The share of visits to pages of this kind on which the action was in view."""
        return self._in_view[kind, key] / self._visits[kind]

    def group(self, place: str, key: str, family: str) -> None:
        """Actions of a family, such as the links to the days of a calendar, probably lead to the same kind of page."""
        self._families.setdefault((place, key), family)

    def familiarity(self, key: ActionKey) -> float:
        """From 0 to 1, and more the more of its family were tried, if all of them led to one kind of page."""
        led_to = self._led_to.get(self._families.get(key, ""), Counter())
        tried = led_to.total()
        return min(1.0, tried / _FAMILIAR) if len(led_to) == 1 and tried >= _FEW else 0.0

    def record(self, kind: str, key: str, target: str, *, worked: bool, gained: bool = False) -> bool:
        """Counts one try. Returns whether it showed something new: a first success, another target, or code that had
        not run before (`gained`)."""
        record = self.records[kind, key]
        record.tries += 1
        record.tries_since_gain = 0 if gained else record.tries_since_gain + 1
        if not worked:
            record.failures_since_change += 1
            return gained
        record.worked += 1
        record.failures_since_change = 0
        record.targets[target] += 1
        if family := self._families.get((kind, key)):
            self._led_to[family][target] += 1
        return gained or record.targets[target] == 1

    def something_changed(self) -> None:
        """Guards may hold now that did not."""
        for record in self.records.values():
            record.failures_since_change = 0
