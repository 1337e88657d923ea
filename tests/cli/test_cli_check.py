"""`unknot check`: what is new since the lock file was committed, and nothing else, decides."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]

FILES = {
    "state.py": "done = []\nenv = {}\n",
    "test_a.py": """
        from state import done, env

        def test_sets(): done.append(1)
        def test_reads(): assert not env
        def test_needs(): assert done
        def test_pollutes(): env["x"] = 1
        def test_one(): pass
        def test_two(): pass
    """,
    "test_b.py": """
        import pytest

        @pytest.mark.parametrize("number", range(6))
        def test_plain(number): pass
    """,
}
NEW = """
    from state import done

    def test_new(): assert done
"""


@pytest.fixture
def detected(detected_once: Callable[..., Any], project: Path) -> Path:
    """A project with a lock file, on which nothing was run since."""
    detected_once(FILES, "--no-trace", "-q").copy_to(project)
    return project


def lock_of(project: Path) -> Any:
    return json.loads((project / "unknot.lock.json").read_text())


def pairs(lock: Any) -> list[tuple[str, list[str]]]:
    return [(conflict["victim"], conflict["polluters"]) for conflict in lock["conflicts"]]


def test_without_a_lock_file_it_says_what_to_do(unknot: Callable[..., Done], project: Path) -> None:
    done = unknot("check")
    assert done.returncode == 4
    assert "error[check-no-lock]" in done.stderr
    assert "unknot detect" in done.stderr
    assert not (project / "unknot.lock.json").exists()


def test_a_format_for_another_file_is_checked_first(unknot: Callable[..., Done], detected: Path) -> None:
    done = unknot("check", "--also", "yaml=x")
    assert done.returncode == 4
    assert "FORMAT=FILE" in done.stderr


def test_a_new_dependency_fails_until_it_is_accepted(
    unknot: Callable[..., Done], detected: Path, write: Callable[..., None]
) -> None:
    before = (detected / "unknot.lock.json").read_bytes()
    done = unknot("check")
    assert (done.returncode, done.stdout) == (0, "No new dependency among 12 tests.\n")

    write({"test_c.py": NEW})
    done = unknot("check", "--no-trace", "--format", "json", "--also", "junit=out.xml", "--also", "github=out.txt")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert [(new["dependent"], new["any_of"], new["line"]) for new in document["new"]] == [
        ("test_c.py::test_new", ["test_a.py::test_sets"], 4)
    ]
    assert document["cost"]["orders"] < 40
    assert 'failures="1"' in (detected / "out.xml").read_text()
    assert (detected / "out.txt").read_text().startswith("::error file=test_c.py,line=4,title=new brittle test::")
    assert (detected / "unknot.lock.json").read_bytes() == before, "a check changes nothing"

    done = unknot("check", "--no-trace", "--baseline", "update")
    assert done.returncode == 0
    assert "1 new dependency accepted" in done.stdout
    assert any(need["dependent"] == "test_c.py::test_new" for need in lock_of(detected)["needs"])
    assert unknot("check").returncode == 0


def test_a_dependency_that_is_gone_is_a_note(
    unknot: Callable[..., Done], detected: Path, write: Callable[..., None]
) -> None:
    write({"test_a.py": FILES["test_a.py"].replace("assert done", "pass")})
    done = unknot("check", "--no-trace")
    assert done.returncode == 0
    assert "1 dependency of unknot.lock.json is gone" in done.stdout


def test_a_fresh_clone_proves_the_claims_again(unknot: Callable[..., Done], detected: Path) -> None:
    before = (detected / "unknot.lock.json").read_bytes()
    shutil.rmtree(detected / ".unknot")
    done = unknot("check", "--format", "json")
    assert done.returncode == 0, done.stderr
    claims = len(lock_of(detected)["needs"]) + len(lock_of(detected)["conflicts"])
    orders = json.loads(done.stdout)["cost"]["orders"]
    assert 2 * claims <= orders <= 4 * claims + 1
    assert json.loads(unknot("check", "--format", "json").stdout)["cost"]["orders"] == 0, "the journal has them now"
    assert unknot("detect", "-q").returncode == 1
    assert (detected / "unknot.lock.json").read_bytes() == before


def test_what_a_merge_has_changed_is_found_again(unknot: Callable[..., Done], detected: Path) -> None:
    path = detected / "unknot.lock.json"
    before, lock = path.read_bytes(), lock_of(detected)
    invented = {**lock["needs"][0], "dependent": "test_a.py::test_two"}
    invented["proof"] = {"passes": ["test_a.py::test_sets", "test_a.py::test_two"], "fails": ["test_a.py::test_two"]}
    lock["needs"] = [invented]
    path.write_text(json.dumps(lock))

    done = unknot("check", "--no-trace")
    assert done.returncode == 1
    assert "does not say what was written about 6 tests" in done.stderr
    assert "test_a.py::test_needs needs test_a.py::test_sets" in done.stdout
    assert "1 dependency of unknot.lock.json is gone" in done.stdout

    assert unknot("detect", "-q").returncode == 1
    assert json.loads(path.read_text())["needs"] == json.loads(before)["needs"]
    assert pairs(lock_of(detected)) == pairs(json.loads(before))


def test_an_invented_claim_without_digest_is_not_believed(unknot: Callable[..., Done], detected: Path) -> None:
    path = detected / "unknot.lock.json"
    needs = lock_of(detected)["needs"]
    lock = lock_of(detected)
    del lock["digest"]
    proof = {"passes": ["test_a.py::test_sets", "test_a.py::test_two"], "fails": ["test_a.py::test_two"]}
    lock["needs"].append({**needs[0], "dependent": "test_a.py::test_two", "proof": proof})
    path.write_text(json.dumps(lock))

    assert unknot("detect", "-q").returncode == 1
    assert lock_of(detected)["needs"] == needs
