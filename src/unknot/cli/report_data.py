"""Puts together what reports are given: the result, and what the project's directory knows beyond it."""

import json
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from unknot.cli.alternatives import alternatives
from unknot.cli.excerpts import Excerpts, excerpts_of
from unknot.cli.trace_recording import recording_path
from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError
from unknot.model.recording import Recording
from unknot.oracle.protocol import Price
from unknot.plan.problem import CLEAN_STATE
from unknot.report.report import Report
from unknot.store.atomic import write_atomically
from unknot.store.cursor import Cursor, Fault
from unknot.store.json_document import parsed
from unknot.store.recording_file import read_recording

_NAME = "price.json"


def full_report(report: Report, state: Path, console: Console, recording: Recording | None = None) -> Report:
    """The report with the lines of code behind its claims, and with what other algorithms would have cost. `recording`,
    if it is not given, is the one in the state directory, if there is one; one that cannot be read is told of and
    passed over. Runs nothing. Cost: two seconds or so."""
    price, reorders = recall_price(state) or (_price_told_by(report.dependencies), True)
    return replace(
        report,
        excerpts=_excerpts(report.dependencies, state, console, recording),
        alternatives=alternatives(report.dependencies, price, reorders=reorders),
    )


def remember_price(state: Path, price: Price, *, reorders: bool) -> None:
    """What orders cost where the detection ran, and whether it looked for trouble in any order; for later reports."""
    document = {
        "clean_state": price.clean_state,
        "workers": price.workers,
        "shares_prefixes": price.shares_prefixes,
        "reorders": reorders,
    }
    write_atomically(state / _NAME, json.dumps(document) + "\n")


def recall_price(state: Path) -> tuple[Price, bool] | None:
    """None where nothing is known, as in a fresh clone that has only the lock file."""
    try:
        root = Cursor(parsed((state / _NAME).read_text(encoding="utf-8")))
        price = Price(
            root.member("clean_state").seconds(),
            max(1, root.member("workers").count()),
            root.member("shares_prefixes").truth(),
        )
        return price, root.member("reorders").truth()
    except (OSError, ValueError, Fault):
        return None


def _price_told_by(dependencies: Dependencies) -> Price:
    """What an order must have cost beside its tests, if they were run one after another."""
    cost = dependencies.cost
    if not cost.orders or not dependencies.suite.tests:
        return Price(CLEAN_STATE)
    tests = cost.tests * sum(dependencies.seconds.values()) / len(dependencies.suite)
    return Price(max(CLEAN_STATE, (cost.seconds - tests) / cost.orders))


def _excerpts(dependencies: Dependencies, state: Path, console: Console, recording: Recording | None) -> Excerpts:
    path = recording_path(state)
    if not dependencies.has_any:
        return {}
    if recording is None and path.exists():
        try:
            recording = read_recording(path)
        except StorageError as problem:
            console.print(f"note: no lines of code are shown from the recording: {problem.message}", markup=False)
    return excerpts_of(dependencies, recording, state)
