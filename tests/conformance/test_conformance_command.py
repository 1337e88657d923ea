"""Suites run by commands are held to what every runner is, in every way to run and to read them."""

import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar

import pytest

from unknot.conformance import Does, Feature, Opened, PlantedSuite, RunnerConformance, Step
from unknot.runners.command.listing import list_tests
from unknot.runners.command.slot import CommandSlotSpec
from unknot.runners.command.spec import CommandSpec, ResultsSpec
from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.protocol import Runner
from unknot.runners.settings import Settings
from unknot.runners.workers.threads import ThreadWorkers

pytestmark = pytest.mark.slow

_SAME_ANSWERS = "checked in the other languages, with the same results"


class _CommandConformance(RunnerConformance):
    """State lies in files of the working copy, unless a language says otherwise."""

    spec: ClassVar[CommandSpec]

    def write(self, suite: PlantedSuite, directory: Path) -> None:
        raise NotImplementedError

    @contextmanager
    def make(self, suite: PlantedSuite, directory: Path) -> Iterator[Opened[Runner]]:
        self.write(suite, directory)
        (directory / "names").write_text("".join(f"{name}\n" for name in suite.names), encoding="utf-8")
        settings = Settings(directory, timeout=suite.timeout, workers=suite.workers)
        listing = list_tests(self.spec, settings)
        slots = CommandSlotSpec(self.spec, None, settings)
        with SlotRunner(slots, listing, ThreadWorkers(suite.workers)) as oracle:
            yield Opened(oracle, listing.suite.tests)


def _in_shell(step: Step) -> str:
    file = f"state.{step.key}"
    match step.does:
        case Does.SETS:
            return f": > {file}"
        case Does.CLEARS:
            return f"rm -f {file}"
        case Does.NEEDS:
            return f"[ -e {file} ] || {{ echo '# {file} is missing'; return 1; }}"
        case Does.BREAKS_IF:
            return f"[ ! -e {file} ] || {{ echo '# {file} is there'; return 1; }}"
        case Does.FAILS:
            return "echo '# as planted'; return 1"
        case Does.SKIPS:
            return "return 77"
        case Does.CRASHES:
            return "kill -9 $$"
        case Does.HANGS:
            return "sleep 3600"
        case Does.SLEEPS:
            return f"sleep {step.seconds}"
        case Does.PRINTS:
            return f"yes '# {'x' * 77}' | head -n {step.count}"
        case Does.LEAVES:
            return "setsid sleep 3600 > /dev/null 2>&1 < /dev/null &"


def _functions(suite: PlantedSuite) -> str:
    """A function for each test, and `planted NAME`, which finds it by a name that is never looked into."""
    lines: list[str] = []
    for number, test in enumerate(suite.tests):
        lines += [f"test_{number}() {{", *map(_in_shell, test.steps), "return 0", "}"]
    lines += ["planted() {", 'case "$1" in']
    lines += [f"{shlex.quote(test.name)}) test_{number} ;;" for number, test in enumerate(suite.tests)]
    return "\n".join([*lines, '*) echo "no such test: $1" >&2; exit 99 ;;', "esac", "}", ""])


_TAP_IN_SHELL = r"""
escaped() { printf '%s\n' "$1" | sed 's/[\\#]/\\&/g'; }
count=0
echo "1..$(wc -l < "$1")"
while IFS= read -r name; do
    count=$((count + 1))
    planted "$name"
    case $? in
    0) echo "ok $count - $(escaped "$name")" ;;
    77) echo "ok $count - $(escaped "$name") # SKIP as planted" ;;
    *) echo "not ok $count - $(escaped "$name")"; echo "# it went wrong" ;;
    esac
done < "$1"
"""


class TestShellWithTap(_CommandConformance):
    """One process for an order; TAP on its standard output."""

    many_orders, few_orders = 12, 5
    spec = CommandSpec(run=("sh", "suite.sh", "{tests_file}"), list=("cat", "names"), results=ResultsSpec("tap"))
    lacks: ClassVar = {Feature.SECONDS: "plain TAP does not tell them"}

    def write(self, suite: PlantedSuite, directory: Path) -> None:
        (directory / "suite.sh").write_text(_functions(suite) + _TAP_IN_SHELL, encoding="utf-8")


