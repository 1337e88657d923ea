"""What suspects of the kinds `traffic` and `storage` rest on: the suite once in its own order, its browsers watched."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from unknot.app.configuration import PYTEST
from unknot.app.recording.whole_suite import recorded_whole, told_left_out
from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.model.suite import TestId
from unknot.model.traffic import Traffic
from unknot.report.wording import counted
from unknot.runners.pytest.whole_run import Watcher, run_whole
from unknot.runners.pytest.workspace import PytestWorkspace
from unknot.runners.settings import Settings
from unknot.store.atomic import write_atomically
from unknot.store.traffic_file import FILE, MODE, dumps
from unknot.web.hints.traffic.events import read_traffic
from unknot.web.hints.traffic.values import condensed

# The traffic of a suite, for those who suspect by it.
if TYPE_CHECKING:
    from unknot.model.traffic import Traffic


def recorded_traffic(settings: Settings, options: argparse.Namespace, kind: str, console: Console) -> "Traffic":
    """Runs the suite once in its own order and listens to its browsers. Raises UsageError for a suite of another kind,
    and RunnerError if that run does not come to its end. With a limit for the search it may take half as long."""
    if kind != PYTEST:
        raise UsageError(
            f"traffic and storage are recorded of pytest suites, and this one is run by {kind}",
            hint="suspect by `strings`, whose code is read in any language, or by names",
        )
    if not options.quiet:
        console.print("listening to the browser while the suite runs once in its own order", markup=False)
    from unknot.app.recording.traffic import record_traffic, tell_traffic, write_traffic

    limit = getattr(options, "max_seconds", None)
    found = record_traffic(settings, seconds=float("inf") if limit is None else limit / 2)
    write_traffic(found, options.state_dir)
    if not options.quiet:
        tell_traffic(found, console)
    return found


# One run of the suite in its own order, with what its browsers send, show and keep.
_WATCHER = Watcher(
    plugin="unknot.runners.pytest.inside.browser.traffic_recorder",
    variable="UNKNOT_TRAFFIC",
    failure="the traffic of the suite could not be recorded",
    hint="leave that test out, or use other suspects: dependencies are found without traffic too",
)


def run_with_traffic(
    place: PytestWorkspace, leave_out: Sequence[TestId], seconds: float = float("inf")
) -> tuple[Traffic, dict[TestId, Outcome]]:
    """What was seen, in the user's own ids, and what came out of each test. Raises RunnerError if the run does not come
    to its end, or not within these seconds. Cost: a run of the suite, a little slower than usual."""
    events = place.home / "traffic.jsonl"
    answer = run_whole(place, _WATCHER, {"events": str(events)}, leave_out, seconds)
    outcomes = {TestId(place.original_id(test)): Outcome(outcome) for test, outcome in answer["tests"].items()}
    with open(events, encoding="utf-8") as lines:
        return read_traffic(lines, tuple(outcomes), place.original_id), outcomes


_MOST_LEFT_OUT = 3
_MOST_NAMED = 3


def record_traffic(settings: Settings, *, seconds: float = float("inf")) -> Traffic:
    """Runs the suite once in a working copy, with the system under test if the settings describe one. Tests that take
    the process down are left out, a few at most; like those that fail, and those that send or show more than is kept,
    they count as unseen and are named in the notes. Raises RunnerError if the suite cannot be run to its end at all, or
    not within these seconds."""
    (found, outcomes), out = recorded_whole(
        settings, (), _MOST_LEFT_OUT, lambda place, without: run_with_traffic(place, without, seconds)
    )
    failed = [test for test, outcome in outcomes.items() if outcome.is_bad]
    notes = (*found.notes, *told_left_out(out), *([_failed_note(failed)] if failed else []))
    return condensed(replace(found, unseen=tuple(dict.fromkeys((*out, *failed, *found.unseen))), notes=notes))


def _failed_note(failed: Sequence[TestId]) -> str:
    named = ", ".join(failed[:_MOST_NAMED])
    more = f" and {len(failed) - _MOST_NAMED} more" if len(failed) > _MOST_NAMED else ""
    return f"not all was seen of tests that failed while the traffic was recorded: {named}{more}"


def write_traffic(traffic: Traffic, state: Path) -> Path:
    """Into the state directory, for the user's own eyes only."""
    path = traffic_path(state)
    # From its first moment: nobody must get hold of it before its mode is changed.
    former = os.umask(0o777 & ~MODE)
    try:
        write_atomically(path, dumps(traffic))
        path.chmod(MODE)
    finally:
        os.umask(former)
    return path


def traffic_path(state: Path) -> Path:
    return state / FILE


def tell_traffic(traffic: Traffic, console: Console) -> None:
    """Says in a line what was seen. What was not stands in the notes of whoever suspects by it."""
    writes = sum(exchange.writes for exchange in traffic.exchanges)
    console.print(
        f"traffic: {counted(len(traffic.exchanges), 'request')} of {counted(len(traffic.exchanges_of), 'test')},"
        f" {writes:,} of them write; {counted(traffic.contexts, 'browser context')}",
        markup=False,
    )
