"""A result in the files where a detection leaves it."""

from pathlib import Path

from unknot.model.dependencies import Dependencies
from unknot.store.durations import write_durations
from unknot.store.known_result import write_cost
from unknot.store.lock import write_lock
from unknot.store.state_directory import STATE, StateDirectory


def write_result(lock: Path, dependencies: Dependencies) -> None:
    """The lock file, and beside it a state directory with durations and cost."""
    state = StateDirectory(lock.parent / STATE)
    state.prepare()
    write_lock(lock, dependencies)
    write_durations(state.durations, dependencies.seconds)
    write_cost(lock, state, dependencies.cost)
