"""`python bench/plans/real.py [--small]`: plain pytest, pytest-xdist and unknot side by side, on suites that run."""

import argparse
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.environment import CHECKOUT, DEFAULT_CACHE, Environment, environment, install_unknot, unknot_wheel
from bench.kit.failure import BenchFailure
from bench.kit.process import Finished, end_when_asked, run
from bench.kit.result import markdown, publish
from bench.kit.say import say
from bench.knotted.drawn import SMALL, WHOLE, with_proofs, write_suite
from unknot.model.dependencies import Dependencies
from unknot.store.lock import read_lock, write_lock

_LOCK = "unknot.lock.json"
_SECONDS_FOR_DETECT = 300.0
_SECONDS_FOR_RUN = 300.0
_QUIET = ("-q", "-p", "no:cacheprovider")
_COMMANDS = {
    "pytest": ("pytest", *_QUIET),
    "unknot run -n 2": ("unknot", "run", "-n", "2", "-q"),
    "pytest -n 2": ("pytest", *_QUIET, "-n", "2"),
    "pytest -n 2 --unknot": ("pytest", *_QUIET, "-n", "2", "--unknot"),
}
_PLAIN = "pytest"
_OURS = "unknot run -n 2"
_RARER = 4
"""The others are run once for so many runs of ours: that ours is green every time is what is claimed."""
_HEAD = ("suite", "command", "runs", "failed", "seconds", "speed-up")


@dataclass
class Compared:
    """Every command on one suite, taken in turns."""

    suite: str
    tests: int
    lock: str
    seconds: dict[str, list[float]] = field(default_factory=dict)
    red: dict[str, int] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    def notes(self) -> list[str]:
        return [f"{self.suite}: {self.lock}", *(f"{self.suite}: `{name}` {why}" for name, why in self.problems.items())]

    def rows(self) -> list[list[str]]:
        plain = median(self.seconds[_PLAIN])
        return [
            [
                f"{self.suite}, {self.tests} tests",
                f"`{name}`",
                str(len(taken)),
                str(self.red[name]),
                f"{median(taken):.2f}",
                f"{plain / median(taken):.2f}",
            ]
            for name, taken in self.seconds.items()
        ]


def main() -> int:
    options = _options()
    end_when_asked()
    cache = DEFAULT_CACHE / "plans"
    try:
        made = environment(cache / "env", ["pytest", "pytest-xdist", "rich"])
        install_unknot(made, unknot_wheel(DEFAULT_CACHE))
        done = [
            _compared("sleeping", _knotted(cache, options.small, options.seed, made), made, options.times),
            _compared("examples/shop", _shop(cache, made), made, options.times),
        ]
    except BenchFailure as problem:
        say(str(problem))
        return 1
    rows = [row for compared in done for row in compared.rows()]
    notes = "".join(f"\n{note}\n" for compared in done for note in compared.notes())
    publish(markdown(_HEAD, rows) + notes, {"suites": [vars(compared) for compared in done]}, options.json)
    return 0


@dataclass(frozen=True)
class _Ready:
    directory: Path
    lock: str


def _knotted(cache: Path, small: bool, seed: int, made: Environment) -> _Ready:
    """The written suite with a lock file: that of a detection, or the truth where that takes too long."""
    directory = cache / "knotted"
    shutil.rmtree(directory, ignore_errors=True)
    extent = SMALL if small else WHOLE
    truth = write_suite(directory, extent, seed)
    return _Ready(directory, _locked(directory, made, truth))


def _shop(cache: Path, made: Environment) -> _Ready:
    directory = cache / "shop"
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(
        CHECKOUT / "examples" / "shop", directory, ignore=shutil.ignore_patterns("var", ".*", "*.lock.json")
    )
    return _Ready(directory, _locked(directory, made, None))


