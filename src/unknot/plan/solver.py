"""OR-tools' CP-SAT, imported when it is asked for. Needs the extra `unknot[optimal]`."""

from typing import Any

from unknot.model.errors import UsageError


def cp_sat(instead: str) -> Any:
    """The module. Raises UsageError if it cannot be imported; `instead` is the option that does without."""
    try:
        from ortools.sat.python import cp_model
    except ImportError as error:
        raise UsageError(
            f"this needs OR-tools, which cannot be imported: {error}",
            hint=f"pip install 'unknot[optimal]', or take `{instead}`",
        ) from error
    return cp_model
