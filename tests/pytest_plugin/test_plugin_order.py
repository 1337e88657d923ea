"""`pytest --unknot` without workers, new and removed tests, unfinished locks, bad files, and other plugins."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from written_results import write_result

from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.store.typed_json import parsed

from .conftest import KNOTTED, Project

pytestmark = pytest.mark.slow

NAMES = [test.rpartition("::test_")[2] for test in KNOTTED]
SHOP = Path(__file__).parents[2] / "examples" / "shop"


def test_a_shuffled_collection_is_put_into_a_safe_order(knotted: Project) -> None:
    shuffled = ["-p", "randomly", "--randomly-seed", "1"]
    knotted.pytest(*shuffled)
    assert knotted.ran != {"alone": NAMES}
    done = knotted.pytest("--unknot", *shuffled)
    assert done.status == 0, done.text
    assert knotted.ran == {"alone": NAMES}
    assert "unknot: tests run in a safe order, by unknot.lock.json (7 tests, 2 needs, 1 conflict)" in done.text


def test_it_needs_no_xdist(knotted: Project) -> None:
    done = knotted.pytest("--unknot", plugins=["unknot"])
    assert done.status == 0, done.text
    assert done.counts == {"passed": 7}
    assert knotted.ran == {"alone": NAMES}


def test_without_the_option_nothing_changes(knotted: Project) -> None:
    (knotted.directory / "unknot.lock.json").write_text("not JSON")
    done = knotted.pytest()
    assert done.status == 0
    assert "unknot:" not in done.text


def test_new_tests_run_last_and_are_named(knotted: Project) -> None:
    knotted.write("test_a_new.py", "import state\ndef test_new():\n    state.ran('new')\n")
    done = knotted.pytest("--unknot", "-n1")
    assert done.status == 0, done.text
    assert "unknot: not in the lock file, run last in their own order: 1 test: test_a_new.py::test_new" in done.text
    (ran,) = knotted.ran.values()
    assert ran == [*NAMES, "new"]
    done = knotted.pytest("--unknot", "-n2")
    assert done.counts == {"passed": 8}
    assert all("new" not in ran[:-1] for ran in knotted.ran.values())


def test_removed_tests_are_no_trouble(knotted: Project) -> None:
    text = (knotted.directory / "test_shop.py").read_text()
    knotted.write("test_shop.py", text[: text.index("def test_free")])
    done = knotted.pytest("--unknot", "-n2")
    assert done.status == 0, done.text
    assert done.counts == {"passed": 6}


def test_an_unfinished_lock_gives_the_suites_own_order_on_one_worker(knotted: Project) -> None:
    knotted.lock(KNOTTED, complete=False)
    done = knotted.pytest("--unknot", "-n2")
    assert done.status == 0, done.text
    assert list(knotted.ran.values()) == [NAMES]
    assert "unknot: the detection is unfinished: tests run in suite order on one worker" in done.text


@pytest.mark.parametrize(
    ("workers", "content", "message"),
    [
        ("-n0", None, "there is no such file; run unknot detect first"),
        ("-n2", None, "there is no such file; run unknot detect first"),
        ("-n0", "{", "run unknot detect again"),
        ("-n2", '{"format": 99}', "upgrade"),
    ],
)
def test_a_lock_that_cannot_be_read_stops_with_one_line_and_what_to_do(
    knotted: Project, workers: str, content: str | None, message: str
) -> None:
    path = knotted.directory / "unknot.lock.json"
    path.unlink() if content is None else path.write_text(content)
    done = knotted.pytest("--unknot", workers)
    assert done.status == 4
    (line,) = [line for line in done.text.splitlines() if line.startswith("ERROR")]
    assert "unknot.lock.json" in line
    assert message in line
    assert "Traceback" not in done.text


def test_the_lock_can_be_named(knotted: Project) -> None:
    (knotted.directory / "unknot.lock.json").rename(knotted.directory / "other.json")
    assert knotted.pytest("--unknot", "-n2", "--unknot-lock", "other.json").status == 0


def test_the_plugin_does_nothing_where_unknot_itself_runs_pytest(
    knotted: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project may have --unknot in its addopts; a detection must run the suite as it is."""
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", raising=False)
    (knotted.directory / "unknot.lock.json").unlink()
    options = ["-q", "--unknot", "-p", "no:randomly"]
    program = f"import os, sys, pytest; os.environ['UNKNOT_ANSWERS'] = 'x'; sys.exit(pytest.main({options}))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=knotted.directory, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_lives_with_all_plugins_that_are_installed(knotted: Project) -> None:
    """Loaded by its entry point, beside pytest-cov, pytest-timeout, pytest-randomly and others."""
    knotted.write("pytest.ini", "[pytest]\npythonpath = .\nasyncio_default_fixture_loop_scope = function\n")
    done = knotted.pytest("-n2", "--unknot", "--cov=state", "--timeout=60", autoload=True)
    assert done.status == 0, done.text
    assert done.counts == {"passed": 7}
    assert "100%" in done.text


def test_the_example_shop_is_red_on_plain_workers_and_green_on_lanes(tmp_path: Path) -> None:
    """Its tests also leave files behind. Workers share the disk, so each gets a folder of its own here, as any suite
    needs that is to run on workers."""
    shutil.copytree(SHOP, tmp_path / "shop", ignore=shutil.ignore_patterns("var", ".unknot", "__pycache__"))
    shop = Project.__new__(Project)
    shop.directory = tmp_path / "shop"
    settings = shop.directory / "shop" / "settings.py"
    own_folder = 'Path("var", os.environ.get("PYTEST_XDIST_WORKER", "alone"))'
    settings.write_text(settings.read_text().replace('Path("var")', own_folder))
    write_result(shop.directory / "unknot.lock.json", _true_dependencies(shop))
    assert shop.pytest("-n2", "--dist", "load", "--maxschedchunk", "1", "--rootdir=.").status == 1
    done = shop.pytest("-n3", "--unknot")
    assert done.status == 0, done.text
    assert done.counts == {"passed": 60}


def _true_dependencies(shop: Project) -> Dependencies:
    """What detection would find, from the example's own list of truths."""
    truth = parsed((shop.directory / "truth.json").read_text())
    listed = shop.pytest("--collect-only", "-q", "-p", "no:cacheprovider").text
    tests = tuple(TestId(line) for line in listed.splitlines() if "::" in line)
    assert len(tests) == 60
    assert isinstance(truth, dict)
    return Dependencies(
        Suite(tests),
        dict.fromkeys(tests, Outcome.PASSED),
        dict.fromkeys(tests, 0.01),
        tuple(Need(n["dependent"], tuple(n["any_of"]), _proof(n["dependent"])) for n in truth["needs"]),
        tuple(
            Conflict(c["victim"], tuple(c["polluters"]), tuple(c["cleaners"]), _proof(c["victim"]))
            for c in truth["conflicts"]
        ),
    )


def _proof(test: str) -> Proof:
    return Proof((TestId(test),), (TestId(test),))
