"""Our crawl strategy: towards what is promising.

Idea
    Each action of each kind of page has a promise: the chance that trying it shows something new. It is high for what
    was never tried, lower after each failure, restored when something else has changed meanwhile, and low, but not
    zero, for what has worked, if it takes inputs. Code that runs for the first time is something new too. What was
    learned about where actions lead makes a graph with probabilities; the value of a page is the best of what it
    promises itself and what it leads to, discounted for each step, and the less the more often it was not in view
    there. The next step is the one of highest value on the page in view; if a reset promises more, that is next. So it
    is after many new kinds of pages: pages without end do not keep it from what is near the start.
Assumptions
    None about guards: they are learned as the share of tries that worked. A wrong estimate costs steps.
Guarantee
    Every action in view is tried once before any is tried often. Deterministic by seed.
Cost
    A few sweeps over the learned graph for each step: milliseconds for hundreds of actions.
"""

import random
from urllib.parse import urljoin

from unknot.model.web.action import Action, FormField
from unknot.web.crawl.addresses import link_family
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.inputs.values import TypedValues
from unknot.web.crawl.learned_model import ActionKey, ActionRecord, LearnedModel, place_of
from unknot.web.crawl.repairs import Repairs
from unknot.web.crawl.view import View

_BUILDING = 0.15
"""The share of steps that repeat what has worked with other inputs: guards hold where enough was made before."""

_DISCOUNT = 0.9
"""For each step on the way to what is promising."""

_MOST_FRESH = 8
"""So many steps in a row on what has just appeared: some pages always show something new."""

_DRAWS = 8
"""Of values, until the guard of the action holds for them."""

_DOUBT = 0.15
"""The share of values that are entered although the guard does not hold: it may be wrong."""

_LESS_IF_FAMILIAR = 0.7
"""An action that was never tried promises less if many like it led to the same kind of page: endless lists of links
leave room for others."""

_RESET_COSTS_STEPS = 3
_MOST_NEW_KINDS = 20
_NEAR = 0.5
"""Found since a reset, and what the start must promise then: something new within six steps of it."""

_SWEEPS = 8

_AFTER_FAILURE = 0.6
"""The promise of an action that never worked falls by this factor with each failure."""

_AFTER_ALL = 0.93
"""And by this one, however much has changed since."""

_WORKED_WITH_INPUTS = 0.25
_AFTER_SUCCESS = 0.8
_WORKED_WITHOUT_INPUTS = 0.1
"""Other inputs may lead elsewhere; without inputs only another state may."""

_TRIED_ELSEWHERE = 0.2


