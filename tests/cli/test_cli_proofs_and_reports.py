"""What is printed is true: every proof command shows what it claims, every form of the report says the same."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from unknot.store.lock import read_lock

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

SHOP = Path(__file__).parents[2] / "examples" / "shop"

ODD = """
    import pytest
    done = []
    def test_sets(): done.append(1)
    @pytest.mark.parametrize("name", ["a b", "it's", '"', "x::y", "ä", "日本", "$HOME", "new\\nline", "[z]"])
    def test_needs(name): assert done
"""


QUIETLY = "-q --tb=no -p no:cacheprovider"


def shell(command: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """As a person would type it, where `pytest` and `python` are the project's own."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        ["bash", "-c", command], cwd=directory, env=environment, capture_output=True, text=True, check=False
    )


def printed_commands(text: str) -> list[tuple[bool, str]]:
    """Each command of the closing table, with whether it is said to pass."""
    found = re.findall(r"^\s+(passes|fails)\s+((?:python -m )?pytest .*)$", text, re.MULTILINE)
    return [(word == "passes", command) for word, command in found]


def last_test_passes(output: str) -> bool:
    """By pytest's own letters: one per test, in the order of the command."""
    return "".join(re.findall(r"^([.FEsxX]+)\s", output, re.MULTILINE)).endswith(".")


_FORKING = """
import json, os, sys, tempfile
import pytest

outputs = []
for words in json.load(sys.stdin):
    with tempfile.TemporaryFile() as file:
        if not (child := os.fork()):
            os.dup2(file.fileno(), 1)
            os._exit(pytest.main(words))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        file.seek(0)
        outputs.append((code, file.read().decode()))
json.dump(outputs, sys.stdout)
"""


