"""One command on one suite, measured: a plain run, a detection, a planned run."""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.kit.failure import BenchFailure
from bench.kit.process import Finished, run
from bench.web.suites import SUBJECTS, Agreement, agreement, copy_into, read_claims, truth_of
from unknot.store.known_result import read_known_result
from unknot.store.state_directory import StateDirectory

_MOST_SECONDS = 7200.0

ORDERED = ("-p", "no:randomly", "-p", "no:random_order")
"""Plugins that may be installed and would shuffle a plain run."""


@dataclass(frozen=True)
class Detection:
    """What a detection asked and found; `seconds` is the wall time of the command, from start to end."""

    suite: str
    way: str
    orders: int
    tests: int
    seconds: float
    complete: bool
    flaky: int
    agreement: Agreement


def plain(suite: str, part: Sequence[str] = ()) -> float:
    """Wall seconds of one `pytest`, which must be green."""
    with tempfile.TemporaryDirectory() as directory:
        words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *ORDERED, *_named(suite, part)]
        return _done(words, copy_into(Path(directory), suite), Path(directory) / "log", (0,)).seconds


def detection(suite: str, way: str, options: Sequence[str], lock: Path, part: Sequence[str] = ()) -> Detection:
    """From nothing, on two workers. The lock file is left at `lock`."""
    with tempfile.TemporaryDirectory() as directory:
        ours = ["-n", "2", "-q", "--no-trace", "--lock", str(lock), "--state-dir", f"{directory}/state"]
        words = ["-m", "unknot", "detect", *_named(suite, part), *ours, *options]
        done = _done(words, copy_into(Path(directory), suite), Path(directory) / "log", (0, 1, 10))
        state = StateDirectory(Path(directory) / "state")
        cost = read_known_result(lock, state).cost
    document = json.loads(lock.read_text(encoding="utf-8"))
    return Detection(
        suite=suite,
        way=way,
        orders=cost.orders,
        tests=cost.tests,
        seconds=done.seconds,
        complete=document["complete"],
        flaky=len(document["flaky"]),
        agreement=agreement(read_claims(document), truth_of(suite, part)),
    )


def planned(suite: str, lock: Path, rounds: int, part: Sequence[str] = ()) -> list[float]:
    """Wall seconds of so many `unknot run -n 2`, one after another, each of which must be green."""
    with tempfile.TemporaryDirectory() as directory:
        ours = ["-n", "2", "-q", "--frozen", "--no-repair", "--lock", str(lock)]
        words = ["-m", "unknot", "run", *_named(suite, part), *ours]
        example = copy_into(Path(directory), suite)
        return [_done(words, example, Path(directory) / "log", (0,)).seconds for _ in range(rounds)]


def _named(suite: str, part: Sequence[str]) -> Sequence[str]:
    return part or [SUBJECTS[suite].tests]


def _done(words: Sequence[str], directory: Path, log: Path, wanted: Sequence[int]) -> Finished:
    """The configuration says `python`: that is to be the one that runs this."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path}
    done = run([sys.executable, *words], directory=directory, environment=environment, timeout=_MOST_SECONDS, log=log)
    if done.timed_out or done.code not in wanted:
        raise BenchFailure(f"`{' '.join(words)}` ended with status {done.code}: {done.last_line()}")
    return done
