"""A plan with its prediction and bounds: the input of every plan format."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from unknot.model.dependencies import Dependencies
from unknot.model.plan import Plan, Timeline, TimelineItem
from unknot.model.start_up import StartUp, WallTime
from unknot.model.suite import Order, TestId
from unknot.report.wording import counted, duration


@dataclass(frozen=True)
class LowerBound:
    """Lower bounds on the duration of any plan for this number of workers, in seconds and without start-up time.

    `critical`: the longest closure, which is `critical_order`; if that contains one of several alternatives, it may
    take longer than `critical`. `share`: work / workers. `proven`: the best known bound, ours or a solver's; never
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
    """`predicted` says when each test will run; `real` when it ran in the last matching run, if any. `noun` is "lane"
    or "shard" (the lane of a machine)."""

    dependencies: Dependencies
    plan: Plan
    workers: int
    clean_state: float
    predicted: Timeline
    at_best: LowerBound
    real: Timeline | None = None
    noun: str = "lane"
    start_up: StartUp | None = None
    """Known if a run was measured on this machine."""

    @property
    def wall(self) -> WallTime | None:
        if self.start_up is None:
            return None
        return WallTime.predict(self.start_up, work=self.work, makespan=self.makespan)

    @cached_property
    def ends(self) -> tuple[float, ...]:
        """When each lane ends."""
        return lane_ends(self.predicted)

    @property
    def title(self) -> str:
        size = counted(len(self.dependencies.suite), "test")
        return f"{size} {'on' if self.noun == 'lane' else 'in'} {counted(self.workers, self.worker_noun)}"

    @property
    def worker_noun(self) -> str:
        """What runs a lane: a worker, or the shard itself."""
        return "worker" if self.noun == "lane" else self.noun

    @property
    def makespan(self) -> float:
        return max(self.ends, default=0.0)

    @cached_property
    def work(self) -> float:
        """Seconds of the whole suite when run serially."""
        return sum(self.dependencies.seconds.get(test, 0.0) for test in self.dependencies.suite.tests)

    @property
    def speed_up(self) -> float:
        return self.work / self.makespan if self.makespan else 1.0

    @property
    def compared_to_serial(self) -> str:
        """For example "3.1x faster than serial" or "slower than serial (0.7x)"."""
        return _compared(self.speed_up, "serial")

    @property
    def headline(self) -> str:
        """The predicted time: with start-up and collection, beside that of a plain pytest, if these were measured."""
        if self.wall is None:
            faster = f", {self.compared_to_serial}" if self.workers > 1 else ""
            return f"{self.title}: {duration(self.makespan)}{faster}"
        compared = _compared(self.wall.speed_up, "plain pytest")
        return f"{self.title}: {duration(self.wall.parallel)} with start-up and collection, {compared}"

    @property
    def compared_to_bound(self) -> str:
        """For example "180 % over the lower bound"."""
        percent = self.above_bound * 100
        if percent < 0.05:
            return "matches the lower bound"
        return f"{percent:.{1 if percent < 10 else 0}f} % over the lower bound"

    @property
    def above_bound(self) -> float:
        """How much longer the plan is than the proven bound, as a fraction; 0 for a suite that takes no time."""
        return max(0.0, self.makespan / self.at_best.proven - 1) if self.at_best.proven else 0.0

    @cached_property
    def runs_of(self) -> Mapping[TestId, int]:
        """The number of runs of each test that runs more than once, the most expensive repetition first."""
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
        """Whether pairs of tests are untried: then only the reference order is known to be safe."""
        return bool(self.dependencies.untried) or not self.dependencies.complete


def _compared(speed_up: float, to: str) -> str:
    if speed_up < 0.95:
        return f"slower than {to} ({speed_up:.1f}x)"
    return f"as fast as {to}" if speed_up < 1.05 else f"{speed_up:.1f}x faster than {to}"


def lane_ends(timeline: Timeline) -> tuple[float, ...]:
    return tuple(max((slot.end for slot in lane), default=0.0) for lane in timeline)


def repetitions(timeline: Timeline) -> frozenset[tuple[int, int]]:
    """Lane and position of every repeated run: its test starts earlier elsewhere, or at the same time in an earlier
    lane."""
    first: dict[TestId, tuple[float, int, int]] = {}
    slots: list[tuple[TimelineItem, int, int]] = []
    for number, lane in enumerate(timeline):
        for place, slot in enumerate(lane):
            slots.append((slot, number, place))
            began = (slot.start, number, place)
            first[slot.test] = min(first.get(slot.test, began), began)
    return frozenset((number, place) for slot, number, place in slots if first[slot.test][1:] != (number, place))
