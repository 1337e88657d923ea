"""Before a detection on slots: does what puts a clean state back really do so?"""

from collections import Counter
from collections.abc import Sequence

from rich.console import Console

from unknot.app.test_names import named
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, Suite
from unknot.oracle.count import CountingOracle
from unknot.oracle.memo import RunStore
from unknot.runners.dispatch.reset_check import check_reset_by, leak_error
from unknot.runners.dispatch.slot_oracle import SlotOracle


def check_reset(
    oracle: SlotOracle, suite: Suite, reset: str, store: RunStore, counting: CountingOracle, console: Console
) -> None:
    """Runs the suite in its own order and backwards, on new slots and after resets, and a few times more if they
    differ. Raises RunnerError, with the tests that saw what an earlier run left. What was run is kept in the store,
    where the search finds it."""
    turns = _Turns(oracle)
    check = check_reset_by(turns.run, suite.tests)
    for run in turns.all_runs:
        counting.orders += 1
        counting.tests += run.executed
    if check.leaks:
        raise leak_error(check, reset)
    for run in turns.all_runs:
        store.record(run)
    if check.unsteady:
        console.print(f"does not do the same each time: {named(check.unsteady)}", markup=False)


class _Turns:
    def __init__(self, oracle: SlotOracle) -> None:
        self._oracle = oracle
        self._attempts: Counter[Order] = Counter()
        self.all_runs: list[Run] = []

    def run(self, orders: Sequence[Order]) -> list[tuple[Result, ...]]:
        """One after another on a slot that starts from nothing, with a reset before each but the first."""
        requests = []
        for order in orders:
            requests.append(OrderRequest(order, self._attempts[order]))
            self._attempts[order] += 1
        answers = {run.request: run for run in self._oracle.on_one_slot(requests, renewed=True)}
        self.all_runs += answers.values()
        return [answers[request].results for request in requests]
