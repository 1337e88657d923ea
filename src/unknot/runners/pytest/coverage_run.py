"""One run of the suite in its own order, measured by coverage.py."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unknot.model.suite import TestId
from unknot.runners.pytest.whole_run import Watcher, run_whole
from unknot.runners.pytest.workspace import PytestWorkspace

_WATCHER = Watcher(
    plugin="unknot.runners.pytest.inside.coverage_contexts",
    variable="UNKNOT_COVERAGE",
    failure="the coverage could not be recorded",
    hint="Leave that test out, or do not record coverage. The dependencies found are already in the lock file.",
    # By these somebody else may be measuring already.
    unset=frozenset({"COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG", "COV_CORE_SOURCE", "COV_CORE_DATAFILE"}),
)


def run_measured(workspace: PytestWorkspace, data: Path, leave_out: Sequence[TestId]) -> dict[str, Any]:
    """Writes coverage.py's data to `data` and gives back what the plugin `coverage_contexts` says besides. Raises
    RunnerError if the run does not come to its end."""
    return run_whole(workspace, _WATCHER, {"data": str(data)}, leave_out)
