"""Orders that begin alike, run as a tree: where they part, the instance's state is kept and put back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from unknot.model.run import Result
from unknot.model.suite import Order, TestId
from unknot.runners.command.launcher import CannotStart, LauncherLost
from unknot.runners.command.order_run import OneByOneRun
from unknot.runners.command.workspace import CommandWorkspace
from unknot.runners.dispatch.crash_attribution import AttemptEnd
from unknot.runners.workers.slot import Answered

_MOST_KEPT = 16
"""States kept at the same time. Each may be a whole database."""


@dataclass
class _Node:
    """One test after all those above it. `orders` are the numbers of those that end here; `is_counted` says that an
    order has counted it as executed."""

    test: TestId
    depth: int
    above: "_Node | None" = None
    orders: list[int] = field(default_factory=list)
    branches: dict[TestId, "_Node"] = field(default_factory=dict)
    is_counted: bool = False

    @property
    def name(self) -> str:
        return f"after-{self.depth}"

    def below(self) -> list[int]:
        """The orders that end here or further down."""
        found: list[int] = []
        waiting = [self]
        while waiting:
            node = waiting.pop()
            found.extend(node.orders)
            waiting.extend(node.branches.values())
        return found

    def count(self) -> int:
        """How many tests down to here no order has counted yet; from now on they are."""
        counted = 0
        node: _Node | None = self
        while node is not None and not node.is_counted:
            node.is_counted = True
            counted += 1
            node = node.above
        return counted


class SharedOrders:
    """Guarantee: an order's answer is what it would be from a clean state of its own, if keeping and putting back a
    state of the instance is right. Where tests have left something in the working copy, in TMPDIR or running, no state
    is kept, and the orders that part there begin again from their first test. If anything breaks off, the orders
    concerned are run by themselves: by `alone`, which retries them.

    Cost: one keep and one put-back for each branch but the last, instead of the tests above it.
    """

    def __init__(self, workspace: CommandWorkspace, runs: OneByOneRun, alone: Callable[[Order], Answered]) -> None:
        assert workspace.instance is not None
        self._workspace = workspace
        self._instance = workspace.instance
        self._runs = runs
        self._alone = alone
        self._by_themselves: list[int] = []
        self._later: list[int] = []

    def answers(self, orders: Sequence[Order]) -> Iterator[Answered]:
        """In the sequence given, each as soon as all before it are known."""
        known: dict[int, Answered] = {}
        number_out = 0
        for number, answered in self._all(orders):
            known[number] = answered
            while number_out in known:
                yield known.pop(number_out)
                number_out += 1

    def _all(self, orders: Sequence[Order]) -> Iterator[tuple[int, Answered]]:
        waiting = [number for number, order in enumerate(orders) if order]
        yield from ((number, Answered((), 0, 0.0)) for number, order in enumerate(orders) if not order)
        while waiting:
            # Each round answers one order of each tree at least, or leaves it to be run by itself.
            self._later = []
            for tree in _grown(orders, waiting):
                yield from self._tree(tree)
            waiting = self._later
        for number in self._by_themselves:
            yield number, self._alone(orders[number])

    def _tree(self, first: _Node) -> Iterator[tuple[int, Answered]]:
        answered: set[int] = set()
        try:
            self._workspace.clean()
            for number, answer in self._walk(first):
                answered.add(number)
                yield number, answer
            self._workspace.launcher.sweep()
        except LauncherLost:
            self._workspace.recover()
            gone = answered.union(self._by_themselves, self._later)
            self._by_themselves += [number for number in first.below() if number not in gone]

    def _walk(self, first: _Node) -> Iterator[tuple[int, Answered]]:
        results: list[Result] = []
        kept: list[tuple[_Node, list[_Node]]] = []
        node: _Node | None = first
        while node is not None:
            del results[node.depth - 1 :]
            result = self._result(node.test)
            if result is None or (node.orders and self._workspace.has_lost_instance()):
                self._by_themselves += node.below()
                node = self._next(kept)
                continue
            results.append(result)
            for number in node.orders:
                fresh = node.count()
                seconds = sum(one.seconds for one in results[len(results) - fresh :])
                yield number, Answered(tuple(results), fresh, seconds)
            branches = list(node.branches.values())
            if len(branches) > 1:
                self._part(node, branches, kept)
            node = branches[0] if branches else self._next(kept)

    def _part(self, node: _Node, branches: list[_Node], kept: list[tuple[_Node, list[_Node]]]) -> None:
        """The first branch goes on from here. The others need this state later, or begin again."""
        if len(kept) < _MOST_KEPT and not self._workspace.has_lost_instance() and self._workspace.is_untouched():
            self._instance.keep(node.name)
            kept.append((node, branches[1:]))
        else:
            for branch in branches[1:]:
                self._later += branch.below()

    def _next(self, kept: list[tuple[_Node, list[_Node]]]) -> _Node | None:
        """Where to go on after the end of a branch, with the state that belongs there."""
        if not kept:
            return None
        node, branches = kept[-1]
        self._workspace.launcher.sweep()
        if self._workspace.has_lost_instance():
            # What was kept of it may be as broken as it is.
            for _, others in kept:
                for branch in others:
                    self._later += branch.below()
            return None
        self._workspace.clean(resets_instance=False)
        self._instance.put_back(node.name)
        branch = branches.pop(0)
        if not branches:
            self._instance.forget(node.name)
            kept.pop()
        return branch

    def _result(self, test: TestId) -> Result | None:
        try:
            attempt = self._runs.run_test(test, sweeps=False)
        except CannotStart:
            return None
        if attempt.end is AttemptEnd.WHOLE and not attempt.results[0].outcome.is_bad:
            return attempt.results[0]
        self._workspace.check_room()
        return attempt.results[0] if attempt.end is AttemptEnd.WHOLE else None


def _grown(orders: Sequence[Order], numbers: Sequence[int]) -> list[_Node]:
    """Trees of these orders, one for each first test."""
    roots: dict[TestId, _Node] = {}
    for number in numbers:
        above: _Node | None = None
        branches = roots
        for depth, test in enumerate(orders[number], 1):
            above = branches.setdefault(test, _Node(test, depth, above))
            branches = above.branches
        assert above is not None
        above.orders.append(number)
    return list(roots.values())
