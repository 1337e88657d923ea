"""The tests worth keeping: for each transition, the shortest that takes it."""

from unknot.model.navigation_graph import Transition
from unknot.web.generate.call import ExecutedPath, Path


class Archive:
    """Of tests as they ran, without the calls that failed."""

    def __init__(self) -> None:
        self._shortest: dict[Transition, Path] = {}

    def add(self, test: ExecutedPath) -> bool:
        """Whether the test takes a transition that no other has taken."""
        path = test.without_failures()
        is_new = False
        for position, call in enumerate(path):
            known = self._shortest.get(call.transition)
            if known is None or position + 1 < len(known):
                self._shortest[call.transition] = path[: position + 1]
            is_new = is_new or known is None
        return is_new

    def covers(self, transition: Transition) -> bool:
        return transition in self._shortest

    def covered(self) -> frozenset[Transition]:
        return frozenset(self._shortest)

    def tests(self) -> tuple[Path, ...]:
        """Without those that another one begins with."""
        kept = sorted(dict.fromkeys(self._shortest.values()), key=len, reverse=True)
        beginnings = {test[:length] for test in kept for length in range(1, len(test))}
        return tuple(test for test in kept if test not in beginnings)