class PromisingFirst:
    """See the module. `reuse_values=False`, `restore=False` and `use_gain=False` switch off parts of it, for
    comparison."""

    def __init__(self, seed: int, *, reuse_values: bool = True, restore: bool = True, use_gain: bool = True) -> None:
        self.model = LearnedModel()
        self._chance = random.Random(seed)
        self._typed = TypedValues()
        self._repairs = Repairs(self._chance, self._typed.entered)
        self._fresh_steps = 0
        self._appeared: dict[ActionKey, None] = {}
        """What the last step has brought into view: it may be gone after the next."""
        self._entered: tuple[tuple[str, str], ...] = ()
        """With the last step, if its form is still in view as it was filled."""
        self._start = ""
        self._reuse_values = reuse_values
        self._restore = restore
        self._use_gain = use_gain
        self._under_way: ActionKey | None = None
        self._new_kinds = 0

    def companion(self, seed: int) -> "PromisingFirst":
        other = PromisingFirst(seed, reuse_values=self._reuse_values, restore=self._restore, use_gain=self._use_gain)
        other.model = self.model
        other._start = self._start
        return other

    def begin(self, view: View) -> None:
        self._end_step()
        self._typed.clear()
        self._new_kinds = 0
        self._repairs.clear()
        self._appeared = {}
        self.model.guards.begin(view)
        self._start = view.kind
        self._see(view)
        self.model.something_changed()

    def choose(self, view: View) -> ChosenStep | None:
        if (repaired := self._repairs.take(view)) is not None:
            return repaired
        fresh = [
            action
            for action in view.actions
            if (place_of(view.kind, action), action.key) in self._appeared
            and not self.model.records[place_of(view.kind, action), action.key].tries
        ]
        if fresh and self._fresh_steps < _MOST_FRESH:
            self._fresh_steps += 1
            return self._with_values(self._chance.choice(fresh), view)
        self._fresh_steps = 0
        building = [
            action
            for action in view.actions
            if _may_build(action) and self.model.records[place_of(view.kind, action), action.key].worked
        ]
        if building and self._chance.random() < _BUILDING:
            return self._with_values(self._chance.choice(building), view)
        values = self._page_values()
        in_view = frozenset(each.key for each in view.actions)
        best, candidates = -1.0, []
        for action in view.actions:
            value = self._action_value(place_of(view.kind, action), view.kind, action.key, values)
            value = max(value, self._hidden_value((place_of(view.kind, action), action.key), in_view))
            if value > best + 1e-9:
                best, candidates = value, [action]
            elif value > best - 1e-9:
                candidates.append(action)
        at_start = values.get(self._start, 0.0)
        if not candidates or at_start * _DISCOUNT**_RESET_COSTS_STEPS > best:
            return None
        if self._new_kinds > _MOST_NEW_KINDS and at_start > _NEAR:
            return None
        return self._with_values(self._chance.choice(candidates), view)

    def _with_values(self, action: Action, view: View) -> ChosenStep:
        """With values for which its guard holds, as far as it was learned and such values come up."""
        place = place_of(view.kind, action)
        labels = {each.label for each in action.fields}
        if (place, action.key) in self._appeared and self._entered and labels.issuperset(dict(self._entered)):
            # A button that has taken the place of another one asks whether it was meant so.
            return self._chosen(action, view, self._entered)
        if self._is_worth_nothing(place, action):
            return self._chosen(action, view, tuple((each.label, "") for each in _texts(action)))
        for _ in range(_DRAWS):
            chosen = self._typed.choose(action, view, self._chance, reuse=self._reuse_values, sorts=self._repairs.sorts)
            allowed = not action.fields or self.model.guards.allows(place, action.key, view, chosen)
            if allowed or self._chance.random() < _DOUBT:
                break
        return self._chosen(action, view, tuple(chosen.items()))

    def _chosen(self, action: Action, view: View, values: tuple[tuple[str, str], ...]) -> ChosenStep:
        self._under_way = place_of(view.kind, action), action.key
        self.model.records[self._under_way].under_way += 1
        return ChosenStep(action, values)

    def _is_worth_nothing(self, place: str, action: Action) -> bool:
        """Whether to send the form with nothing entered: once, after it has worked, to see what is said then."""
        key = place, action.key
        if key in self.model.left_empty or not self.model.records[key].worked or not _texts(action):
            return False
        self.model.left_empty.add(key)
        return True

    def _end_step(self) -> None:
        if self._under_way is not None:
            self.model.records[self._under_way].under_way -= 1
            self._under_way = None

    def learn(self, before: View, chosen: ChosenStep, after: View) -> None:
        self._end_step()
        worked = not after.refused
        place, key = place_of(before.kind, chosen.action), chosen.action.key
        gained = self._use_gain and bool(after.gain)
        self.model.guards.add(place, before, chosen, after)
        is_new = self.model.record(place, key, after.kind, worked=worked, gained=gained)
        self._see(after)
        self._entered = ()
        if after.kind == before.kind and _stays(before, chosen.action, after):
            self._entered = chosen.values
            self._appeared = self._appeared_keys(before, after)
            if self._appeared:
                self.model.shows[place, key].update(self._appeared.keys())
        else:
            self._appeared = {}
        self._repairs.learn(chosen, after)
        if worked:
            self._typed.remember(chosen.values)
            if self._restore and (chosen.values or is_new):
                self.model.something_changed()

    def _appeared_keys(self, before: View, after: View) -> dict[ActionKey, None]:
        known = {each.key for each in before.actions}
        return {(place_of(after.kind, each), each.key): None for each in after.actions if each.key not in known}

    def _see(self, view: View) -> None:
        self._new_kinds += view.kind not in self.model.actions
        for action in view.actions:
            if action.href:
                self.model.group(place_of(view.kind, action), action.key, link_family(action.href))
        self.model.see(
            view.kind, ((place_of(view.kind, action), action.key, bool(action.fields)) for action in view.actions)
        )

    def _page_values(self) -> dict[str, float]:
        """By value iteration over what was learned."""
        values = dict.fromkeys(self.model.actions, 0.0)
        for _ in range(_SWEEPS):
            for kind, keys in self.model.actions.items():
                values[kind] = max(
                    (
                        self.model.presence(kind, (place, key))
                        * max(self._action_value(place, kind, key, values), self._hidden_value((place, key)))
                        for place, key in keys
                    ),
                    default=0.0,
                )
        return values

    def _action_value(self, place: str, kind: str, key: str, values: dict[str, float]) -> float:
        record = self.model.records[place, key]
        onward = 0.0
        if record.worked:
            expected = sum(
                count * values.get(target, 0.0) for target, count in record.targets.items() if target != kind
            )
            onward = _DISCOUNT * expected / record.tries * _AFTER_FAILURE**record.failures_since_change
        own = promise(record)
        if not record.tries:
            own *= 1 - _LESS_IF_FAMILIAR * self.model.familiarity((place, key))
        return max(own, onward)

    def _hidden_value(self, key: ActionKey, in_view: frozenset[str] = frozenset()) -> float:
        """What an action promises by what it brings into view, the less the more often it did not."""
        shown = self.model.shows.get(key)
        if not shown:
            return 0.0
        tries = self.model.records[key].tries
        return _DISCOUNT * max(
            (
                promise(self.model.records[each]) * count / tries
                for each, count in shown.items()
                if each[1] not in in_view
            ),
            default=0.0,
        )


