"""`python -m bench.run_coverage.run [names…]`: coverage of `unknot run` beside that of pytest, line by line."""

import argparse
import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.kit.environment import DEFAULT_CACHE, unknot_wheel
from bench.kit.failure import BenchFailure
from bench.kit.process import end_when_asked, run
from bench.kit.result import markdown, publish
from bench.kit.say import say
from bench.pytest_suite.prepare import Prepared, prepare
from bench.pytest_suite.suites import SUITES

_USUAL = ("wtforms", "marshmallow", "structlog")
_HEAD = ("suite", "measured by", "files", "lines", "branches", "different lines", "different branches", "exit codes")
_COUNTED = {
    "lines": ("executed_lines", "missing_lines", "excluded_lines"),
    "branches": ("executed_branches", "missing_branches"),
}


@dataclass(frozen=True)
class Compared:
    """Plain pytest twice: where its own two reports differ, the suite is not the same each time."""

    suite: str
    way: str
    files: int
    counted: dict[str, int]
    different: dict[str, list[str]]
    different_when_plain: dict[str, list[str]]
    codes: tuple[int, int]

    def cells(self) -> list[str]:
        def both(kind: str) -> str:
            return f"{len(self.different[kind])} ({len(self.different_when_plain[kind])})"

        codes = " and ".join(map(str, self.codes))
        counted = (str(self.files), f"{self.counted['lines']:,}", f"{self.counted['branches']:,}")
        return [self.suite, self.way, *counted, both("lines"), both("branches"), codes]


def main() -> int:
    """Ends with 1 if a report differs, except where two plain runs differ too."""
    options = _options()
    end_when_asked()
    wheel = unknot_wheel(options.cache)
    done: list[Compared] = []
    for name in options.names:
        suite = SUITES[name]
        suite = dataclasses.replace(suite, requirements=(*suite.requirements, "pytest-cov"))
        prepared = prepare(suite, options.cache / "run_coverage", wheel)
        _run(prepared, "detect", ["unknot", "detect", "--no-trace", "-q"], (0, 1))
        package = options.package or name
        done += [_compare(prepared, way, package, options.workers) for way in ("pytest-cov", "coverage run")]
    table = markdown(_HEAD, [each.cells() for each in done])
    publish(table, {"suites": [dataclasses.asdict(each) for each in done]}, options.json)
    worse = [
        each for each in done for kind in _COUNTED if set(each.different[kind]) - set(each.different_when_plain[kind])
    ]
    return 1 if worse else 0


def _compare(prepared: Prepared, way: str, package: str, workers: int) -> Compared:
    say(f"  {way}")
    parallel = ["unknot", "run", "-n", str(workers)]
    plain, code = _report(prepared, way, package, ["pytest"])
    again, _ = _report(prepared, way, package, ["pytest"])
    ours, our_code = _report(prepared, way, package, parallel)
    return Compared(
        prepared.suite.name,
        way,
        len(plain),
        {kind: sum(len(_of(report, names)) for report in plain.values()) for kind, names in _COUNTED.items()},
        {kind: _differences(plain, ours, names) for kind, names in _COUNTED.items()},
        {kind: _differences(plain, again, names) for kind, names in _COUNTED.items()},
        (code, our_code),
    )


def _report(prepared: Prepared, way: str, package: str, command: Sequence[str]) -> tuple[dict[str, Any], int]:
    """What coverage.py reports of each file, and the exit code of the run."""
    file = prepared.directory / "coverage-of-bench.json"
    file.unlink(missing_ok=True)
    (prepared.directory / ".coverage").unlink(missing_ok=True)
    if way == "pytest-cov":
        words = [*command, "-q", f"--cov={package}", "--cov-branch", f"--cov-report=json:{file}"]
        code = _run(prepared, way, words, (0, 1))
    else:
        words = ["coverage", "run", "--branch", f"--source={package}", "-m", *command, "-p", "no:cov", "-q"]
        code = _run(prepared, way, words, (0, 1))
        _run(prepared, way, ["coverage", "json", "-o", str(file)], (0,))
    files: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["files"]
    return files, code


def _run(prepared: Prepared, name: str, words: Sequence[str], expected: Sequence[int]) -> int:
    command: list[str | Path] = [prepared.environment.script(words[0]), *words[1:]]
    log = prepared.logs / f"{name.replace(' ', '-')}-{words[0]}.log"
    variables = prepared.environment.variables()
    done = run(command, directory=prepared.directory, environment=variables, timeout=900.0, log=log)
    if done.code not in expected:
        raise BenchFailure(f"`{' '.join(words)}` ended with status {done.code}: {done.last_line()} (all of it: {log})")
    return done.code


def _of(report: dict[str, Any], names: Sequence[str]) -> set[tuple[str, ...]]:
    return {(name, str(each)) for name in names for each in report.get(name, ())}


def _differences(one: dict[str, Any], other: dict[str, Any], names: Sequence[str]) -> list[str]:
    found = []
    for file in sorted(one.keys() | other.keys()):
        here, there = _of(one.get(file, {}), names), _of(other.get(file, {}), names)
        found += [f"{file}: {what} {where}" for what, where in sorted(here ^ there)]
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Coverage of `unknot run`, compared with that of pytest.")
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"of {', '.join(SUITES)} (default: {', '.join(_USUAL)})"
    )
    parser.add_argument("-n", "--workers", type=int, default=2)
    parser.add_argument("--package", help="what to measure (default: the package that is named as the suite is)")
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="archives, environments, logs")
    parser.add_argument("--json", type=Path, metavar="FILE", help="every difference, for machines")
    options = parser.parse_args()
    options.cache = options.cache.resolve()
    options.names = options.names or _USUAL
    if unknown := sorted(set(options.names) - set(SUITES)):
        parser.error(f"unknown suites: {', '.join(unknown)}")
    return options


if __name__ == "__main__":
    raise SystemExit(main())
