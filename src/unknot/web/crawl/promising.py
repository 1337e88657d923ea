"""Our crawl strategy: towards what is promising.

Idea
    Each action of each kind of page has a promise: the chance that trying it shows something new. It is high for what
    was never tried, lower after each failure, restored when something else has changed meanwhile, and low, but not
    zero, for what has worked, if it takes inputs. What was learned about where actions lead makes a graph with
    probabilities; the value of a page is the best of what it promises itself and what it leads to, discounted for each
    step. The next step is the one of highest value on the page in view; if a reset promises more, that is next.
Assumptions
    None about guards: they are learned as the share of tries that worked. A wrong estimate costs steps.
Guarantee
    Every action in view is tried once before any is tried often. Deterministic by seed.
Cost
    A few sweeps over the learned graph for each step: milliseconds for hundreds of actions.
"""

import random

from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.learned_model import EVERYWHERE, ActionRecord, LearnedModel
from unknot.web.crawl.values import TypedValues
from unknot.web.crawl.view import Action, View

_BUILDING = 0.15
"""The share of steps that repeat what has worked with other inputs: guards hold where enough was made before."""

_DISCOUNT = 0.9
"""For each step on the way to what is promising."""

_RESET_COSTS_STEPS = 3
_SWEEPS = 8

_AFTER_FAILURE = 0.6
"""The promise of an action that never worked falls by this factor with each failure."""

_AFTER_ALL = 0.93
"""And by this one, however much has changed since."""

_WORKED_WITH_INPUTS = 0.25
_AFTER_SUCCESS = 0.8
_WORKED_WITHOUT_INPUTS = 0.1
"""Other inputs may lead elsewhere; without inputs only another state may."""


class PromisingFirst:
    """See the module. `reuse_values=False` and `restore=False` switch off two of its parts, for comparison."""

    def __init__(self, seed: int, *, reuse_values: bool = True, restore: bool = True) -> None:
        self.model = LearnedModel()
        self._chance = random.Random(seed)
        self._typed = TypedValues()
        self._start = ""
        self._reuse_values = reuse_values
        self._restore = restore

    def begin(self, view: View) -> None:
        self._typed.clear()
        self._start = view.kind
        self._see(view)
        self.model.something_changed()

    def choose(self, view: View) -> ChosenStep | None:
        building = [
            action
            for action in view.actions
            if action.fields and self.model.records[_place(view, action), action.key].worked
        ]
        if building and self._chance.random() < _BUILDING:
            return self._with_values(self._chance.choice(building), view)
        values = self._page_values()
        best, candidates = -1.0, []
        for action in view.actions:
            value = self._action_value(_place(view, action), view.kind, action.key, values)
            if value > best + 1e-9:
                best, candidates = value, [action]
            elif value > best - 1e-9:
                candidates.append(action)
        if not candidates or values.get(self._start, 0.0) * _DISCOUNT**_RESET_COSTS_STEPS > best:
            return None
        return self._with_values(self._chance.choice(candidates), view)

    def _with_values(self, action: Action, view: View) -> ChosenStep:
        chosen = self._typed.choose(action, view, self._chance, reuse=self._reuse_values)
        return ChosenStep(action, tuple(chosen.items()))

    def learn(self, before: View, chosen: ChosenStep, after: View) -> None:
        worked = not after.refused
        is_new = self.model.record(_place(before, chosen.action), chosen.action.key, after.kind, worked=worked)
        self._see(after)
        if worked:
            self._typed.remember(chosen.values)
            if self._restore and (chosen.values or is_new):
                self.model.something_changed()

    def _see(self, view: View) -> None:
        self.model.see(view.kind, ((_place(view, action), action.key, bool(action.fields)) for action in view.actions))

    def _page_values(self) -> dict[str, float]:
        """By value iteration over what was learned."""
        values = dict.fromkeys(self.model.actions, 0.0)
        for _ in range(_SWEEPS):
            for kind, keys in self.model.actions.items():
                values[kind] = max((self._action_value(place, kind, key, values) for place, key in keys), default=0.0)
        return values

    def _action_value(self, place: str, kind: str, key: str, values: dict[str, float]) -> float:
        record = self.model.records[place, key]
        onward = 0.0
        if record.worked:
            expected = sum(
                count * values.get(target, 0.0) for target, count in record.targets.items() if target != kind
            )
            onward = _DISCOUNT * expected / record.tries * _AFTER_FAILURE**record.failures_since_change
        return max(promise(record), onward)


def _place(view: View, action: Action) -> str:
    """Where the record of an action is kept: what is on many pages leads to the same one from each."""
    return EVERYWHERE if action.is_shared else view.kind


def promise(record: ActionRecord) -> float:
    """The chance that another try shows something new."""
    if not record.tries:
        return 1.0
    if not record.worked:
        return float(_AFTER_FAILURE ** (1 + record.failures_since_change) * _AFTER_ALL**record.tries)
    if record.has_inputs:
        return float(_WORKED_WITH_INPUTS * _AFTER_SUCCESS ** (record.tries - 1))
    return float(_WORKED_WITHOUT_INPUTS * _AFTER_SUCCESS ** (record.tries - 1))
