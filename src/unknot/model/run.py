"""An order that was run, and what came out of each of its tests."""

from dataclasses import dataclass, field

from unknot.model.outcome import Outcome
from unknot.model.suite import Order, TestId


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """Run this order from a clean state. `attempt` numbers repetitions: a memo may answer attempt 0 with an earlier
    run of attempt 0, and attempt 1 only with one of attempt 1."""

    order: Order
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """One test in one run. `story` is what explains a bad outcome: the traceback and the
    captured output, cut to a bounded length; empty otherwise. `details` are the reports of the test's own framework as
    JSON, for tools of that framework, where they were asked for."""

    outcome: Outcome
    seconds: float = 0.0
    story: str = ""
    details: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Run:
    """`executed` counts the tests that were really run: a prefix shared with another order counts once."""

    request: OrderRequest
    results: tuple[Result, ...]
    executed: int
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if len(self.results) != len(self.request.order):
            raise ValueError(f"{len(self.results)} results for an order of {len(self.request.order)} tests")

    @property
    def order(self) -> Order:
        return self.request.order

    def outcome(self, test: TestId) -> Outcome:
        return self.results[self.order.index(test)].outcome

    @property
    def last(self) -> Outcome:
        """The outcome of the last test of the order, the one that most searches are about."""
        return self.results[-1].outcome
