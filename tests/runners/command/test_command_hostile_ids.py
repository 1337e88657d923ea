"""Ids are words, whatever they look like: read by no shell, used as no path."""

import sys
from pathlib import Path
from typing import Any

import pytest

NAMES = [
    "with spaces  and\ttab".replace("\t", " "),
    'it\'s "quoted"',
    "$(touch made-by-a-shell)",
    "`touch made-by-a-shell`",
    "; touch made-by-a-shell; #",
    "&& touch made-by-a-shell",
    "| tee made-by-a-shell",
    "> made-by-a-shell",
    "*",
    "~",
    "$HOME",
    "-rf",
    "--help",
    "../../../outside",
    "/etc/passwd",
    "{tests} {results} {dir} {{}} {",
    "%s %d \\n \\x41",
    "grüße ☃ 漢字 \U0001f9f6",
    "a" * 4000,
    "&lt;b&gt; <!DOCTYPE x> ]]>",
]


@pytest.mark.parametrize("kind", ["tap", "lines", "junit"])
def test_hostile_ids_reach_the_runner_as_they_are(workshop: Any, ask: Any, kind: str) -> None:
    slot = workshop.together(kind)
    assert ask(slot, *NAMES) == ["passed"] * len(NAMES)
    assert not list(workshop.directory.rglob("*made-by-a-shell*"))
    assert not list(Path(slot._workspace.files.home).rglob("*made-by-a-shell*"))


def test_hostile_ids_reach_the_runner_through_a_file(workshop: Any, ask: Any) -> None:
    run = [sys.executable, "-IS", "runner.py", "tap", "-", "--file", "{tests_file}"]
    assert ask(workshop.slot({"run": run, "results": "tap"}), *NAMES) == ["passed"] * len(NAMES)


def test_hostile_ids_reach_each_process_as_they_are(workshop: Any, ask: Any) -> None:
    (workshop.directory / "names").write_text("".join(f"{name}\n" for name in NAMES))
    slot = workshop.one_by_one('printf "%s\\n" "$1" | grep -qxFf names')
    assert ask(slot, *NAMES, "not among them") == ["passed"] * len(NAMES) + ["failed"]
    assert not list(Path(slot._workspace.files.home).rglob("*made-by-a-shell*"))
