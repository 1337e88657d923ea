"""One plain run, one detection: what they cost and what came out."""

import re
import shutil
from dataclasses import asdict, dataclass, field
from statistics import median

from bench.kit.failure import BenchFailure
from bench.kit.process import Finished, run
from bench.kit.say import say
from bench.pytest_suite.prepare import Prepared
from unknot.store.known_result import read_known_result
from unknot.store.state_directory import StateDirectory

_COUNT = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed)\b")
_STATE = ".unknot"
_LOCK = "unknot.lock.json"


@dataclass(frozen=True)
class Plain:
    """One `pytest` run."""

    seconds: float
    peak_mb: float
    tests: int


@dataclass(frozen=True)
class Detection:
    """One `unknot detect` from nothing."""

    seconds: float
    peak_mb: float
    tests: int
    orders: int
    test_runs: int
    complete: bool
    needs: int
    conflicts: int
    flaky: int


@dataclass
class Measured:
    """All runs of one suite, taken in turns."""

    name: str
    version: str
    pytest: str
    plain: list[Plain] = field(default_factory=list)
    detections: list[Detection] = field(default_factory=list)

    def row(self) -> dict[str, float | int | bool | str]:
        """Medians; the verdict is that of all detections together."""
        plain_seconds = median(sample.seconds for sample in self.plain)
        detect_seconds = median(sample.seconds for sample in self.detections)
        plain_mb = median(sample.peak_mb for sample in self.plain)
        detect_mb = median(sample.peak_mb for sample in self.detections)
        return {
            "suite": f"{self.name} {self.version}",
            "tests": self.plain[-1].tests,
            "plain_seconds": plain_seconds,
            "detect_seconds": detect_seconds,
            "seconds_ratio": detect_seconds / plain_seconds,
            "plain_mb": plain_mb,
            "detect_mb": detect_mb,
            "mb_ratio": detect_mb / plain_mb,
            "orders": int(median(sample.orders for sample in self.detections)),
            "test_runs": int(median(sample.test_runs for sample in self.detections)),
            "complete": all(sample.complete for sample in self.detections),
            "verdict": self.verdict(),
        }

    def verdict(self) -> str:
        """Dependent tests' clauses and conflicts; ranges where the detections differ."""
        counts = (
            ("needs", [sample.needs for sample in self.detections]),
            ("conflicts", [sample.conflicts for sample in self.detections]),
            ("flaky", [sample.flaky for sample in self.detections]),
        )
        return ", ".join(f"{_range(values)} {word}" for word, values in counts)

    def to_json(self) -> dict[str, object]:
        """The row and every sample behind it."""
        return {
            **self.row(),
            "pytest": self.pytest,
            "plain": [asdict(sample) for sample in self.plain],
            "detections": [asdict(sample) for sample in self.detections],
        }


def measure(prepared: Prepared, *, times: int, timeout: float) -> Measured:
    """`times` pairs of runs, alternating; before them one plain run that does not count and fills the caches."""
    measured = Measured(prepared.suite.name, prepared.suite.version, prepared.suite.pytest)
    _plain(prepared, timeout, "warm-up")
    for number in range(1, times + 1):
        plain = _plain(prepared, timeout, f"plain-{number}")
        detection = _detect(prepared, timeout, f"detect-{number}")
        measured.plain.append(plain)
        measured.detections.append(detection)
        say(
            f"  {number}/{times}: plain {plain.seconds:.1f} s, {plain.peak_mb:.0f} MB;"
            f" detect {detection.seconds:.1f} s, {detection.peak_mb:.0f} MB,"
            f" {detection.orders} orders, {detection.test_runs} test runs"
        )
    return measured


def _plain(prepared: Prepared, timeout: float, name: str) -> Plain:
    done = _run(prepared, ["pytest", "-q", "-p", "no:cacheprovider"], timeout, name)
    if done.code not in (0, 1):  # failing tests are data; anything else is not a run of the suite
        raise BenchFailure(f"{name}: pytest ended with {done.code}: {done.last_line()}")
    return Plain(done.seconds, done.peak_mb, sum(int(count) for count, _ in _COUNT.findall(done.last_line())))


def _detect(prepared: Prepared, timeout: float, name: str) -> Detection:
    shutil.rmtree(prepared.directory / _STATE, ignore_errors=True)
    lock = prepared.directory / _LOCK
    lock.unlink(missing_ok=True)
    done = _run(prepared, ["unknot", "detect", "--no-cache", "-q"], timeout, name)
    if not lock.exists():
        raise BenchFailure(f"{name}: unknot ended with {done.code} and wrote no result: {done.last_line()}")
    found = read_known_result(lock, StateDirectory(prepared.directory / _STATE))
    return Detection(
        seconds=done.seconds,
        peak_mb=done.peak_mb,
        tests=len(found.suite),
        orders=found.cost.orders,
        test_runs=found.cost.tests,
        complete=found.complete,
        needs=len(found.needs),
        conflicts=len(found.conflicts),
        flaky=len(found.flaky),
    )


def _run(prepared: Prepared, command: list[str], timeout: float, name: str) -> Finished:
    done = run(
        [prepared.environment.script(command[0]), *command[1:]],
        directory=prepared.directory,
        environment=prepared.environment.variables(),
        timeout=timeout,
        log=prepared.logs / f"{name}.log",
    )
    if done.timed_out:
        raise BenchFailure(f"{name}: `{' '.join(command)}` was stopped after {timeout:.0f} s")
    return done


def _range(values: list[int]) -> str:
    return str(values[0]) if min(values) == max(values) else f"{min(values)}-{max(values)}"
