"""What to run where, and when each test ran or will run."""

from dataclasses import dataclass

from unknot.model.outcome import Outcome
from unknot.model.suite import Order, TestId


@dataclass(frozen=True)
class Lane:
    """One worker's part of a plan: orders that run one after another, each from a clean state."""

    orders: tuple[Order, ...]

    @property
    def tests(self) -> Order:
        return tuple(test for order in self.orders for test in order)


@dataclass(frozen=True)
class Plan:
    """Lanes that run at the same time, independently of each other.

    `shares` says that orders of a lane which begin alike run their beginning once and go on from copies of the state
    that it leaves: what a fork or a snapshot gives. `maker` names the planner. `bound` are the seconds below which a
    solver has shown no plan for so many lanes to be possible; 0 where none was run.
    """

    lanes: tuple[Lane, ...]
    predicted_seconds: float
    shares: bool = False
    maker: str = ""
    bound: float = 0.0


@dataclass(frozen=True, slots=True)
class TimelineItem:
    """One run of a test in a lane, in seconds since the lanes began; `order` counts the lane's orders from 0. There is
    no outcome yet in a prediction."""

    test: TestId
    order: int
    start: float
    end: float
    outcome: Outcome | None = None


Timeline = tuple[tuple[TimelineItem, ...], ...]
"""What each lane does, from first to last."""
