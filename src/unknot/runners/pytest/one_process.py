"""Runs a suite as `pytest` does: one process, the suite's own order, the user's own directory and terminal."""

import json
import os
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import TestId
from unknot.runners.pytest.inside.options import RESULTS, STARTED
from unknot.runners.pytest.plain import run_plain
from unknot.runners.settings import Settings


@dataclass(frozen=True)
class OneProcessRun:
    """`collecting` are the seconds from the start until the first test began."""

    exit_status: int
    collecting: float
    results: Mapping[TestId, Result]


def run_in_one_process(settings: Settings) -> OneProcessRun | None:
    """What pytest prints goes to the user. None if its process died before it ended the session."""
    with tempfile.TemporaryDirectory(prefix="unknot-") as home:
        answer = Path(home) / "results.json"
        environment = {**os.environ, RESULTS: str(answer), STARTED: repr(time.time())}
        status = run_plain(settings, ("-p", "unknot.runners.pytest.inside.one_process"), environment)
        if not answer.exists():
            return None
        found = json.loads(answer.read_text(encoding="utf-8"))
    results = {
        TestId(test): Result(Outcome(what), took, story) for test, (what, took, story) in found["results"].items()
    }
    return OneProcessRun(status, found["collecting"], results)
