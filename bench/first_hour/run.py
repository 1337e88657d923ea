"""The first hour with unknot: install, detect, run, check after an edit, blame; beside plain pytest, pytest-xdist and
detect-test-pollution, in one run.

    python -m bench.first_hour.run [names…]

Each suite gets a test that pollutes and one that is broken by it, for `blame`: the victim is named to both tools.
"""

import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.kit.environment import DEFAULT_CACHE, Environment, unknot_wheel
from bench.kit.failure import BenchFailure
from bench.kit.process import Finished, end_when_asked, run
from bench.kit.result import markdown, publish
from bench.kit.say import say
from bench.pytest_suite.prepare import Prepared, prepare
from bench.pytest_suite.suites import PYTEST, Suite

RESULTS = Path(__file__).parent / "results.md"
_SECONDS = 900.0
_PLANTED = "test_planted.py"
_CODE = """\
import sys


def test_is_broken():
    assert "planted" not in vars(sys)


def test_pollutes():
    sys.planted = True
"""

SUITES = (
    Suite("boltons", "26.2.0"),
    Suite("cachetools", "8.0.0"),
    Suite("parso", "0.8.7"),
    Suite("python_dotenv", "1.2.4", ("click", "sh")),
    Suite("arrow", "1.4.0", ("pytz", "simplejson", "dateparser", "pytest-mock", "pytest-cov")),
)
_HEAD = (
    *("suite", "tests", "install s", "pytest s", "xdist -n 2 s", "detect s", "found", "run s", "run -n 2 s"),
    *("check after an edit s", "blame s", "detect-test-pollution s"),
)


@dataclass
class Hour:
    """Seconds and outcomes of one suite, by step."""

    suite: str
    tests: int = 0
    found: str = ""
    steps: dict[str, tuple[float, str]] = field(default_factory=dict)

    def cell(self, step: str) -> str:
        seconds, outcome = self.steps[step]
        return f"{seconds:.1f}{outcome and f' ({outcome})'}"

    def row(self) -> list[str]:
        cells = [self.cell(step) for step in ("install", "pytest", "xdist", "detect")]
        more = [self.cell(step) for step in ("run", "run -n 2", "check", "blame", "detect-test-pollution")]
        return [self.suite, str(self.tests), *cells, self.found, *more]


class _Desk:
    """Runs commands in the directory of a suite, and notes how long they took."""

    def __init__(self, prepared: Prepared, hour: Hour) -> None:
        self._prepared = prepared
        self._hour = hour

    def step(self, name: str, command: Sequence[str | Path], outcome: Callable[[Finished], str]) -> Finished:
        environment: Environment = self._prepared.environment
        log = self._prepared.logs / f"{name.replace(' ', '-')}.log"
        directory = self._prepared.directory
        done = run(command, directory=directory, environment=environment.variables(), timeout=_SECONDS, log=log)
        self._hour.steps[name] = (done.seconds, "too long" if done.timed_out else outcome(done))
        say(f"  {name}: {self._hour.cell(name)}")
        return done


def measure(suite: Suite, cache: Path, wheel: Path) -> Hour:
    """Raises BenchFailure if the suite cannot be had or its tests do not run."""
    prepared = prepare(suite, cache, wheel)
    environment, directory = prepared.environment, prepared.directory
    environment.pip("install", "--quiet", "pytest-xdist", "detect-test-pollution")
    hour = Hour(f"{suite.name} {suite.version}")
    desk = _Desk(prepared, hour)
    python, unknot = environment.python, environment.script("unknot")
    pytest: list[str | Path] = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    environment.pip("uninstall", "--quiet", "--yes", "unknot")
    desk.step("install", [python, "-m", "pip", "install", "--quiet", wheel], _by_code({0: ""}))
    desk.step("warm up", pytest, _ending)
    plain = desk.step("pytest", pytest, _ending)
    if plain.code not in (0, 1):
        raise BenchFailure(f"pytest ends with {plain.code}: {plain.last_line()}")
    desk.step("xdist", [*pytest, "-n", "2"], _ending)
    detected = desk.step("detect", [unknot, "detect", "--quiet", "--format", "json"], _by_code({0: "", 1: ""}))
    found = _result(detected.output)
    hour.tests = len(found["suite"]["tests"])
    hour.found = f"{len(found['needs'])} needs, {len(found['conflicts'])} conflicts"
    desk.step("run", [unknot, "run"], _ending)
    desk.step("run -n 2", [unknot, "run", "-n", "2"], _ending)
    planted = Path(found["suite"]["tests"][0].partition("::")[0]).parent / _PLANTED
    (directory / planted).write_text(_CODE, encoding="utf-8")
    polluter, victim = (f"{planted}::test_{name}" for name in ("pollutes", "is_broken"))
    desk.step("check", [unknot, "check", "--quiet"], _by_code({0: "nothing new", 1: "the planted one"}))
    desk.step("blame", [unknot, "blame", victim], lambda done: _names(done, polluter))
    peer = environment.script("detect-test-pollution")
    words: list[str | Path] = [peer, "--failing-test", victim, "--tests", planted.parent]
    desk.step("detect-test-pollution", words, lambda done: _names(done, polluter))
    return hour


def _result(output: str) -> dict[str, Any]:
    """The JSON that was printed between notes, which may hold braces too."""
    begins, *_ = re.finditer(r"^\{", output, re.MULTILINE)
    *_, ends = re.finditer(r"\}$", output, re.MULTILINE)
    found: dict[str, Any] = json.loads(output[begins.start() : ends.end()])
    return found


def _ending(done: Finished) -> str:
    return "" if done.code == 0 else f"exit {done.code}"


def _by_code(words: dict[int, str]) -> Callable[[Finished], str]:
    return lambda done: words.get(done.code, f"exit {done.code}")


def _names(done: Finished, test: str) -> str:
    return "right" if test in done.output else "not found"


def main() -> int:
    """One that cannot be measured is named and does not stop the rest."""
    end_when_asked()
    cache = DEFAULT_CACHE.resolve()
    wheel = unknot_wheel(cache)
    hours, problems = [], {}
    for suite in SUITES:
        if sys.argv[1:] and suite.name not in sys.argv[1:]:
            continue
        try:
            hours.append(measure(suite, cache, wheel))
        except BenchFailure as problem:
            problems[suite.name] = str(problem)
            say(f"  {problem}")
    table = markdown(_HEAD, [hour.row() for hour in hours])
    publish(table, {}, None)
    RESULTS.write_text(
        "# The first hour\n\nWritten by `python -m bench.first_hour.run`. Seconds; where a command did not end with"
        f" success, how it ended. pytest: {PYTEST.partition('==')[2]}.\n\n{table}"
        + "".join(f"\n{name}: not measured: {problem}\n" for name, problem in problems.items()),
        encoding="utf-8",
    )
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