class TestShellOneByOne(_CommandConformance):
    """One process for each test; its exit status is the outcome."""

    many_orders, few_orders = 6, 3
    spec = CommandSpec(run=("sh", "suite.sh", "{test}"), list=("cat", "names"), results=ResultsSpec("exit-status"))

    def write(self, suite: PlantedSuite, directory: Path) -> None:
        (directory / "suite.sh").write_text(_functions(suite) + 'planted "$1"\nexit $?\n', encoding="utf-8")


_PYTHON = r"""
# Started hundreds of times: imports as little as it can.
import os, sys, time

sys.path.insert(0, os.getcwd())
from planted import planted

state = set()
if sys.argv[1] == "lines":
    directory = os.environ["UNKNOT_DIR"]
    assert not os.listdir(directory), "the private directory is not empty"


class Skipped(Exception):
    pass


def do(step):
    match step["does"]:
        case "sets":
            state.add(step["key"])
            open(os.path.join(directory, step["key"]), "w").close() if sys.argv[1] == "lines" else None
        case "clears":
            state.discard(step["key"])
        case "needs":
            assert step["key"] in state, step["key"]
        case "breaks-if":
            assert step["key"] not in state, step["key"]
        case "fails":
            raise AssertionError("as planted")
        case "skips":
            raise Skipped
        case "crashes":
            os.kill(os.getpid(), 9)
        case "hangs":
            time.sleep(3600)
        case "sleeps":
            time.sleep(step["seconds"])
        case "prints":
            print(("x" * 79 + "\n") * step["count"])
        case "leaves":
            import subprocess

            subprocess.Popen(["sleep", "3600"], start_new_session=True)


def run(name):
    began = time.perf_counter()
    try:
        for step in planted[name]:
            do(step)
    except Skipped:
        outcome, story = "skipped", ""
    except AssertionError as problem:
        outcome, story = "failed", f"without or with {problem}"
    else:
        outcome, story = "passed", ""
    return name, outcome, time.perf_counter() - began, story


def as_line(name, outcome, seconds, story):
    print(f"RESULT {outcome} {seconds:.6f} {name} :: {story}", flush=True)


def quoted(text):
    for sign, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, escaped)
    return f'"{text}"'


def as_case(name, outcome, seconds, story):
    inside = {"failed": f"<failure message={quoted(story)}/>", "skipped": "<skipped/>"}.get(outcome, "")
    return f'<testcase name={quoted(name)} time="{seconds:.6f}">{inside}</testcase>'


if sys.argv[1] == "lines":
    for name in sys.argv[2:]:
        as_line(*run(name))
else:
    with open(sys.argv[2], encoding="utf-8") as file:
        names = file.read().splitlines()
    cases = "".join([as_case(*run(name)) for name in names])
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(f"<testsuite>{cases}</testsuite>")
"""


class _PythonConformance(_CommandConformance):
    """State lies in the memory of the process."""

    def write(self, suite: PlantedSuite, directory: Path) -> None:
        steps = {test.name: [asdict(step) for step in test.steps] for test in suite.tests}
        # Out of JSON, where outcomes and actions are plain texts.
        (directory / "planted.py").write_text(f"planted = {json.loads(json.dumps(steps))!r}\n", encoding="utf-8")
        (directory / "suite.py").write_text(_PYTHON, encoding="utf-8")


class TestLines(_PythonConformance):
    """The tests as words of the command, a line of output for each."""

    many_orders, few_orders = 6, 3
    lacks: ClassVar = {Feature.DETECTION: _SAME_ANSWERS}
    spec = CommandSpec(
        run=(sys.executable, "-I", "-S", "suite.py", "lines", "{tests}"),
        list=("cat", "names"),
        results=ResultsSpec(
            "lines", pattern=r"^RESULT (?P<outcome>\w+) (?P<seconds>[\d.]+) (?P<test>.*) :: (?P<story>.*)$"
        ),
    )


class TestJUnitFile(_PythonConformance):
    """A document that is there only if all went well: who has crashed must be searched for."""

    many_orders, few_orders = 6, 3
    lacks: ClassVar = {Feature.DETECTION: _SAME_ANSWERS}
    spec = CommandSpec(
        run=(sys.executable, "-I", "-S", "suite.py", "junit", "{tests_file}", "{results}"),
        list=("cat", "names"),
        results=ResultsSpec("junit", file="{results}", id="{name}"),
    )
