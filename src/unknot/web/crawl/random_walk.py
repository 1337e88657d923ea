"""The simplest crawl strategy: any action in view, with any values; a reset after a number of steps."""

import random

from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.inputs.values import TypedValues
from unknot.web.crawl.view import View

_LONGEST = 40


class RandomWalk:
    """A walk has a random length of up to 40 steps, as in the study's programs. Deterministic by seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._typed = TypedValues()
        self._left = 0

    def companion(self, seed: int) -> "RandomWalk":
        return RandomWalk(seed)

    def begin(self, view: View) -> None:  # noqa: ARG002 - where it begins does not matter
        self._left = self._chance.randint(1, _LONGEST)

    def choose(self, view: View) -> ChosenStep | None:
        if not self._left or not view.actions:
            return None
        self._left -= 1
        action = self._chance.choice(view.actions)
        values = self._typed.choose(action, view, self._chance, reuse=False)
        return ChosenStep(action, tuple(values.items()))

    def learn(self, before: View, chosen: ChosenStep, after: View) -> None:
        pass
