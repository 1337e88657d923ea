"""One run of the suite in its own order, recorded: who leaves what behind, and who finds it."""

from collections.abc import Mapping, Sequence
from typing import Any

from unknot.model.outcome import Outcome
from unknot.model.suite import TestId
from unknot.recorder.events import Events, read_events
from unknot.recorder.inside.memory.stop_list import StopList
from unknot.runners.pytest.whole_run import Watcher, run_whole
from unknot.runners.pytest.workspace import PytestWorkspace

_WATCHER = Watcher(
    plugin="unknot.runners.pytest.inside.recorder",
    variable="UNKNOT_RECORDING",
    failure="the suite could not be recorded",
    hint="Leave that test out, or turn `trace` off: dependencies are found without a recording, but not explained.",
)


def run_recorded(
    workspace: PytestWorkspace,
    stop: Sequence[str],
    known: Mapping[str, Any] | None,
    leave_out: Sequence[TestId],
    seconds: float = float("inf"),
) -> tuple[Events, dict[TestId, Outcome]]:
    """What happened, in the user's own paths and ids, and what came out of each test. `stop` are globs of locations
    that do not count; `known` says what a second look is to look for. Raises RunnerError if the run does not come to
    its end, or not within these seconds."""
    events = workspace.home / "events.jsonl"
    request: dict[str, object] = {"events": str(events), "stop": list(stop), "known": known and _seen(known, workspace)}
    answer = run_whole(workspace, _WATCHER, request, leave_out, seconds)

    def users_path(path: str) -> str:
        original = workspace.original(path)
        return (
            original.relative_to(workspace.root).as_posix()
            if original.is_relative_to(workspace.root)
            else str(original)
        )

    with open(events, encoding="utf-8") as lines:
        # The recorder knows the list too, but not what the user calls a file.
        found = read_events(lines, workspace.original_id, users_path, StopList(stop).stops)
    return found, {TestId(workspace.original_id(test)): Outcome(outcome) for test, outcome in answer["tests"].items()}


def _seen(known: Mapping[str, Any], workspace: PytestWorkspace) -> dict[str, Any]:
    """What a second look is to look for, as it is called in the workspace."""
    return {
        **known,
        "steps": {workspace.id_here(test): numbers for test, numbers in known["steps"].items()},
        "alone": {workspace.id_here(test): numbers for test, numbers in known["alone"].items()},
        "seconds": {workspace.id_here(test): seconds for test, seconds in known["seconds"].items()},
        "files": [workspace.here(str(workspace.root / file)) for file in known["files"]],
    }
