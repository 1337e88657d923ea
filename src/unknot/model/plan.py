"""What to run where."""

from dataclasses import dataclass

from unknot.model.suite import Order


@dataclass(frozen=True)
class Lane:
    """One worker's part of a plan: orders that run one after another, each from a clean state."""

    orders: tuple[Order, ...]

    @property
    def tests(self) -> Order:
        return tuple(test for order in self.orders for test in order)


@dataclass(frozen=True)
class Plan:
    """Lanes that run at the same time and know nothing of each other."""

    lanes: tuple[Lane, ...]
    predicted_seconds: float
