"""The tutorial's commands, run one after the other on examples/shop, print what the page says; and what is found there
is the truth, proved by the commands that are printed."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from printed_proofs import outputs_forked, printed_commands, wrong_claims

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "examples" / "shop"
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_VARIES = (
    (re.compile(r"(under )?\d[\d.,]* (s|ms)\b|\d[\d.]*s\b"), "<time>"),
    (re.compile(r"\d[\d,]* (orders?|test runs?|pairs?) "), r"<many> \1 "),
    (re.compile(r"\d+(\.\d+)?(x| %)"), r"<many>\2"),
    (re.compile(r"<many>x faster than plain pytest|slower than plain pytest \(<many>x\)"), "<faster or not>"),
    (re.compile(r" +[█▒·]+"), " <bar>"),
    (re.compile(r"\(this plan: .*\)"), "(this plan: <near or far>)"),
    (re.compile(r", [\w/]+\.py:\d+(?=$|: \d)", re.MULTILINE), ""),
    (re.compile(r"^(lane +\d+ +<time>) +\d+ tests?", re.MULTILINE), r"\1 <many> tests"),
)
"""What differs from machine to machine, and from run to run; lines that write are not found where time is short."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SHOP.exists(), reason="the example is not part of an installed package"),
]


@dataclass(frozen=True)
class Shown:
    """A command of the tutorial, and the lines that it is said to print."""

    command: str
    output: str


def shown_commands() -> list[Shown]:
    """Of all blocks that show output."""
    parts = [part for block in _BLOCK.findall(TUTORIAL) for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [Shown(*part.split("\n", 1)) for part in parts if part.split("\n", 1)[1].strip()]


def printed_by(command: str, directory: Path) -> str:
    """On a terminal of 80 columns without colours."""
    terminal = {"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "dumb"}
    environment = {**os.environ, **terminal, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    words = [sys.executable, "-m", *command.partition("  #")[0].split()]
    error = subprocess.PIPE if "--format" in words else subprocess.STDOUT
    done = subprocess.run(
        words, cwd=directory, env=environment, stdout=subprocess.PIPE, stderr=error, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stdout
    return done.stdout


def masked(text: str) -> str:
    for varies, name in _VARIES:
        text = varies.sub(name, text)
    return "\n".join(line.rstrip() for line in text.splitlines())


def pattern_of(output: str) -> re.Pattern[str]:
    """`…` stands for any lines where it is one, and for any characters within a line."""
    lines = [
        r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
        for line in masked(output).splitlines()
    ]
    return re.compile("".join(lines))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tutorial")
    return Path(shutil.copytree(SHOP, directory / "shop", ignore=shutil.ignore_patterns("var", ".*", "*.lock.json")))


@pytest.fixture(scope="module")
def detected(copy: Path) -> Path:
    """The shop after its first detection."""
    first = shown_commands()[0].command
    assert first.startswith("unknot detect")
    (copy.parent / "printed.txt").write_text(printed_by(first, copy), encoding="utf-8")
    return Path(shutil.copytree(copy, copy.parent / "detected"))


@pytest.fixture(scope="module")
def printed(copy: Path, detected: Path) -> dict[str, str]:
    """What each command of the tutorial prints, one after the other in the same copy of the shop."""
    first, *others = (shown.command for shown in shown_commands())
    found = {first: (detected.parent / "printed.txt").read_text(encoding="utf-8")}
    return found | {command: printed_by(command, copy) for command in others}


@pytest.mark.parametrize("shown", shown_commands(), ids=lambda shown: shown.command)
def test_a_command_of_the_tutorial_prints_what_the_page_shows(shown: Shown, printed: dict[str, str]) -> None:
    told = masked(printed[shown.command]) + "\n"
    assert pattern_of(shown.output).search(told), f"{told}\n--- is not ---\n{masked(shown.output)}"


def test_the_detection_finds_every_dependency_of_the_shop_and_no_other(detected: Path) -> None:
    found, truth = (
        json.loads((detected / name).read_text(encoding="utf-8")) for name in ("unknot.lock.json", "truth.json")
    )
    assert claims(found) == claims(truth)


def claims(document: dict[str, Any]) -> tuple[set[object], set[object]]:
    return (
        {(need["dependent"], frozenset(need["any_of"])) for need in document["needs"]},
        {(one["victim"], frozenset(one["polluters"]), frozenset(one["cleaners"])) for one in document["conflicts"]},
    )


def test_every_printed_proof_of_the_shop_shows_what_it_claims(detected: Path) -> None:
    commands = printed_commands(printed_by("unknot report", detected))
    found = json.loads((detected / "unknot.lock.json").read_text(encoding="utf-8"))
    assert len(commands) >= 2 * len(found["needs"])
    assert wrong_claims(commands, detected, outputs_forked) == []


def test_an_unchanged_suite_is_not_run_again(detected: Path) -> None:
    cost = json.loads(printed_by("unknot detect --format json", detected))["cost"]
    assert (cost["orders"], cost["tests"]) == (0, 0)
