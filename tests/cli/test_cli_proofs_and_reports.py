"""What is printed is true: every proof command shows what it claims, every form of the report says the same."""

import json
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from printed_proofs import printed_commands, wrong_claims

from unknot.store.lock import read_lock

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

ODD = """
    import pytest
    done = []
    def test_sets(): done.append(1)
    @pytest.mark.parametrize("name", ["a b", "it's", '"', "x::y", "ä", "日本", "$HOME", "new\\nline", "[z]"])
    def test_needs(name): assert done
"""


@pytest.fixture
def odd(detected_once: Callable[..., Any], project: Path) -> None:
    """The suite with odd names and its result, in the project."""
    known = detected_once({"test_it.py": ODD}, "--no-trace", "-q")
    assert known.done.returncode == 1, known.done.stderr
    known.copy_to(project)


@pytest.mark.usefixtures("odd")
def test_proofs_with_odd_names_can_be_pasted_into_a_shell(unknot: Unknot, project: Path) -> None:
    commands = printed_commands(unknot("report").stdout)
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
