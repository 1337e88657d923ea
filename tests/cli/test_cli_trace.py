"""`detect` with a recording, as users run it: reasons, what is saved, and what happens if there can be no recording."""

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from unknot.model.outcome import Outcome
from unknot.report.reasons import sentence
from unknot.store.lock import read_lock

pytestmark = pytest.mark.slow

Write = Callable[[Mapping[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

CART = """\
CART = {}
CACHE = {}


def add(who, what):
    CART.setdefault(who, []).append(what)


def price(what):
    if what not in CACHE:
        CACHE[what] = len(what)
    return CACHE[what]
"""

TESTS = """\
import cart


def test_price():
    assert cart.price("pear") == 4


def test_add():
    cart.add("alice", "pear")


def test_total():
    assert cart.CART["alice"] == ["pear"]


def test_price_again():
    assert cart.price("pear") == 4


def test_of_nothing():
    assert cart.__name__ == "cart"
"""

BECAUSE = "test_add leaves `cart.CART['alice']` = ['pear'] (cart.py:6, called from test_cart.py:9); test_total reads it"


FILES = {"pytest.ini": "[pytest]\npythonpath = .\n", "cart.py": CART, "test_cart.py": TESTS}


@pytest.fixture
def shop(write: Write) -> None:
    write(FILES)


@pytest.fixture
def detected(detected_once: Callable[..., Any], project: Path) -> Unknot:
    """Makes the project one on which `detect` has run with these options, and returns what that printed."""

    def start(*options: str) -> subprocess.CompletedProcess[str]:
        known = detected_once(FILES, *options)
        known.copy_to(project)
        done: subprocess.CompletedProcess[str] = known.done
        return done

    return start


def test_a_dependency_gets_its_reason_by_itself(detected: Unknot, traced_unknot: Unknot, project: Path) -> None:
    done = detected()
    assert BECAUSE in done.stdout, done.stdout + done.stderr
    lock = read_lock(project / "unknot.lock.json")
    assert BECAUSE in sentence(lock.needs[0].why[0])
    assert BECAUSE in traced_unknot("explain", "test_total", "--no-try").stdout


def test_a_second_detection_changes_nothing(detected: Unknot, traced_unknot: Unknot, project: Path) -> None:
    detected()
    before = (project / "unknot.lock.json").read_bytes()
    done = traced_unknot("detect")
    assert "recording" not in done.stderr
    assert BECAUSE in done.stdout
    assert (project / "unknot.lock.json").read_bytes() == before


def test_recording_first_says_what_flows(detected: Unknot) -> None:
    done = detected("--trace")
    assert "recorded: 1 test pair sharing state, and 1 flow through caches" in done.stderr
    assert done.stderr.index("recorded: ") < done.stderr.index("running the reference order")
    assert BECAUSE in done.stdout


def test_where_every_order_is_expensive_it_records_beside_the_first_one(traced_unknot: Unknot, write: Write) -> None:
    write({**FILES, "test_cart.py": TESTS.partition("\n\ndef test_price_again")[0]})
    done = traced_unknot("detect", "--runner", "fresh")
    assert done.stderr.index("running the suite backwards") < done.stderr.index("recorded: 1 test pair")
    assert BECAUSE in done.stdout


@pytest.mark.usefixtures("shop")
def test_with_trust_only_recorded_pairs_are_tried(traced_unknot: Unknot) -> None:
    done = traced_unknot("detect", "--trust-trace")
    assert "trusting the recording: 4 of 5 tests were tried" in done.stdout
    assert BECAUSE in done.stdout
    assert done.returncode == 10


@pytest.mark.usefixtures("shop")
def test_without_a_recording_there_are_no_reasons(traced_unknot: Unknot, project: Path) -> None:
    done = traced_unknot("detect", "--no-trace")
    assert "because" not in done.stdout
    assert not (project / ".unknot" / "recording.json").exists()
    output = traced_unknot("explain", "test_total")
    assert "unknot detect --trace" in output.stdout + output.stderr


@pytest.mark.usefixtures("shop")
def test_the_configuration_may_say_so_too(traced_unknot: Unknot, write: Write) -> None:
    write({"pyproject.toml": "[tool.unknot]\ntrace = false\n"})
    assert "because" not in traced_unknot("detect").stdout


@pytest.mark.usefixtures("shop")
def test_stopped_locations_do_not_count(traced_unknot: Unknot, write: Write) -> None:
    write({"pyproject.toml": '[tool.unknot]\ntrace-stop = """\ncart.CART*\n"""\n'})
    done = traced_unknot("detect", "--trace")
    assert "recorded: 0 test pairs" in done.stderr
    assert "test_total" in done.stdout
    assert BECAUSE not in done.stdout


def test_pollution_ranks_what_is_left(detected: Unknot, traced_unknot: Unknot) -> None:
    detected("--trace")
    left = json.loads(traced_unknot("pollution", "--format", "json").stdout)
    assert "cart.CART['alice']" in json.dumps(left)
    assert "test_add" in traced_unknot("pollution").stdout


def test_a_test_that_ends_the_process_is_left_out_and_named(traced_unknot: Unknot, write: Write) -> None:
    ends = TESTS + "\n\ndef test_ends():\n    import os\n    os._exit(3)\n"
    write({**FILES, "test_cart.py": ends})
    done = traced_unknot("detect", "--trace")
    assert "test_ends: left out, as it ends the process" in done.stderr
    assert BECAUSE in done.stdout


def test_a_suite_that_cannot_be_recorded_is_searched_all_the_same(traced_unknot: Unknot, write: Write) -> None:
    refuses = "import sys\n\ndef pytest_runtestloop(session):\n"
    refuses += "    if 'unknot.runners.pytest.inside.recorder' in sys.modules:\n"
    write({**FILES, "conftest.py": refuses + "        raise SystemExit(7)\n"})
    done = traced_unknot("detect", "--trace")
    assert "the suite could not be recorded" in done.stderr
    assert "test_total" in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize(
    "options", [("--trust-trace", "--no-trace"), ("--thorough", "--trust-trace")], ids=lambda options: options[0]
)
@pytest.mark.usefixtures("shop")
def test_contradictions_are_named(traced_unknot: Unknot, options: tuple[str, ...]) -> None:
    done = traced_unknot("detect", *options)
    assert "contradict each other" in done.stderr
    assert done.returncode == 4


@pytest.mark.usefixtures("shop")
def test_without_the_compiled_parts_it_says_so(traced_unknot: Unknot, tmp_path: Path) -> None:
    """As after an installation without a compiler: the modules cannot be found."""
    blocker = tmp_path / "blocker"
    blocker.mkdir()
    (blocker / "sitecustomize.py").write_text(
        "import sys\n"
        "class Blocker:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.startswith('unknot.recorder.native._'):\n"
        "            raise ModuleNotFoundError(name, name=name)\n"
        "sys.meta_path.insert(0, Blocker())\n"
    )
    done = traced_unknot("detect", "--trace", PYTHONPATH=f"{blocker}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    assert "memory is not recorded" in done.stderr
    assert "no C compiler" in done.stderr
    assert "memory was not recorded, as unknot was installed without its parts in C" in " ".join(done.stdout.split())
    assert done.returncode == 1
    # What was known before stays, and with the parts in C it is recorded at last.
    again = traced_unknot("detect")
    assert BECAUSE in " ".join(again.stdout.split())


@pytest.mark.usefixtures("shop")
def test_a_detection_that_ended_before_the_recording_gets_its_reasons_from_the_next(
    unknot: Unknot, traced_unknot: Unknot
) -> None:
    """As if it had been killed while it recorded: the lock file is written before that."""
    assert "because" not in unknot("detect").stdout
    done = traced_unknot("detect")
    assert BECAUSE in " ".join(done.stdout.split())
    assert "recorded:" not in traced_unknot("detect").stderr


@pytest.mark.usefixtures("shop")
def test_a_suite_that_cannot_be_recorded_is_tried_once(write: Write, traced_unknot: Unknot) -> None:
    raising = "if config.pluginmanager.has_plugin('unknot-recorder'): raise RuntimeError('not me')"
    write({"conftest.py": f"def pytest_configure(config):\n    {raising}\n"})
    assert "could not be recorded" in traced_unknot("detect").stderr
    assert "could not be recorded" not in traced_unknot("detect").stderr


def test_a_test_that_fails_only_while_it_is_recorded_is_expected_to_pass(
    write: Write, traced_unknot: Unknot, project: Path
) -> None:
    """The suite is so large that its recorded run could stand for the reference order."""
    many = "import sys\nimport pytest\n\n\n@pytest.mark.parametrize('n', range(400))\ndef test_many(n):\n    pass\n"
    alone = "\n\ndef test_unrecorded():\n    assert 'unknot.recorder.inside.state_recorder' not in sys.modules\n"
    write({"test_many.py": many + alone})

    done = traced_unknot("detect", "-n", "2")

    found = read_lock(project / "unknot.lock.json")
    assert (found.complete, found.has_any, found.flaky) == (True, False, ())
    assert set(found.outcomes.values()) == {Outcome.PASSED}
    assert "test_unrecorded failed while it was recorded, passed otherwise" in done.stderr
