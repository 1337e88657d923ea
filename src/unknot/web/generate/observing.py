"""Our generator: each step is chosen on the page in view, towards what no test has done.

Idea
    The crawl strategy that goes towards what is promising, as a generator of tests: a walk ends, and a new test begins
    in a clean state, when it has shown nothing new for a number of steps. That number grows with each test that has
    shown nothing new at all, because what is left needs long preparation, and falls again with each that has. So tests
    stay short while there is much to find.
Assumptions
    Those of the crawl strategy. A clean state costs about as much as three steps.
Guarantee
    Deterministic by seed.
Cost
    That of the crawl strategy.
"""

from unknot.model.navigation_graph import Transition
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.promising import PromisingFirst
from unknot.web.crawl.view import View

_SHORTEST, _LONGEST = 8.0, 200.0
"""Steps without anything new after which a test ends."""

_GROWTH = 1.5


class Observing:
    """An explorer for `LiveGenerator`. For comparison, `reuse_values=False` and `restore=False` switch off parts of the
    crawl strategy, and with `patience=False` a test ends only where the crawl strategy resets."""

    def __init__(self, seed: int, *, reuse_values: bool = True, restore: bool = True, patience: bool = True) -> None:
        self._has_patience = patience
        self._explorer = PromisingFirst(seed, reuse_values=reuse_values, restore=restore)
        self._patience = _SHORTEST
        self._since_new = 0
        self._has_new = True
        self._seen: dict[Transition, None] = {}

    def companion(self, seed: int) -> "Observing":
        other = Observing(seed)
        other._explorer = self._explorer.companion(seed)
        other._seen = self._seen
        return other

    def begin(self, view: View) -> None:
        grown = self._patience / _GROWTH if self._has_new else self._patience * _GROWTH
        self._patience = min(_LONGEST, max(_SHORTEST, grown))
        self._since_new = 0
        self._has_new = False
        self._explorer.begin(view)

    def choose(self, view: View) -> ChosenStep | None:
        is_over = self._has_patience and self._since_new >= self._patience
        return None if is_over else self._explorer.choose(view)

    def learn(self, before: View, chosen: ChosenStep, after: View) -> None:
        self._explorer.learn(before, chosen, after)
        transition = Transition(chosen.action.title, before.kind, after.kind, condition=after.observation.way)
        is_new = not after.refused and transition not in self._seen
        self._since_new = 0 if is_new else self._since_new + 1
        if is_new:
            self._has_new = True
            self._seen[transition] = None
