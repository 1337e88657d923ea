"""A random walk over a simulated application, which prefers what it has not done, for tests that need all of it."""

import random
from collections import Counter

from unknot.model.web.locator import Locator
from unknot.model.web.step import FieldInput, PageStep
from unknot.web.simulated.simulated_application import SimulatedApplication
from unknot.web.simulated.site import Site, SiteAction

_RESETS = 0.002
"""The share of steps before which the application is reset."""


class Wandering:
    """`refused` counts the refusals of each action of each page."""

    def __init__(self, site: type[Site], seed: int) -> None:
        self.application = SimulatedApplication(site)
        self.refused: Counter[tuple[str, str]] = Counter()
        self._actions: dict[str, list[SiteAction]] = {}
        for each in site.actions():
            for page in each.pages:
                self._actions.setdefault(page, []).append(each)
        self._worked: Counter[tuple[str, str]] = Counter()
        self._chance = random.Random(seed)

    def walk(self, steps: int) -> None:
        page = self.application.reset().title
        for _ in range(steps):
            if self._chance.random() < _RESETS:
                page = self.application.reset().title
            action = self._choose(page)
            seen = self.application.perform(step_of(action, self._chance))
            kept = self._worked if not seen.refusal else self.refused
            kept[action.name, page] += 1
            page = seen.title

    def _choose(self, page: str) -> SiteAction:
        """One that worked seldom, or whose guard has seldom refused; half of the time any."""
        possible = self._actions[page]
        if self._chance.random() < 1 / 2:
            return self._chance.choice(possible)
        return min(self._chance.sample(possible, min(4, len(possible))), key=lambda each: self._done(each, page))

    def _done(self, action: SiteAction, page: str) -> int:
        key = action.name, page
        return min(self._worked[key], self.refused[key]) if action.guard else self._worked[key]


def step_of(action: SiteAction, chance: random.Random) -> PageStep:
    form = Locator("form", action.name)
    inputs = tuple(
        FieldInput((Locator("combobox", name, within=form),), chance.choice(values)) for name, values in action.fields
    )
    return PageStep((Locator("button", action.name),), inputs)
