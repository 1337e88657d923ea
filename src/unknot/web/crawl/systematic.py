"""Depth first and breadth first, as Crawljax crawls: every action of every kind of page once.

Reference
    A. Mesbah, A. van Deursen, S. Lenselink, "Crawling Ajax-based web applications through dynamic analysis of user
    interface state changes", ACM Trans. Web 6(1), 2012.
Idea
    A kind of page that is new is remembered with the steps that led to it. On the page in view, the next action that
    was never performed is taken. If there is none left, the crawl goes back: it resets, and repeats the steps that led
    to the latest kind of page, or with breadth first to the earliest, that has some left.
Assumptions
    The same steps lead to the same page again. Where they do not, what is left there is given up.
Guarantee
    Ends its work when every action was performed or given up; then it only resets.
Differs from the paper
    States are kinds of pages, as the reader of pages tells them apart; values are chosen at random.
"""

import random
from typing import Self

from unknot.model.web.action import Action
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.inputs.values import TypedValues
from unknot.web.crawl.view import View

_Path = tuple[ChosenStep, ...]


class _Systematic:
    goes_deep: bool

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._left: dict[str, dict[str, None]] = {}
        """The kinds of pages in the sequence in which they were found, each with the actions that are left."""
        self._paths: dict[str, _Path] = {}
        self._steps: list[ChosenStep] = []
        """Since the last reset."""
        self._replay: list[ChosenStep] = []
        self._target = ""

    def companion(self, seed: int) -> Self:
        other = type(self)(seed)
        other._left, other._paths = self._left, self._paths
        return other

    def begin(self, view: View) -> None:
        self._steps = []
        self._replay = list(self._paths.get(self._target, ()))
        self._see(view)

    def choose(self, view: View) -> ChosenStep | None:
        if self._replay:
            planned = self._replay.pop(0)
            again = _fitting(view, planned.action.key)
            if again is not None:
                return ChosenStep(again, planned.values)
            self._give_up()
        elif self._target and view.kind != self._target:
            self._give_up()
        self._target = ""
        left = self._left.get(view.kind, {})
        while left and (self.goes_deep or self._earliest() == view.kind):
            # Taken now: others need not try it as well.
            key = next(iter(left))
            left.pop(key)
            # It may be on this kind of page only sometimes.
            if action := _fitting(view, key):
                return ChosenStep(action, tuple(TypedValues().choose(action, view, self._chance, reuse=False).items()))
        self._target = self._latest() if self.goes_deep else self._earliest()
        return None

    def learn(self, before: View, chosen: ChosenStep, after: View) -> None:
        self._left.get(before.kind, {}).pop(chosen.action.key, None)
        if not after.refused:
            self._steps.append(chosen)
        self._see(after)

    def _see(self, view: View) -> None:
        if view.kind not in self._left:
            self._left[view.kind] = dict.fromkeys(action.key for action in view.actions)
            self._paths[view.kind] = tuple(self._steps)

    def _give_up(self) -> None:
        self._left[self._target] = {}
        self._replay = []

    def _earliest(self) -> str:
        return next((kind for kind, left in self._left.items() if left), "")

    def _latest(self) -> str:
        return next((kind for kind, left in reversed(self._left.items()) if left), "")


class DepthFirst(_Systematic):
    goes_deep = True


class BreadthFirst(_Systematic):
    goes_deep = False


def _fitting(view: View, key: str) -> Action | None:
    return next((action for action in view.actions if action.key == key), None)
