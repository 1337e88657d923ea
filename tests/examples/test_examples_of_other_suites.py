"""The examples that are not pytest's: what the command line finds in them is their truth."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.foreign

EXAMPLES = Path(__file__).parents[2] / "examples"


def copy_of(example: str, target: Path) -> Path:
    left = shutil.ignore_patterns(".unknot", "unknot.lock.json", "var", "data", "*.test", "node_modules")
    return Path(shutil.copytree(EXAMPLES / example, target / example, ignore=left))


def unknot(directory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "unknot", *words], cwd=directory, capture_output=True, text=True, check=False
    )


def found(directory: Path, *options: str) -> dict[str, Any]:
    done = unknot(directory, "detect", "-q", "-n", "2", "--format", "json", *options)
    assert done.returncode == 1, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    assert result["complete"]
    assert set(result["suite"]["outcomes"].values()) <= {"passed", "skipped"}
    return result


def needs(result: dict[str, Any]) -> set[tuple[str, tuple[str, ...]]]:
    return {(need["dependent"], tuple(need["any_of"])) for need in result["needs"]}


def conflicts(result: dict[str, Any]) -> set[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return {(each["victim"], tuple(each["polluters"]), tuple(each["cleaners"])) for each in result["conflicts"]}


def truth(example: str) -> dict[str, Any]:
    table: dict[str, Any] = json.loads((EXAMPLES / example / "truth.json").read_text(encoding="utf-8"))
    return table


@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")
def test_the_go_suite_is_found_as_it_is(tmp_path: Path) -> None:
    directory = copy_of("go", tmp_path)
    environment = {**os.environ, "GOFLAGS": "-mod=mod", "GOPROXY": "off"}
    built = ["go", "test", "-c", "-o", "ledger.test"]
    subprocess.run(built, cwd=directory, env=environment, check=True, capture_output=True)
    result = found(directory)
    assert needs(result) == needs(truth("go"))
    assert conflicts(result) == conflicts(truth("go"))


@pytest.mark.skipif(shutil.which("bats") is None, reason="bats is not installed")
def test_the_shell_suite_is_found_as_it_is(tmp_path: Path) -> None:
    check_in_reference_order("shell", tmp_path)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_node_suite_is_found_as_it_is(tmp_path: Path) -> None:
    check_in_reference_order("node", tmp_path)


def check_in_reference_order(example: str, target: Path) -> None:
    """These take their time for each order. So needs are searched for in the suite's own order only, which suffices,
    and what breaks whom is shown, not searched for."""
    directory = copy_of(example, target)
    result = found(directory, "--orders", "reference")
    assert needs(result) == needs(truth(example))
    for victim, polluters, cleaners in conflicts(truth(example)):
        company = [test for polluter in polluters for test in (*chain(polluter, result), polluter)]
        assert unknot(directory, "ask", *company, victim).returncode == 1
        for cleaner in cleaners:
            assert unknot(directory, "ask", *company, cleaner, victim).returncode == 0
        if not cleaners:
            assert unknot(directory, "ask", *company).returncode == 0


def chain(test: str, result: dict[str, Any]) -> list[str]:
    """All that a test needs, in reference order."""
    wanted: set[str] = set()
    waiting = [test]
    while waiting:
        dependent = waiting.pop()
        more = {any_of[0] for each, any_of in needs(result) if each == dependent} - wanted
        wanted |= more
        waiting += more
    return [each for each in result["suite"]["tests"] if each in wanted]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_two_node_tests_of_one_name_are_refused_and_none_is_lost(tmp_path: Path) -> None:
    directory = copy_of("node", tmp_path)
    double = 'import test from "node:test";\ntest("same", () => { throw new Error("x"); });\ntest("same", () => {});\n'
    (directory / "tests" / "double.test.mjs").write_text(double)
    done = unknot(directory, "ask", "tests/double.test.mjs::same")
    assert done.returncode == 12
    assert "two tests have the same name: tests/double.test.mjs::same" in done.stderr
