"""From many orders to few trees: what orders share at their beginning is run once.

Two orders may share the run of a test only if pytest would tear down the same fixtures after it, which depends on the
test that follows. So a step of an order is a test together with how many of its collectors (session, package, module,
class) the next test shares; orders share a prefix as long as their steps are equal.
"""

import itertools
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_WORTH_A_PREFIX = 2.0

Step = tuple[int, int]
"""A test's number and the length of the chain of collectors that it shares with its follower; 0 for the last."""

Path = tuple[int, ...]
"""An order as numbers of collected tests."""


def steps(path: Path, chains: Sequence[Sequence[int]]) -> tuple[Step, ...]:
    followers = [_common(chains[here], chains[there]) for here, there in itertools.pairwise(path)]
    return tuple(zip(path, [*followers, 0], strict=True))


def _common(one: Sequence[object], other: Sequence[object]) -> int:
    length = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        length += 1
    return length


@dataclass
class Tree:
    """Nodes as parallel lists, in the form that the process under test takes; `nodes_of` maps an
    order's key to its nodes, first to last."""

    items: list[int] = field(default_factory=list)
    following: list[int | None] = field(default_factory=list)
    branches: list[list[int]] = field(default_factory=list)
    roots: list[int] = field(default_factory=list)
    nodes_of: dict[int, list[int]] = field(default_factory=dict)

    def wire(self, tracing: Container[int] = ()) -> Mapping[str, Any]:
        """`tracing` are tests that leave traces outside the process."""
        layered = {
            node
            for nodes in self.nodes_of.values()
            for node in itertools.dropwhile(lambda node: self.items[node] not in tracing, reversed(nodes))
        }
        return {
            "items": self.items,
            "following": self.following,
            "branches": self.branches,
            "roots": self.roots,
            "layered": sorted(layered),
        }

    def add(self, item: int, follower: int | None, siblings: list[int]) -> int:
        """A new node among `siblings`, which are the roots or the branches of a node; returns its number."""
        number = len(self.items)
        self.items.append(item)
        self.following.append(follower)
        self.branches.append([])
        siblings.append(number)
        return number


def grow(orders: Mapping[int, Path], chains: Sequence[Sequence[int]], may_share: Callable[[int], bool]) -> Tree:
    """One tree for these orders, keyed by the caller's numbers. An order that may not share gets a path of its own."""
    tree = Tree()
    known: dict[tuple[int, Step], int] = {}
    for key, path in orders.items():
        shared = may_share(key)
        above, siblings = -1, tree.roots
        nodes: list[int] = []
        for place, step in enumerate(steps(path, chains)):
            number = known.get((above, step)) if shared else None
            if number is None:
                follower = path[place + 1] if place + 1 < len(path) else None
                number = tree.add(path[place], follower, siblings)
                if shared:
                    known[above, step] = number
            nodes.append(number)
            above, siblings = number, tree.branches[number]
        tree.nodes_of[key] = nodes
    _put_largest_last(tree)
    return tree


def _put_largest_last(tree: Tree) -> None:
    """The process that has run a node runs its last branch itself: the largest, so that few forks lie within forks."""
    sizes = [1] * len(tree.items)
    for node in reversed(range(len(tree.items))):
        branches = tree.branches[node]
        branches.sort(key=lambda branch: sizes[branch])
        sizes[node] += sum(sizes[branch] for branch in branches)


def slices(
    orders: Mapping[int, Path], chains: Sequence[Sequence[int]], cost: Callable[[int], float], parts: int
) -> Iterator[dict[int, Path]]:
    """Cuts the orders into at most about `parts` groups of equal cost that lose little sharing.

    Sorted by their steps, neighbours share the most; a cut between two neighbours costs their common prefix once
    more. A cut is made where a group is full, and what it runs after its own prefix costs twice as much as that.
    """
    if not orders:
        return
    stepped = {key: steps(path, chains) for key, path in orders.items()}
    ranked = sorted(orders, key=lambda key: (stepped[key], key))
    shared = [0, *(_common(stepped[a], stepped[b]) for a, b in itertools.pairwise(ranked))]
    own = [sum(cost(item) for item in orders[key][depth:]) for key, depth in zip(ranked, shared, strict=True)]
    full = sum(own) / max(1, parts)
    group: dict[int, Path] = {}
    weight = 0.0
    """What the group runs after the prefix that its orders share."""
    for place, (key, depth, extra) in enumerate(zip(ranked, shared, own, strict=True)):
        repeated = sum(cost(item) for item in orders[key][:depth])
        if group and weight + extra / 2 >= full and _WORTH_A_PREFIX * repeated <= weight:
            yield group
            group, weight = {}, 0.0
        if not place and len(ranked) > 1:
            weight -= sum(cost(item) for item in orders[key][: shared[1]])
        group[key] = orders[key]
        weight += extra
    if group:
        yield group