def _locked(directory: Path, made: Environment, truth: Dependencies | None) -> str:
    """Writes the lock file, and says where it is from."""
    say(f"{directory.name}: detect")
    done = _run(directory, made, ("unknot", "detect", "-q"), "detect", _SECONDS_FOR_DETECT)
    lock = directory / _LOCK
    if done.timed_out or not lock.exists():
        if truth is None:
            raise BenchFailure(f"unknot detect ended with {done.code}: {done.last_line()}")
        write_lock(lock, with_proofs(truth))
        return f"detection was stopped after {_SECONDS_FOR_DETECT:.0f} s; the lock file was written from the truth"
    found = read_lock(lock)
    claims = f"{len(found.needs)} needs, {len(found.conflicts)} conflicts"
    known = "" if truth is None else f", {_known(found, truth)} of {len(truth.needs) + len(truth.conflicts)} as written"
    return f"detected in {done.seconds:.0f} s ({found.cost.orders} orders): {claims}{known}"


def _known(found: Dependencies, truth: Dependencies) -> int:
    needs = {(need.dependent, frozenset(need.any_of)) for need in found.needs}
    conflicts = {(known.victim, known.polluters, frozenset(known.cleaners)) for known in found.conflicts}
    return sum((need.dependent, frozenset(need.any_of)) in needs for need in truth.needs) + sum(
        (known.victim, known.polluters, frozenset(known.cleaners)) in conflicts for known in truth.conflicts
    )


def _compared(name: str, ready: _Ready, made: Environment, times: int) -> Compared:
    """The commands in turns, so that what else the machine does falls on all alike. A first plain run is not counted:
    it fills caches. A command that does not come to a verdict is told and not tried again."""
    tests = len(read_lock(ready.directory / _LOCK).suite)
    compared = Compared(name, tests, ready.lock)
    commands = _available(ready.directory, made)
    _run(ready.directory, made, _COMMANDS[_PLAIN], "warm-up", _SECONDS_FOR_RUN)
    for number in range(1, times + 1):
        due = [label for label in commands if label == _OURS or (number - 1) % _RARER == 0]
        for label in [label for label in due if label not in compared.problems]:
            done = _run(ready.directory, made, _COMMANDS[label], f"{label.replace(' ', '')}-{number}", _SECONDS_FOR_RUN)
            if done.timed_out or done.code not in (0, 1):
                compared.problems[label] = f"ended with {done.code}: {done.last_line()}"
                say(f"  {label} {compared.problems[label]}")
                continue
            compared.seconds.setdefault(label, []).append(done.seconds)
            compared.red[label] = compared.red.get(label, 0) + (done.code == 1)
        latest = ", ".join(f"{label} {taken[-1]:.1f} s" for label, taken in compared.seconds.items())
        say(f"  {number}/{times}: {latest}; red: {sum(compared.red.values())}")
    return compared


def _available(directory: Path, made: Environment) -> Sequence[str]:
    """All commands; the plugin's only where pytest knows its option."""
    helped = _run(directory, made, ("pytest", "--help"), "help", _SECONDS_FOR_RUN)
    return [label for label, words in _COMMANDS.items() if "--unknot" not in words or "--unknot" in helped.output]


def _run(directory: Path, made: Environment, command: Sequence[str], name: str, timeout: float) -> Finished:
    return run(
        [made.script(command[0]), *command[1:]],
        directory=directory,
        environment=made.variables(),
        timeout=timeout,
        log=directory.parent / "logs" / directory.name / f"{name}.log",
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The same suites by plain pytest, by pytest-xdist and by unknot.")
    parser.add_argument("--small", action="store_true", help="60 tests and 3 runs: a minute instead of ten")
    parser.add_argument(
        "-n",
        "--times",
        type=int,
        default=None,
        help=f"runs of ours, of the others a {_RARER}th (default: 20; small: 3)",
    )
    parser.add_argument("--seed", type=int, default=2025, help="of the written suite (default: 2025)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all samples, for machines")
    options = parser.parse_args()
    options.times = (3 if options.small else 20) if options.times is None else options.times
    if options.times < 1:
        parser.error("--times must be at least 1")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
