"""Records browser traffic, for the hints `traffic` and `storage`: one run of the suite in its own order."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from unknot.app.configuration import PYTEST
from unknot.app.find_tests import first_and_count
from unknot.app.progress import ProgressListener
from unknot.app.recording.whole_suite import notes_on_left_out, record_whole_suite
from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.model.suite import TestId
from unknot.model.traffic import Traffic
from unknot.report.wording import counted
from unknot.runners.pytest.whole_run import Watcher, run_whole
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.settings import Settings
from unknot.store.atomic import write_atomically
from unknot.store.state_directory import StateDirectory
from unknot.store.traffic_file import MODE, dumps
from unknot.web.hints.traffic.events import read_traffic
from unknot.web.hints.traffic.values import condense

_WATCHER = Watcher(
    plugin="unknot.runners.pytest.inside.browser.traffic_recorder",
    variable="UNKNOT_TRAFFIC",
    failure="the traffic of the suite could not be recorded",
    hint="Leave that test out, or use other hints: dependencies are found without traffic too.",
)


def run_with_traffic(
    place: PytestWorkspace, leave_out: Sequence[TestId], seconds: float = float("inf")
) -> tuple[Traffic, dict[TestId, Outcome]]:
    """The traffic, with the user's own test ids, and the outcome of each test. Raises RunnerError if the run does not
    finish, or not within these seconds. Cost: a run of the suite, a little slower than usual."""
    events = place.home / "traffic.jsonl"
    answer = run_whole(place, _WATCHER, {"events": str(events)}, leave_out, seconds)
    outcomes = {TestId(place.original_id(test)): Outcome(outcome) for test, outcome in answer["tests"].items()}
    with open(events, encoding="utf-8") as lines:
        return read_traffic(lines, tuple(outcomes), place.original_id), outcomes


_MOST_LEFT_OUT = 3


def record_traffic(settings: Settings, *, seconds: float = float("inf")) -> Traffic:
    """Runs the suite once in a working copy, with the system under test if the settings describe one. Tests that take
    the process down are left out, a few at most; like those that fail, and those that send or show more than is kept,
    they count as unrecorded and are named in the notes. Raises RunnerError if the suite cannot be run to its end, or
    not within these seconds."""
    (found, outcomes), out = record_whole_suite(
        settings, (), _MOST_LEFT_OUT, lambda place, without: run_with_traffic(place, without, seconds)
    )
    failed = [test for test, outcome in outcomes.items() if outcome.is_bad]
    notes = (*found.notes, *notes_on_left_out(out), *([_failed_note(failed)] if failed else []))
    return condense(replace(found, unseen=tuple(dict.fromkeys((*out, *failed, *found.unseen))), notes=notes))


def _failed_note(failed: Sequence[TestId]) -> str:
    return f"traffic is incomplete for tests that failed while it was recorded: {first_and_count(failed)}"


def write_traffic(traffic: Traffic, state: Path) -> Path:
    """Into the state directory, readable only by the user."""
    path = StateDirectory(state).traffic
    # From the start: no other user may open it before its mode is changed.
    former = os.umask(0o777 & ~MODE)
    try:
        write_atomically(path, dumps(traffic))
        path.chmod(MODE)
    finally:
        os.umask(former)
    return path


def record_for_hints(
    settings: Settings, kind: str, state: Path, listener: ProgressListener, max_seconds: float | None
) -> Traffic:
    """Records the traffic and keeps it in the state directory. With a limit for the search it may take half as long.
    Raises UsageError for a suite that is not pytest's, and RunnerError if the run does not finish."""
    if kind != PYTEST:
        raise UsageError(
            f"traffic and storage can be recorded for pytest suites only, and this one is run by {kind}",
            hint="Use the hints `strings`, which reads code in any language, or a filter by names.",
            slug="pytest-only",
        )
    listener.status("recording browser traffic while the suite runs once in its own order")
    found = record_traffic(settings, seconds=float("inf") if max_seconds is None else max_seconds / 2)
    write_traffic(found, state)
    writes = sum(exchange.writes for exchange in found.exchanges)
    listener.status(
        f"traffic: {counted(len(found.exchanges), 'request')} of {counted(len(found.exchanges_of), 'test')},"
        f" {writes:,} of them write; {counted(found.contexts, 'browser context')}"
    )
    return found
