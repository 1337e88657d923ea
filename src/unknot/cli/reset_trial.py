"""Before a detection on seats: does what puts a clean state back really do so?"""

from collections.abc import Sequence

from rich.console import Console

from unknot.cli.listed import named
from unknot.model.run import Question, Result, Run
from unknot.model.suite import Suite
from unknot.oracle.count import CountingOracle
from unknot.oracle.memo import RunStore
from unknot.run.seats.oracle import SeatOracle
from unknot.run.seats.reset_check import check_reset_by, leak_error


def check_reset(
    oracle: SeatOracle, suite: Suite, reset: str, store: RunStore, counting: CountingOracle, console: Console
) -> None:
    """Runs the suite in its own order twice on one seat, the second time after a reset, and a few times more if they
    differ. Half of the suite is run in between, and reset: a suite that tidies up at its end would hide a reset that
    does nothing. Raises RunnerError, with the tests that saw what the first run left. What was run is kept in the
    store, where the search finds it; a suite whose reference order is there already was looked at before."""
    if store.recall(Question(suite.tests)) is not None:
        return
    pairs = _Pairs(oracle, suite)
    check = check_reset_by(pairs.ask, suite.tests)
    for run in pairs.all_runs:
        counting.orders += 1
        counting.tests += run.executed
    if check.leaks:
        raise leak_error(check, reset)
    for attempt, run in enumerate(pairs.runs):
        store.record(Run(Question(suite.tests, attempt), run.results, run.executed, run.seconds))
    if check.unsteady:
        console.print(f"does not do the same each time: {named(check.unsteady)}", markup=False)


class _Pairs:
    """Each pair is a run on a seat that starts from nothing, and one on the same seat after it was used and reset."""

    def __init__(self, oracle: SeatOracle, suite: Suite) -> None:
        self._oracle = oracle
        self._suite = suite
        self._left: dict[bool, list[Run]] = {True: [], False: []}
        self.runs: list[Run] = []
        self.all_runs: list[Run] = []

    def ask(self, new: bool) -> tuple[Result, ...]:
        if not self._left[new]:
            for is_new, run in zip((True, False), self._pair(), strict=True):
                self._left[is_new].append(run)
                self.runs.append(run)
        return self._left[new].pop(0).results

    def _pair(self) -> Sequence[Run]:
        first = len(self.runs)
        tests = self._suite.tests
        new, used = Question(tests, first), Question(tests, first + 1)
        between = [Question(tests[: len(tests) // 2], first)] if len(tests) > 1 else []
        answers = {run.question: run for run in self._oracle.on_one_seat([new, *between, used], renewed=True)}
        self.all_runs += answers.values()
        return [answers[new], answers[used]]
