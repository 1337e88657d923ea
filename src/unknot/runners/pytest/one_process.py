"""Runs a suite as `pytest` does: one process, the suite's own order, the user's own directory and terminal."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import TestId
from unknot.runners.pytest.inside.options import RESULTS, STARTED
from unknot.runners.settings import Settings


@dataclass(frozen=True)
class OneProcessRun:
    """`collecting` are the seconds from the start until the first test began."""

    exit_status: int
    collecting: float
    results: Mapping[TestId, Result]


def run_in_one_process(settings: Settings, options: Sequence[str]) -> OneProcessRun | None:
    """What pytest prints goes to the user. None if its process died before it ended the session."""
    with tempfile.TemporaryDirectory(prefix="unknot-") as home:
        answer = Path(home) / "results.json"
        safe_path = [] if settings.python_m else ["-P"]
        plugin = ["-p", "unknot.runners.pytest.inside.one_process"]
        words = [settings.python, *safe_path, "-m", "pytest", *plugin, *settings.options, *options, *settings.paths]
        sys.stdout.flush()
        sys.stderr.flush()
        environment = {**os.environ, RESULTS: str(answer), STARTED: repr(time.time())}
        process = subprocess.Popen(words, cwd=settings.directory, env=environment)
        status = _waited(process)
        if not answer.exists():
            return None
        found = json.loads(answer.read_text(encoding="utf-8"))
    results = {
        TestId(test): Result(Outcome(what), took, story) for test, (what, took, story) in found["results"].items()
    }
    return OneProcessRun(status, found["collecting"], results)


def _waited(process: "subprocess.Popen[bytes]") -> int:
    """Ctrl-C reaches pytest too, which ends its session by itself."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue
