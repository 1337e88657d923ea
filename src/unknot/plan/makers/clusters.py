"""Which tests should stay together because of what they need."""

from collections.abc import Sequence

from unknot.plan.bitsets import Scale
from unknot.plan.constraints.ties import Ties


def by_prerequisites(
    ties: Ties, targets: Sequence[int], scale: Scale, groups: Sequence[str]
) -> tuple[Sequence[int], Sequence[str]]:
    """The targets in a sequence in which neighbours share dear prerequisites, and a group for every test.

    Each test hangs below the dearest of those that it takes with it, counting all that these take with them. Walking
    through these trees from the roots down brings together what would have to be run twice if it were parted. A tree is
    one group; a test that stands alone keeps its own. Cost: linear in the tests and what they take, times the width of
    a bitset.
    """
    weight = {other: scale.weigh(ties.rows[other]) for others in ties.joined.values() for other in others}
    above = {test: max(others, key=lambda other: (weight[other], -other)) for test, others in ties.joined.items()}
    below: dict[int, list[int]] = {}
    for test in sorted(above):
        below.setdefault(above[test], []).append(test)
    found = list(groups)
    sequence: list[int] = []
    for root in (test for test in range(len(ties.rows)) if test not in above):
        waiting = [root]
        while waiting:
            test = waiting.pop()
            sequence.append(test)
            waiting.extend(reversed(below.get(test, ())))
            if root in below:
                found[test] = f"{root}"
    wanted = set(targets)
    return [test for test in sequence if test in wanted], found
