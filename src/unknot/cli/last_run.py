"""The times of the last `unknot run`, for pictures beside a prediction."""

from pathlib import Path

from rich.console import Console

from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError
from unknot.model.plan import Timeline
from unknot.store.run_times import NAME, read_run_times


def last_run(state: Path, dependencies: Dependencies, console: Console) -> Timeline | None:
    """None where there was no run yet, or one of other tests: a part of the suite, or a suite that has changed since.
    A picture is not worth an error, so a file that cannot be read is told and passed over."""
    path = state / NAME
    if not path.exists():
        return None
    try:
        timeline = read_run_times(path).timeline
    except StorageError as problem:
        console.print(f"note: the last run is not shown: {problem.message}", markup=False)
        return None
    ran = {slot.test for worker in timeline for slot in worker}
    return timeline if ran and ran.issuperset(dependencies.suite.tests) else None