def _stays(before: View, action: Action, after: View) -> bool:
    """Whether the action has changed the page rather than loaded it: links open menus and dialogs too."""
    here = before.observation.address.partition("#")[0]
    if not action.href:
        return True
    leads_to = urljoin(here, action.href).partition("#")[0]
    return here == after.observation.address.partition("#")[0] and (leads_to != here or action.href.startswith("#"))


def _may_build(action: Action) -> bool:
    """A form that only asks, such as a search, has an address to which it is not sent by POST."""
    return bool(action.fields) and (action.writes or not action.sends_to)


def _texts(action: Action) -> list[FormField]:
    """Its fields for text."""
    kinds = ("", "text", "search", "email", "password", "tel", "url")
    return [each for each in action.fields if not each.options and each.constraint("type") in kinds]


def promise(record: ActionRecord) -> float:
    """The chance that another try shows something new. It is less for what another worker is trying now."""
    if not record.tries:
        return float(_TRIED_ELSEWHERE**record.under_way)
    if not record.worked:
        return float(_AFTER_FAILURE ** (1 + record.failures_since_change) * _AFTER_ALL**record.tries)
    if record.has_inputs:
        # Large servers run a little new code again and again: that alone must not keep the crawl at one form.
        fairness = _AFTER_ALL ** (record.tries - record.tries_since_gain)
        return float(_WORKED_WITH_INPUTS * fairness * _AFTER_SUCCESS ** max(record.tries_since_gain - 1, 0))
    return float(_WORKED_WITHOUT_INPUTS * _AFTER_SUCCESS ** max(record.tries_since_gain - 1, 0))