def outputs_forked(commands: list[str], directory: Path) -> list[str]:
    """Of each command, run in a fork of one process that has imported pytest: that takes longer than the tests."""
    arguments = [[*shlex.split(command)[1:], *QUIETLY.split()] for command in commands]
    environment = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run(
        [sys.executable, "-P", "-c", _FORKING],
        cwd=directory,
        env=environment,
        input=json.dumps(arguments),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert {code for code, _ in found} <= {0, 1}, found
    return [output for _, output in found]


def outputs_in_shell(commands: list[str], directory: Path) -> list[str]:
    found = [shell(f"{command} {QUIETLY}", directory) for command in commands]
    assert {done.returncode for done in found} <= {0, 1}, [done.stdout + done.stderr for done in found]
    return [done.stdout for done in found]


def wrong_claims(
    commands: list[tuple[bool, str]], directory: Path, run: Callable[[list[str], Path], list[str]] = outputs_in_shell
) -> list[str]:
    """Two at a time, each in a copy of its own."""
    distinct = list(dict.fromkeys(commands))
    copies = [directory.with_name(f"copy-{number}") for number in range(2)]

    def wrong(number: int) -> list[str]:
        shutil.copytree(directory, copies[number], ignore=shutil.ignore_patterns("__pycache__", ".unknot"))
        mine = distinct[number::2]
        outputs = run([command for _, command in mine], copies[number])
        return [
            command
            for (passes, command), output in zip(mine, outputs, strict=True)
            if last_test_passes(output) is not passes
        ]

    with ThreadPoolExecutor(2) as pool:
        return [command for found in pool.map(wrong, range(2)) for command in found]


@pytest.mark.skipif(not SHOP.exists(), reason="the example is not part of an installed package")
def test_every_printed_proof_of_the_shop_shows_what_it_claims(unknot: Unknot, project: Path) -> None:
    shutil.rmtree(project)
    shutil.copytree(SHOP, project, ignore=shutil.ignore_patterns("var", ".unknot", "*.lock.json", "__pycache__"))
    done = unknot("detect", "-q")
    assert done.returncode == 1, done.stderr
    commands = printed_commands(done.stdout)
    found = json.loads((project / "unknot.lock.json").read_text())
    assert len(commands) >= 2 * len(found["needs"])
    assert wrong_claims(commands, project, outputs_forked) == []
    again = unknot("detect", "--format", "json", "-q")
    cost = json.loads(again.stdout)["cost"]
    assert (cost["orders"], cost["tests"]) == (0, 0), "an unchanged suite is not run again"
    ran = unknot("run", "-n", "2")
    assert ran.returncode == 0, ran.stdout


@pytest.fixture
def odd(detected_once: Callable[..., Any], project: Path) -> subprocess.CompletedProcess[str]:
    """What `detect` printed about the suite with odd names, whose result is in the project."""
    known = detected_once({"test_it.py": ODD}, "--no-trace", "-q")
    known.copy_to(project)
    done: subprocess.CompletedProcess[str] = known.done
    assert done.returncode == 1, done.stderr
    return done


def test_proofs_with_odd_names_can_be_pasted_into_a_shell(odd: subprocess.CompletedProcess[str], project: Path) -> None:
    done = odd
    commands = printed_commands(done.stdout)
    assert len(commands) == 18
    assert wrong_claims(commands, project) == []


def test_proofs_say_python_m_where_the_suite_needs_it_and_undo_the_projects_options(
    write: Write, unknot: Unknot, project: Path
) -> None:
    write(
        {
            "pytest.ini": "[pytest]\naddopts = -x\n",
            "shop.py": "done = []",
            "tests/test_it.py": "import shop\ndef test_a(): shop.done.append(1)\ndef test_needs(): assert shop.done\n",
        }
    )
    done = unknot("detect", "-q")
    assert done.returncode == 1, done.stderr
    commands = printed_commands(done.stdout)
    assert commands
    assert all(command.startswith("python -m pytest --maxfail=0 ") for _, command in commands)
    assert wrong_claims(commands, project) == []
    assert printed_commands(unknot("report").stdout) == commands
    assert printed_commands(unknot("explain", "test_needs").stdout) == commands


@pytest.mark.parametrize("runner", ["fork", "fresh"])
def test_both_runners_find_the_same(write: Write, unknot: Unknot, runner: str) -> None:
    write(
        {
            "test_it.py": """
                import os
                done = []
                def test_sets(): done.append(1)
                def test_needs(): assert done
                def test_victim(): assert "SEEN" not in os.environ
                def test_pollutes(): os.environ["SEEN"] = "1"
            """
        }
    )
    done = unknot("detect", "-q", "-n", "2", "--format", "json", "--runner", runner)
    found = json.loads(done.stdout)
    assert [(need["dependent"], need["any_of"]) for need in found["needs"]] == [
        ("test_it.py::test_needs", ["test_it.py::test_sets"])
    ]
    assert [(one["victim"], one["polluters"]) for one in found["conflicts"]] == [
        ("test_it.py::test_victim", ["test_it.py::test_pollutes"])
    ]


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.seen.append(tag)


def test_a_report_needs_a_detection(unknot: Unknot) -> None:
    assert unknot("report").returncode == 13


@pytest.mark.usefixtures("odd")
def test_every_form_of_the_report_can_be_had(unknot: Unknot, project: Path) -> None:
    detected = unknot("detect", "-q", "--format", "json")
    found = json.loads(detected.stdout)
    reported = json.loads(unknot("report", "--format", "json").stdout)
    assert reported["needs"] == found["needs"] == json.loads((project / "unknot.lock.json").read_text())["needs"]

    dot = unknot("report", "--format", "dot")
    assert dot.stdout.startswith("digraph")
    page = unknot("report", "--format", "html", "-o", "page.html")
    assert "page.html" in page.stderr
    tags = _Tags()
    tags.feed((project / "page.html").read_text(encoding="utf-8"))
    assert {"html", "svg"} <= set(tags.seen)
    assert (project / ".unknot" / "report.html").exists()
    text = unknot("report", "--format", "text")
    assert r"test_it.py::test_needs[\u65e5\u672c]" in text.stdout, "as pytest prints it"
    for form in ("text", "json", "dot", "html"):
        done = unknot("report", "--format", form)
        assert (done.returncode, done.stderr) == (0, ""), form


@pytest.mark.usefixtures("odd")
def test_explain_takes_a_part_of_a_name_that_fits_one_test(unknot: Unknot) -> None:
    done = unknot("explain", "test_it.py::test_needs[a b]")
    assert done.returncode == 0
    assert "test_it.py::test_sets" in done.stdout
    assert printed_commands(done.stdout)
    assert unknot("explain", "x::y").stdout.startswith(unknot("explain", "test_it.py::test_needs[x::y]").stdout[:40])
    ambiguous = unknot("explain", "test_needs")
    assert (ambiguous.returncode, "9 tests" in ambiguous.stderr) == (4, True)
    unknown = unknot("explain", "no_such_test")
    assert unknown.returncode == 4
    assert "no_such_test" in unknown.stderr


CRYSTAL = """
    data = {}

    def test_set_field():
        data["path"] = "path"
        assert data["path"]

    def test_set_clone_string():
        assert data["path"] == "path"
        data["path"] = "path_2"

    def test_to_string():
        assert "path" in data
        data["path"] = "clone_string"
    """
"""As in Fig. 2 of the PRADET paper: the last two need the first, and the last overwrites what the second asserts."""


def test_pradet_reports_the_later_test_that_breaks_an_earlier_one(unknot: Unknot, write: Write, project: Path) -> None:
    write({"test_data_source.py": CRYSTAL})

    done = unknot("detect", "--algorithm", "pradet")

    assert done.returncode == 1, done.stderr
    lock = read_lock(project / "unknot.lock.json")
    field, clone, string = lock.suite.tests
    assert {(need.dependent, need.any_of) for need in lock.needs} == {(clone, (field,)), (string, (field,))}
    (conflict,) = lock.conflicts
    assert (conflict.victim, conflict.polluters) == (clone, (string,))
    assert conflict.proof.fails == (field, string, clone), "the order of the paper's first footnote"
