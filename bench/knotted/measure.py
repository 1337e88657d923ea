"""A plain run and a detection of one planted suite, side by side."""

import os
import shutil
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.kit.failure import BenchFailure
from bench.kit.process import Finished, run
from bench.knotted.hidden_state import LEFT_BY_CHILDREN
from bench.knotted.judge import Verdict, hidden_truth, judged
from bench.knotted.suites import Planted
from bench.knotted.written import FIXED_PATH, HOME_FILE
from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError
from unknot.store.known_result import read_known_result
from unknot.store.recording_file import read_recording
from unknot.store.state_directory import StateDirectory

_LOCK = "unknot.lock.json"
_STATE = ".unknot"
_GRACE_SECONDS = 300.0
"""A detection with a limit still proves and writes what it has: so long it may take in addition."""
_POLL_SECONDS = 0.05


@dataclass(frozen=True)
class FirstClaim:
    """When the lock file had its first claim, and how many tests had been run then, those of the recording too."""

    seconds: float
    test_runs: int


@dataclass(frozen=True)
class Sample:
    """One detection. `test_runs` has those of the recording. `outside`: what it left outside the project, or took."""

    tests: int
    plain_seconds: float
    seconds: float
    orders: int
    test_runs: int
    first: FirstClaim | None
    complete: bool
    verdict: Verdict
    outside: tuple[str, ...]

    @property
    def work(self) -> float:
        """In plain runs."""
        return self.test_runs / self.tests

    def to_json(self) -> dict[str, object]:
        return {**asdict(self), "work": round(self.work, 2)}


def measure(planted: Planted, place: Path, options: Sequence[str], max_seconds: float | None, name: str) -> Sample:
    """Writes the suite below `place`, runs it twice plainly (once to fill the caches), then detects. HOME is a new
    directory, and pytest loads no plugins: some shuffle tests. Raises BenchFailure if there is no result at all."""
    directory, home = place / "suite", place / "home"
    for each in (directory, home):
        shutil.rmtree(each, ignore_errors=True)
    home.mkdir(parents=True)
    truth = planted.write(directory)
    variables = {**os.environ, "HOME": str(home), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def command(words: Sequence[str], log: str, timeout: float) -> Finished:
        whole = [sys.executable, "-m", *words]
        return run(whole, directory=directory, environment=variables, timeout=timeout, log=place / f"{name}-{log}.log")

    plain = ("pytest", "-q", "-p", "no:cacheprovider")
    for log in ("warm-up", "plain"):
        done = command(plain, log, _GRACE_SECONDS)
        _remove_outside_files(home)
        for left in directory.glob(f"{LEFT_BY_CHILDREN}*"):
            left.unlink()
        if done.code != (1 if truth.failing else 0):
            raise BenchFailure(f"{planted.name}: pytest ended with {done.code}: {done.last_line()}")
    lock, state = directory / _LOCK, StateDirectory(directory / _STATE)
    limit = ("--max-seconds", f"{max_seconds:.0f}") if max_seconds is not None else ()
    with _Watch(lock, state) as watch:
        detection = command(
            ("unknot", "detect", "-q", *limit, *options), "detect", (max_seconds or 7200) + _GRACE_SECONDS
        )
    changed = _remove_outside_files(home)
    if not lock.exists():
        raise BenchFailure(f"{planted.name}: unknot ended with {detection.code}: {detection.last_line()}")
    found = read_known_result(lock, state)
    hidden = hidden_truth(truth, fails_first=planted.fails_first)
    return Sample(
        len(truth.suite),
        done.seconds,
        detection.seconds,
        found.cost.orders,
        found.cost.tests + _recorded_runs(state),
        watch.first,
        found.complete and not detection.timed_out,
        judged(found, truth, hidden),
        changed,
    )


class _Watch:
    """Reads the lock file while a detection runs, until it has a claim."""

    def __init__(self, lock: Path, state: StateDirectory) -> None:
        self._lock = lock
        self._state = state
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.first: FirstClaim | None = None

    def __enter__(self) -> "_Watch":
        self._started = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        last = False
        while self.first is None and not last:
            last = self._ended.wait(_POLL_SECONDS)
            if (known := self._read()) is not None and known.has_any:
                self.first = FirstClaim(
                    round(time.monotonic() - self._started, 2), known.cost.tests + _recorded_runs(self._state)
                )

    def _read(self) -> Dependencies | None:
        """None also while the cost, which is written after the lock file, is that of an earlier one."""
        try:
            known = read_known_result(self._lock, self._state)
        except StorageError:
            return None
        return known if known.cost.is_known else None


def _recorded_runs(state: StateDirectory) -> int:
    """How many tests the recording has run, if there is one."""
    try:
        return read_recording(state.recording).test_runs
    except StorageError:
        return 0


def _remove_outside_files(home: Path) -> tuple[str, ...]:
    """What was there of the files that planted tests write outside the project, and anything else in HOME."""
    found = [path for path in (Path(FIXED_PATH), home / HOME_FILE, *home.iterdir()) if path.exists()]
    for path in dict.fromkeys(found):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return tuple(dict.fromkeys(str(path) for path in found))
