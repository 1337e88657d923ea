"""`python bench/plans/packages.py [names…]`: plain pytest, unknot and pytest-xdist on suites of packages."""

import argparse
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.environment import DEFAULT_CACHE, unknot_wheel
from bench.kit.failure import BenchFailure
from bench.kit.process import Finished, end_when_asked, run
from bench.kit.result import markdown, publish
from bench.kit.say import say
from bench.pytest_suite.prepare import Prepared, prepare
from bench.pytest_suite.suites import SUITES
from unknot.store.durations import read_durations
from unknot.store.lock import read_lock
from unknot.store.state_directory import STATE, StateDirectory

_LOCK = "unknot.lock.json"
_PLAIN = "pytest"
_COMMANDS = {
    _PLAIN: ("pytest", "-q"),
    "unknot run": ("unknot", "run", "-q"),
    "unknot run -n 2": ("unknot", "run", "-q", "-n", "2"),
    "pytest -n 2": ("pytest", "-q", "-n", "2"),
}
_USUAL = (
    *("toolz", "wtforms", "humanize", "jinja2", "marshmallow"),
    *("tinydb", "more_itertools", "click", "werkzeug", "attrs"),
)
_HEAD = ("suite", "tests", "seconds of tests", *(f"`{name}`" for name in _COMMANDS))


@dataclass
class Measured:
    """Every command on one suite, taken in turns. `failed` counts red runs of each command."""

    suite: str
    tests: int
    seconds_of_tests: float
    seconds: dict[str, list[float]] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)

    def row(self) -> list[str]:
        """Plain seconds, and how many times as fast the others are."""
        plain = median(self.seconds[_PLAIN])
        shown = [self._shown(name, f"{plain / median(self.seconds[name]):.2f}") for name in _COMMANDS if name != _PLAIN]
        first = self._shown(_PLAIN, f"{plain:.2f} s")
        return [self.suite, str(self.tests), f"{self.seconds_of_tests:.1f}", first, *shown]

    def _shown(self, name: str, text: str) -> str:
        return f"{text} (red: {self.failed[name]})" if self.failed[name] else text


def main() -> int:
    options = _options()
    end_when_asked()
    wheel = unknot_wheel(options.cache)
    done: list[Measured] = []
    problems: dict[str, str] = {}
    for name in options.names:
        try:
            prepared = prepare(SUITES[name], options.cache, wheel)
            prepared.environment.pip("install", "--quiet", "pytest-xdist")
            done.append(_measured(prepared, options.times, options.timeout))
        except BenchFailure as problem:
            say(f"  {problem}")
            problems[name] = str(problem)
    notes = "".join(f"\n{name}: not measured: {problem}\n" for name, problem in problems.items())
    rows = [measured.row() for measured in done]
    publish(markdown(_HEAD, rows) + notes, {"suites": [vars(measured) for measured in done]}, options.json)
    return 1 if problems else 0


def _measured(prepared: Prepared, times: int, timeout: float) -> Measured:
    """`times` rounds. Before them a plain run that fills caches, a detection, and a run by two workers, by which unknot
    knows what its start-up costs."""
    shutil.rmtree(prepared.directory / STATE, ignore_errors=True)
    (prepared.directory / _LOCK).unlink(missing_ok=True)
    for name, command in {
        "warm-up": _COMMANDS[_PLAIN],
        "detect": ("unknot", "detect", "-q"),
        "first": _COMMANDS["unknot run -n 2"],
    }.items():
        _run(prepared, command, timeout, name)
    if not (prepared.directory / _LOCK).exists():
        raise BenchFailure("unknot detect wrote no lock file")
    tests = len(read_lock(prepared.directory / _LOCK).suite)
    taken = sum(read_durations(StateDirectory(prepared.directory / STATE).durations).values())
    measured = Measured(f"{prepared.suite.name} {prepared.suite.version}", tests, taken)
    for number in range(1, times + 1):
        for name, command in _COMMANDS.items():
            done = _run(prepared, command, timeout, f"{name.replace(' ', '')}-{number}")
            measured.seconds.setdefault(name, []).append(done.seconds)
            measured.failed[name] = measured.failed.get(name, 0) + (done.code != 0)
        latest = ", ".join(f"{name} {seconds[-1]:.2f} s" for name, seconds in measured.seconds.items())
        say(f"  {number}/{times}: {latest}")
    return measured


def _run(prepared: Prepared, command: tuple[str, ...], timeout: float, name: str) -> Finished:
    done = run(
        [prepared.environment.script(command[0]), *command[1:]],
        directory=prepared.directory,
        environment=prepared.environment.variables(),
        timeout=timeout,
        log=prepared.logs / f"speed-{name}.log",
    )
    if done.timed_out or done.code not in (0, 1):
        raise BenchFailure(f"{name}: ended with {done.code}: {done.last_line()}")
    return done


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Suites of packages by plain pytest, by unknot and by pytest-xdist.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(SUITES)}")
    parser.add_argument("-n", "--times", type=int, default=3, help="rounds; the median counts (default: 3)")
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds for one command (default: 900)")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="archives, environments, logs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all samples, for machines")
    options = parser.parse_args()
    options.cache = options.cache.resolve()
    options.names = options.names or list(_USUAL)
    if unknown := sorted(set(options.names) - set(SUITES)):
        parser.error(f"unknown suites: {', '.join(unknown)}")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
