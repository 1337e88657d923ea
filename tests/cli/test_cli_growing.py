"""A project that goes on: what a second detect asks after tests were added, removed and changed."""

import json
import subprocess
from collections.abc import Callable
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


@pytest.fixture
def detected(write: Write, unknot: Unknot) -> Callable[..., dict[str, Any]]:
    """Detects, and reads what was found."""
    write({"conftest.py": "", "state.py": STATE, "test_a_plain.py": PLAIN, "test_b_dependencies.py": KNOTS})

    def detect(*options: str) -> dict[str, Any]:
        done = unknot("detect", "-q", "--format", "json", *options)
        assert done.returncode in (0, 1), done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        assert found["complete"]
        return found

    return detect


def needs(found: dict[str, Any]) -> set[tuple[str, str]]:
    return {
        (need["dependent"].partition("::")[2], setter.partition("::")[2])
        for need in found["needs"]
        for setter in need["any_of"]
    }


def orders(found: dict[str, Any]) -> int:
    return int(found["cost"]["orders"])


def test_a_new_file_costs_a_few_orders_and_old_findings_stay(
    detected: Callable[..., dict[str, Any]], write: Write
) -> None:
    first = detected()
    assert needs(first) == {("test_needs", "test_sets")}
    assert [conflict["victim"] for conflict in first["conflicts"]] == ["test_b_dependencies.py::test_reads"]
    write({"test_c_new.py": NEW})
    second = detected()
    assert needs(second) == {("test_needs", "test_sets"), ("test_new", "test_sets")}
    assert second["conflicts"] == first["conflicts"]
    assert second["cost"]["algorithm"] == "growing"
    assert 3 * orders(second) < orders(first)
    third = detected()
    assert orders(third) == 0
    assert {**third, "cost": None} == {**second, "cost": None}


def test_a_removed_test_takes_its_findings_with_it(
    detected: Callable[..., dict[str, Any]], write: Write, project: Path
) -> None:
    write({"test_c_new.py": NEW})
    first = detected()
    (project / "test_c_new.py").unlink()
    second = detected()
    assert needs(second) == {("test_needs", "test_sets")}
    assert second["conflicts"] == first["conflicts"]
    assert orders(second) < 6


def test_a_changed_test_may_lose_its_dependency(detected: Callable[..., dict[str, Any]], write: Write) -> None:
    write({"test_c_new.py": NEW})
    first = detected()
    write({"test_c_new.py": NEW.replace("assert done", "pass")})
    second = detected()
    assert needs(second) == {("test_needs", "test_sets")}
    assert second["conflicts"] == first["conflicts"]
    assert 3 * orders(second) < orders(first)


def test_what_is_found_by_growing_is_what_is_found_from_nothing(
    detected: Callable[..., dict[str, Any]], write: Write
) -> None:
    detected()
    write({"test_c_new.py": NEW})
    grown, anew = detected(), detected("--full")
    assert anew["cost"]["algorithm"] != "growing"
    assert needs(grown) == needs(anew)
    assert {c["victim"] for c in grown["conflicts"]} == {c["victim"] for c in anew["conflicts"]}


@pytest.mark.parametrize(
    ("options", "files"),
    [
        (["--full"], {}),
        (["--no-cache"], {}),
        (["--seed", "7"], {}),
        (["--orders", "reference"], {}),
        ([], {"state.py": STATE + "# not the same\n"}),
        ([], {"conftest.py": "# in everybody's way\n"}),
    ],
    ids=["anew", "forget", "seed", "orders", "a module of the project", "conftest"],
)
def test_everything_is_looked_at_when_everything_may_be_different(
    detected: Callable[..., dict[str, Any]], write: Write, options: list[str], files: dict[str, str]
) -> None:
    detected()
    write(files)
    assert detected(*options)["cost"]["algorithm"] != "growing"


def test_a_lock_file_without_fingerprints_is_no_ground_to_build_on(
    detected: Callable[..., dict[str, Any]], write: Write, project: Path
) -> None:
    lock = project / "unknot.lock.json"
    document = detected()
    del document["fingerprints"]
    lock.write_text(json.dumps(document))
    write({"test_c_new.py": NEW})
    assert detected()["cost"]["algorithm"] != "growing"
    assert "environment" in json.loads(lock.read_text())


def test_it_is_said_what_changed(detected: Callable[..., dict[str, Any]], write: Write, unknot: Unknot) -> None:
    detected()
    write({"test_c_new.py": NEW})
    assert "searching only what could have changed: 1 new" in unknot("detect").stderr
    assert "could have changed" not in unknot("detect").stderr
