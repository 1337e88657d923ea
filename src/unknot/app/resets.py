"""Resets of the system under test: whether the configured one works, and which of all possible ones is the fastest."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace

from unknot.app.find_tests import named
from unknot.app.options import RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.session.session import settings_from
from unknot.app.session.slots import runner_setup, with_instance
from unknot.model.errors import UsageError
from unknot.model.run import OrderRequest, Result, Run
from unknot.model.suite import Order, Suite
from unknot.oracle.count import CountingOracle
from unknot.oracle.memo import RunStore
from unknot.runners.dispatch.reset_check import check_reset_by, leak_error
from unknot.runners.dispatch.reset_measure import ROUNDS, Measured, candidates, measured
from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.sandbox.sandbox import OpenSandbox
from unknot.runners.sut.spec import ResetSpec
from unknot.runners.workers.slot import WorkerSlot


def try_resets(options: RunnerOptions, listener: ProgressListener, *, rounds: int = ROUNDS) -> Iterator[Measured]:
    """Each reset that the description of the instance allows, with its time and whether it is correct: the suite runs
    in its own order on a new instance and again after a reset. Raises UsageError if there is no instance."""
    settings = settings_from(options, listener)
    instance = settings.instance
    if instance is None:
        raise UsageError(
            "the configuration describes no instance whose reset could be tried",
            hint="See docs/reference/resets.md for what to write into [instance].",
            slug="instance-missing",
        )
    setup = runner_setup(settings, options, listener)
    with ExitStack() as sandboxes:

        def slot(reset: ResetSpec) -> WorkerSlot:
            sandbox = OpenSandbox()
            sandboxes.callback(sandbox.close)
            return with_instance(setup.spec, replace(instance, reset=reset)).open(sandbox.sandbox)

        yield from measured(slot, setup.listing.suite.tests, candidates(instance), rounds=rounds)


def check_reset(
    oracle: SlotRunner,
    suite: Suite,
    reset: str,
    store: RunStore,
    counting: CountingOracle,
    listener: ProgressListener,
) -> None:
    """Runs the suite in its own order and backwards, on new slots and after resets, and a few times more if they
    differ. Raises RunnerError with the tests that found what an earlier run had left. The runs are kept in the store,
    where the search finds them."""
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
        listener.note(f"not the same result each time: {named(check.unsteady)}")


class _Turns:
    def __init__(self, oracle: SlotRunner) -> None:
        self._oracle = oracle
        self._attempts: Counter[Order] = Counter()
        self.all_runs: list[Run] = []

    def run(self, orders: Sequence[Order]) -> list[tuple[Result, ...]]:
        """One after another on a new slot, with a reset before each but the first."""
        requests = []
        for order in orders:
            requests.append(OrderRequest(order, self._attempts[order]))
            self._attempts[order] += 1
        answers = {run.request: run for run in self._oracle.on_one_slot(requests, renewed=True)}
        self.all_runs += answers.values()
        return [answers[request].results for request in requests]
