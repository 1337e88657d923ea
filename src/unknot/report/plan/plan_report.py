"""A plan and all that its writers say of it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan, Timeline, TimelineItem
from unknot.model.suite import Order, TestId
from unknot.report.wording import counted


@dataclass(frozen=True)
class LowerBound:
    """What no plan for so many workers can beat, in seconds and without clean states.

    `critical`: the longest closure, which is `critical_order`; where that holds one of several alternatives, it may
    take longer than `critical`. `share`: work / workers. `proven`: the most that was shown, by us or by a solver; never
    less than the other two.
    """

    critical: float
    critical_order: Order
    share: float
    proven: float

    @property
    def seconds(self) -> float:
        return max(self.critical, self.share)


@dataclass(frozen=True)
class PlanReport:
    """`predicted` is when each test will run, `real` when each ran in the last run, if there was one that fits. `noun`
    is what a reader calls a lane: a shard is the lane of a machine."""

    dependencies: Dependencies
    plan: Plan
    workers: int
    clean_state: float
    predicted: Timeline
    at_best: LowerBound
    real: Timeline | None = None
    noun: str = "lane"

    @cached_property
    def ends(self) -> tuple[float, ...]:
        """When each lane is done."""
        return lane_ends(self.predicted)

    @property
    def title(self) -> str:
        size = counted(len(self.dependencies.suite), "test")
        return f"{size} {'on' if self.noun == 'lane' else 'in'} {counted(self.workers, self.who)}"

    @property
    def who(self) -> str:
        """Runs a lane: a worker; of shards nothing is known but that they are shards."""
        return "worker" if self.noun == "lane" else self.noun

    @property
    def makespan(self) -> float:
        return max(self.ends, default=0.0)

    @cached_property
    def work(self) -> float:
        """The whole suite, one test after another."""
        return sum(self.dependencies.seconds.get(test, 0.0) for test in self.dependencies.suite.tests)

    @property
    def speed_up(self) -> float:
        return self.work / self.makespan if self.makespan else 1.0

    @property
    def above_bound(self) -> float:
        """By which part of the best bound the plan is longer; 0 where there is nothing to be done."""
        return max(0.0, self.makespan / self.at_best.proven - 1) if self.at_best.proven else 0.0

    @cached_property
    def runs_of(self) -> Mapping[TestId, int]:
        """How often the tests run that run more than once, those that cost most first."""
        counts = Counter(slot.test for lane in self.predicted for slot in lane)
        seconds = self.dependencies.seconds
        again = {test: runs for test, runs in counts.items() if runs > 1}
        place = self.dependencies.suite.index
        ranked = sorted(again, key=lambda test: (-(again[test] - 1) * seconds.get(test, 0.0), place[test]))
        return {test: again[test] for test in ranked}

    @property
    def repeated_seconds(self) -> float:
        return sum((runs - 1) * self.dependencies.seconds.get(test, 0.0) for test, runs in self.runs_of.items())

    @property
    def clean_states(self) -> int:
        return sum(len(lane.orders) for lane in self.plan.lanes)

    @property
    def is_open(self) -> bool:
        """Whether pairs of tests are untried, so that only the reference order is known to be safe."""
        return bool(self.dependencies.untried) or not self.dependencies.complete


def lane_ends(timeline: Timeline) -> tuple[float, ...]:
    return tuple(max((slot.end for slot in lane), default=0.0) for lane in timeline)


def repetitions(timeline: Timeline) -> frozenset[tuple[int, int]]:
    """Lane and place of every slot whose test began earlier elsewhere, or at the same time in an earlier lane."""
    first: dict[TestId, tuple[float, int, int]] = {}
    slots: list[tuple[TimelineItem, int, int]] = []
    for number, lane in enumerate(timeline):
        for place, slot in enumerate(lane):
            slots.append((slot, number, place))
            began = (slot.start, number, place)
            first[slot.test] = min(first.get(slot.test, began), began)
    return frozenset((number, place) for slot, number, place in slots if first[slot.test][1:] != (number, place))
