"""OR-tools' CP-SAT, imported on first use. Needs the extra `unknot[optimal]`."""

from importlib.util import find_spec
from typing import Any

from unknot.model.errors import UsageError

_WORKERS = 8
"""Not the number of cores. CP-SAT gives each worker another strategy, and with few workers it leaves out those that
prove an optimum. With two, 1,000 tests and 5,000 elements were not solved in minutes; with eight, on two cores, in a
second."""


def is_installed() -> bool:
    return find_spec("ortools") is not None


def cp_sat(instead: str) -> Any:
    """The module. Raises UsageError if it cannot be imported; `instead` is a choice that does not need it."""
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise UsageError(
            f"OR-tools is required but cannot be imported: {error}",
            hint=f"Run `pip install 'unknot[optimal]'`, or use {instead}.",
            slug="ortools-missing",
        ) from error
    return cp_model


def solve(cp_model: Any, model: Any, time_limit: float, seed: int) -> tuple[Any, Any]:
    """The solver and its status after at most `time_limit` seconds."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = _WORKERS
    solver.parameters.random_seed = seed
    solver.parameters.max_time_in_seconds = time_limit
    return solver, solver.solve(model)
