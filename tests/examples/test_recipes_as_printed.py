"""Recipes of `docs/how-to-run-any-suite.md`, as they stand there, on suites that are not too tidy."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.foreign

RECIPES = (Path(__file__).parents[2] / "docs" / "how-to-run-any-suite.md").read_text(encoding="utf-8")

RUST = """#!/bin/sh
# Speaks as a test binary of cargo's does.
[ "$1" = --list ] && { printf 'tests::plain: test\\ntests::panics: test\\n\\n2 tests, 0 benchmarks\\n'; exit; }
case "$2" in tests::panics) note=' - should panic' ;; esac
printf '\\nrunning 1 test\\ntest %s%s ... ok\\n\\ntest result: ok. 1 passed\\n' "$2" "$note"
"""

UNITTEST = """
import unittest

class Expected(unittest.TestCase):
    done = []

    def test_1_leaves(self):
        self.done.append(1)

    @unittest.expectedFailure
    def test_2_fails_alone(self):
        self.assertTrue(self.done)
"""

SHELL = """
test_1_reads_all() { cat > /dev/null; }
test_Two() { [ -n "$THREE" ]; }
test_three() { THREE=1; }
"""


def block(heading: str, language: str, number: int = 0) -> str:
    section = RECIPES.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    return found[number]


def outcomes(directory: Path, *tests: str) -> list[str]:
    # The recipes say `python`.
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        [sys.executable, "-m", "unknot", "ask", "--format", "json", *tests],
        cwd=directory,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return [result["outcome"] for result in json.loads(done.stdout)["results"]]


def test_rust_tests_that_should_panic_are_told_by_their_name(tmp_path: Path) -> None:
    (tmp_path / "unknot.toml").write_text(block("Rust", "toml"))
    program = tmp_path / "ledger.test"
    program.write_text(RUST)
    program.chmod(0o755)
    assert outcomes(tmp_path, "tests::panics", "tests::plain") == ["passed", "passed"]


def test_unittest_tests_that_should_fail_and_do_not_have_failed(tmp_path: Path) -> None:
    (tmp_path / "unknot.toml").write_text(block("unittest", "toml"))
    (tmp_path / "in_order.py").write_text(block("unittest", "python"))
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "__init__.py").touch()
    (tmp_path / "tests" / "test_it.py").write_text(UNITTEST)
    names = [f"tests.test_it.Expected.{name}" for name in ("test_1_leaves", "test_2_fails_alone")]
    assert outcomes(tmp_path, names[1]) == ["passed"]
    assert outcomes(tmp_path, *names) == ["passed", "failed"]


def test_shell_functions_of_any_name_that_read_their_input(tmp_path: Path) -> None:
    (tmp_path / "unknot.toml").write_text(block("Shell", "toml", 1))
    (tmp_path / "suite.sh").write_text(block("Shell", "sh"))
    (tmp_path / "tests.sh").write_text(SHELL)
    assert outcomes(tmp_path, "test_1_reads_all", "test_three", "test_Two") == ["passed"] * 3
    assert outcomes(tmp_path, "test_Two", "test_1_reads_all") == ["failed", "passed"]


@pytest.mark.skipif(shutil.which("prove") is None, reason="prove is not installed")
def test_perl_files_are_tests(tmp_path: Path) -> None:
    (tmp_path / "unknot.toml").write_text(block("Perl", "toml"))
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "open.t").write_text("use Test::More tests => 2; open my $f, '>', 'made'; ok(1); ok(1);\n")
    (tmp_path / "t" / "use.t").write_text("use Test::More tests => 1; ok(-e 'made');\n")
    assert outcomes(tmp_path, "t/open.t", "t/use.t") == ["passed", "passed"]
    assert outcomes(tmp_path, "t/use.t") == ["failed"]
