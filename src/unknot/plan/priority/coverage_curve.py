"""How fast an order covers: the share covered against the share of time run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unknot.model.suite import Order, TestId
from unknot.plan.priority.worth import Worth


@dataclass(frozen=True)
class Curve:
    """A staircase: after `points[i][0]` of the time, `points[i][1]` is covered; it begins at (0, 0). `area` is what is
    covered on average over the time: 1 if all were covered at once, as with APFD, whose faults are our elements and
    whose tests are weighed by their seconds."""

    points: tuple[tuple[float, float], ...]
    area: float


def curve_of(order: Order, seconds: Mapping[TestId, float], worth: Worth, index: Mapping[TestId, int]) -> Curve:
    """Where no test takes any time, all take the same. What a test covers, it covers when it ends. Cost: linear."""
    spent = [seconds.get(test, 0.0) for test in order]
    if not sum(spent):
        spent = [1.0] * len(order)
    gained = []
    worth.forget()
    for test in order:
        gained.append(worth.of(1 << index[test]))
        worth.take(1 << index[test])
    worth.forget()
    return _curve(spent, gained)


def _curve(spent: Sequence[float], gained: Sequence[float]) -> Curve:
    time, all_there_is = sum(spent), sum(gained)
    if not time or not all_there_is:
        return Curve(((0.0, 0.0), (1.0, 1.0)), 1.0)
    points = [(0.0, 0.0)]
    clock = reached = area = 0.0
    for length, more in zip(spent, gained, strict=True):
        area += length * reached
        clock += length
        reached += more
        if more:
            points.append((min(1.0, clock / time), min(1.0, reached / all_there_is)))
    points.append((1.0, 1.0))
    return Curve(tuple(points), area / (time * all_there_is))
