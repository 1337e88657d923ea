"""The work queue: which orders go to a worker together, and which worker takes what next."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from unknot.runners.dispatch import prefix_tree
from unknot.runners.dispatch.prefix_tree import Path

Group = dict[int, Path]
"""Orders, keyed by their requests, that one worker runs as one tree."""

_MOST_TASKS_EACH = 12
"""More tasks for each worker balance better; fewer, with more orders each, share more."""


class WorkQueue:
    """Lanes of groups. Worker number w takes the next of lane w; when that is empty, the last of the lane that has the
    most tests left, so that no worker is idle while others have work that they have not begun. A lane of a worker that
    was lost is worked off by the others in the same way. What was handed out and came to nothing goes first."""

    def __init__(self, lanes: Sequence[Iterable[Group]]) -> None:
        self._returned: deque[Group] = deque()
        self._lanes = [deque(lane) for lane in lanes]
        self._left = [sum(map(_size, lane)) for lane in self._lanes]

    def __bool__(self) -> bool:
        return bool(self._returned) or any(self._lanes)

    def take(self, worker: int) -> Group:
        """Assumes that there is something."""
        if self._returned:
            return self._returned.popleft()
        if worker < len(self._lanes) and self._lanes[worker]:
            lane, group = worker, self._lanes[worker].popleft()
        else:
            lane = max(range(len(self._lanes)), key=lambda lane: (bool(self._lanes[lane]), self._left[lane], -lane))
            # The owner goes on at the front.
            group = self._lanes[lane].pop() if len(self._lanes) > 1 else self._lanes[lane].popleft()
        self._left[lane] -= _size(group)
        return group

    def give_back(self, group: Group) -> None:
        self._returned.appendleft(group)


def one_by_one(paths: Group) -> list[Group]:
    return [{key: path} for key, path in paths.items()]


def by_shared_prefix(
    paths: Group,
    alone: Collection[int],
    chains: Sequence[Sequence[int]],
    cost: Callable[[int], float],
    *,
    workers: int,
    fewest_orders: int,
) -> Iterator[Group]:
    """Orders in `alone` by themselves, and first: they are mostly repetitions that the caller waits for. The others in
    groups of about equal cost, of at least `fewest_orders`, that lose little sharing."""
    yield from one_by_one({key: path for key, path in paths.items() if key in alone})
    sharing = {key: path for key, path in paths.items() if key not in alone}
    if sharing:
        # A single worker has nothing to balance.
        each = min(_MOST_TASKS_EACH, max(1, len(sharing) // (fewest_orders * workers))) if workers > 1 else 1
        yield from prefix_tree.slices(sharing, chains, cost, workers * each)


def by_first_test(lane: Group, alone: Collection[int]) -> list[Group]:
    """The orders of a lane in their sequence, those together that begin with the same test."""
    groups: dict[tuple[bool, int], Group] = {}
    for key, path in lane.items():
        is_alone = key in alone
        groups.setdefault((is_alone, key if is_alone else path[0]), {})[key] = path
    return list(groups.values())


def _size(group: Group) -> int:
    return sum(map(len, group.values()))
