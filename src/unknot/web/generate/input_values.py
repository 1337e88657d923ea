"""Values for the parameters of actions, for generators that plan a test before it runs."""

import random
from collections.abc import Iterable

from unknot.model.navigation_graph import Parameter, Transition
from unknot.model.web.action import FormField
from unknot.web.crawl.inputs.new_values import new_value
from unknot.web.generate.call import Path, PlannedCall

_POOL = 4
"""So many values for a parameter whose values are not known, as the study's input types have."""


class InputValues:
    """A parameter has the values that the graph knows, or else a few that fit its name. Deterministic by seed."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._made: dict[str, tuple[str, ...]] = {}

    def call(self, transition: Transition) -> PlannedCall:
        return PlannedCall(transition, tuple((each.name, self._value(each)) for each in transition.parameters))

    def path(self, transitions: Iterable[Transition]) -> Path:
        return tuple(self.call(each) for each in transitions)

    def _value(self, parameter: Parameter) -> str:
        return self._chance.choice(parameter.values or self._pool(parameter.name))

    def _pool(self, name: str) -> tuple[str, ...]:
        if name not in self._made:
            field = FormField(name, ())
            numbers = range(1, _POOL + 1)
            self._made[name] = tuple(new_value(field, number, self._chance) for number in numbers)
        return self._made[name]
