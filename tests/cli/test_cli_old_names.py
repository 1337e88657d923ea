"""Old names of verbs, options and configuration keys work for one release, with a note."""

import json
import subprocess
from collections.abc import Callable

import pytest

from unknot.cli.arguments import with_new_names

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]
GRAPH = json.dumps({"order": ["a", "b"], "dependencies": [[1, 0]]})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["detect", "--anew", "--forget"], ["detect", "--full", "--no-cache"]),
        (["detect", "--suspects", "strings"], ["detect", "--hints", "strings"]),
        (["suspects", "--suspects=strings+noun"], ["candidates", "--hints=strings+noun"]),
        (["run", "--maker", "greedy"], ["run", "--planner", "greedy"]),
        (["ask", "suspects"], ["ask", "suspects"]),
    ],
)
def test_old_spellings_are_replaced_and_noted(old: list[str], new: list[str]) -> None:
    notes: list[str] = []
    assert with_new_names(old, notes.append) == new
    assert len(notes) == sum(before != after for before, after in zip(old, new, strict=True))
    assert all(" is now `" in note for note in notes)


def test_an_old_option_works_with_a_note_on_stderr(write: Write, unknot: Unknot) -> None:
    write({"graph.json": GRAPH})
    words = ("plan", "--graph", "graph.json", "-n", "2", "--format", "json")
    old, new = unknot(*words, "--maker", "greedy"), unknot(*words, "--planner", "greedy")
    assert old.stdout == new.stdout
    assert old.returncode == new.returncode == 0
    assert old.stderr == "note: `--maker` is now `--planner`\n"
    assert new.stderr == ""


def test_an_old_key_of_the_configuration_works_with_a_note(write: Write, unknot: Unknot) -> None:
    write({"graph.json": GRAPH, "unknot.toml": 'maker = "closures"\n'})
    done = unknot("plan", "--graph", "graph.json", "-n", "2", "--format", "json")
    assert json.loads(done.stdout)["maker"] == "closures"
    assert "unknot.toml: `maker` is now `planner`" in done.stderr


def test_the_old_algorithm_auto_is_the_default(write: Write, unknot: Unknot) -> None:
    write({"graph.json": GRAPH})
    words = ("simulate", "graph.json", "--format", "json")
    old, new = unknot(*words, "--algorithm", "auto"), unknot(*words)
    assert json.loads(old.stdout)["cost"]["algorithm"] == "sieve"
    assert old.stdout == new.stdout
