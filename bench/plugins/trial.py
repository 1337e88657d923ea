"""One suite with one plugin: plain pytest, a detection and a parallel run, compared."""

import json
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.kit.environment import Environment
from bench.kit.failure import BenchFailure
from bench.kit.process import Finished, run
from bench.plugins.subject import DEPENDENT, PREREQUISITE, Subject

_LIMIT = 240.0
_WORKS = "works"


@dataclass(frozen=True)
class Verdict:
    """What happened, in a few words; `seconds` of the two commands."""

    detect: str
    run: str
    seconds: float


class Trial:
    """Runs commands in a fresh directory with the subject's suite. All plugins but the subject's are switched off."""

    def __init__(self, environment: Environment, directory: Path, subject: Subject, others: Iterable[str]) -> None:
        self._environment = environment
        self._directory = directory
        self._subject = subject
        self._seconds = 0.0
        shutil.rmtree(directory, ignore_errors=True)
        off = " ".join(f"-p no:{name}" for name in others)
        configuration = f"[pytest]\naddopts = {off} {subject.options}\n{subject.ini}\n"
        for name, text in {"pytest.ini": configuration, **subject.sources()}.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def verdict(self) -> Verdict:
        """Raises BenchFailure if the suite is not green with plain pytest."""
        plain = self._command("pytest", "-q", "--junit-xml=plain.xml", *self._subject.in_order)
        if plain.code:
            raise BenchFailure(f"not green with plain pytest: {plain.last_line().removeprefix('E ').strip()}")
        expected = _outcomes(self._directory / "plain.xml")
        detected = self._command("unknot", "detect", "--max-seconds", "120")
        found = self._judge_detection(detected)
        planned = self._command("unknot", "run", "-n", "2", "--junit-xml", "run.xml")
        return Verdict(found, self._judge_run(planned, expected), round(detected.seconds + planned.seconds, 1))

    def _judge_detection(self, done: Finished) -> str:
        lock = self._directory / "unknot.lock.json"
        if done.code not in (0, 1) or not lock.exists():
            return f"refused: {_message(done)}"
        content = json.loads(lock.read_text(encoding="utf-8"))
        pairs = {(need["dependent"], before) for need in content["needs"] for before in need["any_of"]}
        names = {tuple(test.rpartition("::")[2].partition("[")[0] for test in pair) for pair in pairs}
        problems = [] if (DEPENDENT, PREREQUISITE) in names else ["the dependency is not found"]
        if more := names - {(DEPENDENT, PREREQUISITE)}:
            problems.append("also finds " + ", ".join(f"{one} needs {other}" for one, other in sorted(more)))
        if content["flaky"]:
            problems.append("flaky: " + ", ".join(map(_name, content["flaky"])))
        if content["outcomes"]:
            problems.append("other outcomes: " + ", ".join(map(_name, content["outcomes"])))
        if not content["complete"]:
            problems.append("not complete")
        return _but([*problems, *_notes(done)])

    def _judge_run(self, done: Finished, expected: Mapping[str, str]) -> str:
        report = self._directory / "run.xml"
        if not report.exists():
            return f"refused: {_message(done)}"
        found = _outcomes(report)
        different = [
            f"{name} {found.get(name, 'not run')} ({outcome} with pytest)"
            for name, outcome in expected.items()
            if found.get(name) != outcome
        ]
        more = [f"also runs {name}" for name in found if name not in expected]
        status = [f"exit code {done.code}"] if done.code and not different else []
        return _but([*different, *more, *status])

    def _command(self, name: str, *words: str) -> Finished:
        return run(
            [self._environment.script(name), *words],
            directory=self._directory,
            environment=self._environment.variables() | {"COLUMNS": "400"},
            timeout=_LIMIT,
            log=self._directory.with_name(f"{self._directory.name}-{name}-{words[0]}.log"),
        )


def _but(problems: Sequence[str]) -> str:
    return f"{_WORKS}, but {'; '.join(problems)}" if problems else _WORKS


def _notes(done: Finished) -> list[str]:
    """What unknot says about a process of its own for each order."""
    return [line.removeprefix("note: ") for line in done.output.splitlines() if "fresh pytest process" in line]


def _message(done: Finished) -> str:
    lines = [line for line in done.output.splitlines() if line.startswith("error")]
    return (lines or [done.last_line()])[0]


def _name(flaky: object) -> str:
    return str(flaky["test"] if isinstance(flaky, dict) else flaky).rpartition("::")[2]


def _outcomes(report: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for case in ET.parse(report).getroot().iter("testcase"):
        kinds = {child.tag for child in case} & {"failure", "error", "skipped"}
        found[str(case.get("name"))] = min(kinds, default="passed")
    return found
