"""A second detection, after tests were added, removed and changed, runs only what could be different."""

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

STATE = "done = []\nenv = {}\n"

PLAIN = """
    import pytest

    @pytest.mark.parametrize("number", range(12))
    def test_plain(number): pass
"""

KNOTS = """
    from state import done, env

    def test_sets(): done.append(1)
    def test_reads(): assert not env
    def test_needs(): assert done
    def test_pollutes_later(): env["x"] = 1
"""

NEW = """
    from state import done

    def test_new(): assert done
"""


FILES = {"conftest.py": "", "state.py": STATE, "test_a_plain.py": PLAIN, "test_b_dependencies.py": KNOTS}
WITH_NEW = {**FILES, "test_c_new.py": NEW}

Found = dict[str, Any]
First = Callable[[Mapping[str, str]], Found]
Detect = Callable[..., Found]


def read(done: subprocess.CompletedProcess[str]) -> Found:
    assert done.returncode in (0, 1), done.stderr
    found: Found = json.loads(done.stdout)
    assert found["complete"]
    return found


@pytest.fixture
def first(detected_once: Callable[..., Any], project: Path) -> First:
    """Makes it a project of these files on which `detect` has run, and returns what that found."""

    def start(files: Mapping[str, str]) -> Found:
        known = detected_once(files, "--no-trace", "-q", "--format", "json")
        known.copy_to(project)
        return read(known.done)

    return start


@pytest.fixture
def detect(unknot: Unknot) -> Detect:
    """Detects, and reads what was found."""
    return lambda *options: read(unknot("detect", "-q", "--format", "json", *options))


def needs(found: Found) -> set[tuple[str, str]]:
    return {
        (need["dependent"].partition("::")[2], setter.partition("::")[2])
        for need in found["needs"]
        for setter in need["any_of"]
    }


def orders(found: Found) -> int:
    return int(found["cost"]["orders"])


def test_a_new_file_costs_a_few_orders_and_old_findings_stay(first: First, detect: Detect, write: Write) -> None:
    before = first(FILES)
    assert needs(before) == {("test_needs", "test_sets")}
    assert [conflict["victim"] for conflict in before["conflicts"]] == ["test_b_dependencies.py::test_reads"]
    write({"test_c_new.py": NEW})
    second = detect()
    assert needs(second) == {("test_needs", "test_sets"), ("test_new", "test_sets")}
    assert second["conflicts"] == before["conflicts"]
    assert second["cost"]["algorithm"] == "growing"
    assert 3 * orders(second) < orders(before)
    third = detect()
    assert orders(third) == 0
    assert {**third, "cost": None} == {**second, "cost": None}


def test_a_removed_test_takes_its_findings_with_it(first: First, detect: Detect, project: Path) -> None:
    before = first(WITH_NEW)
    (project / "test_c_new.py").unlink()
    second = detect()
    assert needs(second) == {("test_needs", "test_sets")}
    assert second["conflicts"] == before["conflicts"]
    assert orders(second) < 6


def test_a_changed_test_may_lose_its_dependency(first: First, detect: Detect, write: Write) -> None:
    before = first(WITH_NEW)
    write({"test_c_new.py": NEW.replace("assert done", "pass")})
    second = detect()
    assert needs(second) == {("test_needs", "test_sets")}
    assert second["conflicts"] == before["conflicts"]
    assert 3 * orders(second) < orders(before)


def test_an_incremental_detection_finds_what_a_full_one_finds(first: First, detect: Detect, write: Write) -> None:
    first(FILES)
    write({"test_c_new.py": NEW})
    grown, full = detect(), detect("--full")
    assert full["cost"]["algorithm"] != "growing"
    assert needs(grown) == needs(full)
    assert {c["victim"] for c in grown["conflicts"]} == {c["victim"] for c in full["conflicts"]}


@pytest.mark.parametrize(
    ("options", "files"),
    [
        (["--full"], {}),
        (["--no-cache"], {}),
        (["--seed", "7"], {}),
        (["--orders", "reference"], {}),
        ([], {"state.py": STATE + "# not the same\n"}),
        ([], {"conftest.py": "# for all tests\n"}),
    ],
    ids=["full", "no cache", "seed", "orders", "a module of the project", "conftest"],
)
def test_everything_is_searched_when_everything_may_be_different(
    first: First, detect: Detect, write: Write, options: list[str], files: dict[str, str]
) -> None:
    first(FILES)
    write(files)
    assert detect(*options)["cost"]["algorithm"] != "growing"


def test_a_lock_file_without_fingerprints_is_no_baseline(
    first: First, detect: Detect, write: Write, project: Path
) -> None:
    lock = project / "unknot.lock.json"
    document = first(FILES)
    del document["fingerprints"]
    lock.write_text(json.dumps(document))
    write({"test_c_new.py": NEW})
    assert detect()["cost"]["algorithm"] != "growing"
    assert "environment" in json.loads(lock.read_text())


def test_of_an_edited_file_only_the_changed_test_is_searched(first: First, write: Write, unknot: Unknot) -> None:
    first(FILES)
    write({"test_a_plain.py": f"    # More.\n{PLAIN}\n    def test_another(): pass\n"})
    assert "what could have changed: 1 new (" in unknot("detect").stderr
    write({"test_a_plain.py": f"{PLAIN}\n    def test_another(): assert True\n"})
    assert "what could have changed: 1 changed (" in unknot("detect").stderr


def test_what_changed_is_reported(first: First, write: Write, unknot: Unknot) -> None:
    first(FILES)
    write({"test_c_new.py": NEW})
    assert "searching only what could have changed: 1 new" in unknot("detect").stderr
    assert "could have changed" not in unknot("detect").stderr
