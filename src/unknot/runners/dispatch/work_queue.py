"""What is still to be handed out to workers, and who takes what next."""

from collections import deque
from collections.abc import Iterable, Sequence

from unknot.runners.dispatch.prefix_tree import Path

Group = dict[int, Path]
"""Orders, keyed by their requests, that one worker runs as one tree."""


class WorkQueue:
    """Lanes of groups. Worker number w takes the next of lane w; when that is empty, the last of the lane that has the
    most tests left, so that nobody is idle while others have work that they have not begun. A lane of a worker that
    is no more is worked off by the others in the same way. What was handed out and came to nothing goes first."""

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


def _size(group: Group) -> int:
    return sum(map(len, group.values()))
