"""Plain runs, first passs and both passes of one suite, alternating."""

import json
import resource
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from bench.kit.failure import BenchFailure
from bench.kit.process import Finished, run
from bench.kit.say import say
from bench.recorder.prepare import Prepared

_HERE = Path(__file__).resolve().parent
_PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


@dataclass(frozen=True)
class Sample:
    """Of the pytest processes alone: CPU seconds of the whole tree, and the peak of the largest process. `all_seconds`
    is the CPU of the whole command, with copying and thinking."""

    cpu_seconds: float
    peak_mb: float
    all_seconds: float


@dataclass
class Measured:
    """All samples of one suite; `found` is what the last recording with two looks saw."""

    name: str
    version: str
    plain: list[Sample] = field(default_factory=list)
    first: list[Sample] = field(default_factory=list)
    both: list[Sample] = field(default_factory=list)
    found: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, list[str]] = field(default_factory=dict)
    """Tests whose outcome was another one than in the plain run, in any recording: plain, recorded."""
    unsteady: list[str] = field(default_factory=list)
    """Tests whose outcome differs from one plain run to the next."""

    def row(self) -> dict[str, Any]:
        """Medians and their ratios. Outcomes are of interest one by one only where they differ."""
        plain, first, both = (
            {name: median(asdict(sample)[name] for sample in samples) for name in ("cpu_seconds", "peak_mb")}
            for samples in (self.plain, self.first, self.both)
        )
        told = {name: value for name, value in self.found.items() if name not in ("outcomes", "flows", "notes")}
        return {
            "suite": f"{self.name} {self.version}",
            **told,
            "plain_seconds": plain["cpu_seconds"],
            "first_ratio": first["cpu_seconds"] / plain["cpu_seconds"],
            "both_ratio": both["cpu_seconds"] / plain["cpu_seconds"],
            "plain_mb": plain["peak_mb"],
            "first_mb_ratio": first["peak_mb"] / plain["peak_mb"],
            "both_mb_ratio": both["peak_mb"] / plain["peak_mb"],
            "changed": len(set(self.changed) - set(self.unsteady)),
        }

    def to_json(self) -> dict[str, object]:
        """The row and every sample behind it."""
        return {
            **self.row(),
            "changed_tests": self.changed,
            "unsteady_tests": self.unsteady,
            "notes": self.found.get("notes", []),
            "flows": self.found.get("flows", []),
            "samples": {
                "plain": [asdict(sample) for sample in self.plain],
                "first": [asdict(sample) for sample in self.first],
                "both": [asdict(sample) for sample in self.both],
            },
        }


def measure(prepared: Prepared, *, times: int, timeout: float) -> Measured:
    """`times` rounds of the three, in turns; before them two plain runs that do not count: they fill the caches, and
    write down what comes out of each test."""
    runs = _Runs(prepared, timeout)
    measured = Measured(prepared.name, prepared.version)
    outcomes = runs.outcomes("outcomes-1")
    measured.unsteady = sorted(differences(outcomes, runs.outcomes("outcomes-2")))
    for number in range(1, times + 1):
        measured.plain.append(runs.plain(f"plain-{number}"))
        for looks, samples in ((1, measured.first), (2, measured.both)):
            sample, measured.found = runs.recorded(looks, f"looks-{looks}-{number}")
            samples.append(sample)
            measured.changed.update(differences(outcomes, measured.found["outcomes"]))
        say(
            f"  {number}/{times}: plain {measured.plain[-1].cpu_seconds:.1f} s, {measured.plain[-1].peak_mb:.0f} MB;"
            f" first pass {measured.first[-1].cpu_seconds:.1f} s, {measured.first[-1].peak_mb:.0f} MB;"
            f" both {measured.both[-1].cpu_seconds:.1f} s, {measured.both[-1].peak_mb:.0f} MB"
        )
    return measured


def differences(plain: Mapping[str, str], other: Mapping[str, str]) -> dict[str, list[str]]:
    """Tests with another outcome: both of them. A test that has the time of day in its name is another one in each
    run; such tests count only if they come out differently all together."""
    found = {test: [plain[test], other[test]] for test in plain.keys() & other.keys() if plain[test] != other[test]}
    gone = {test: plain[test] for test in plain.keys() - other.keys()}
    new = {test: other[test] for test in other.keys() - plain.keys()}
    if Counter(gone.values()) != Counter(new.values()):
        found |= {test: [outcome, "not run"] for test, outcome in gone.items()}
        found |= {test: ["not run", outcome] for test, outcome in new.items()}
    return found


class _Runs:
    def __init__(self, prepared: Prepared, timeout: float) -> None:
        self._prepared = prepared
        self._timeout = timeout

    def plain(self, name: str) -> Sample:
        finished, seconds = self._run(_PYTEST, name)
        self._must_have_run(finished, name)
        return Sample(seconds, finished.peak_mb, seconds)

    def outcomes(self, name: str) -> dict[str, str]:
        file = self._prepared.results / f"{name}.json"
        more = {"PYTHONPATH": str(_HERE), "BENCH_OUTCOMES": str(file)}
        finished, _ = self._run((*_PYTEST, "-p", "plain_outcomes"), name, **more)
        self._must_have_run(finished, name)
        found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
        return found

    def recorded(self, looks: int, name: str) -> tuple[Sample, dict[str, Any]]:
        file = self._prepared.results / f"{name}.json"
        file.unlink(missing_ok=True)
        finished, seconds = self._run((_HERE / "record_one.py", self._prepared.directory, looks, file), name)
        if not file.exists():
            raise BenchFailure(f"{name}: nothing was recorded: {finished.last_line()}")
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return Sample(found.pop("cpu_seconds"), found.pop("peak_mb"), seconds), found

    def _run(self, words: Sequence[object], name: str, **more: str) -> tuple[Finished, float]:
        """The same hash seed for all, which the recorder sets too. Also gives the CPU seconds of the whole tree, as far
        as its processes were waited for."""
        before = _seconds_of_children()
        finished = run(
            [self._prepared.environment.python, *map(str, words)],
            directory=self._prepared.directory,
            environment={**self._prepared.environment.variables(), "PYTHONHASHSEED": "0", **more},
            timeout=self._timeout,
            log=self._prepared.results / f"{name}.log",
        )
        if finished.timed_out:
            raise BenchFailure(f"{name} was stopped after {self._timeout:.0f} s")
        return finished, _seconds_of_children() - before

    def _must_have_run(self, finished: Finished, name: str) -> None:
        if finished.code not in (0, 1):  # failing tests are data; anything else is not a run of the suite
            raise BenchFailure(f"{name}: pytest ended with {finished.code}: {finished.last_line()}")


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
