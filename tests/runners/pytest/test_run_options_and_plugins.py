"""Options and plugins that would run other tests, in another order, elsewhere or not at all."""

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.run import OrderRequest, Run
from unknot.model.suite import TestId
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], Path]
Ask = Callable[..., list[Run]]

SOURCE = """
    done = []
    def test_a(): done.append("a")
    def test_b(): assert done == ["a"]
    def test_c(): assert False
    def test_d(): done.append("d")
    def test_e(): assert done == ["d"]
"""
A, B, C, D, E = (f"test_it.py::test_{letter}" for letter in "abcde")


def needs(*modules: str) -> None:
    for module in modules:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")


def letters(run: Run) -> str:
    return "".join(result.outcome.value[0] for result in run.results)


@pytest.mark.parametrize(
    ("options", "modules"),
    [
        ("-x", ()),
        ("--lf --ff --nf", ()),
        ("--sw", ()),
        ("-q -q -q -s -rA --durations=3 --tb=no --maxfail=1", ()),
        ("--pdb", ()),
        ("--trace", ()),
        ("--junitxml=out.xml --basetemp=here -p no:cacheprovider", ()),
        ("-p no:terminal", ()),
        ("--setup-show --collect-only", ()),
        ("--cov --cov-fail-under=100", ("pytest_cov",)),
        ("--cov=test_it --cov-report=html --cov-branch", ("pytest_cov",)),
        ("-p randomly --randomly-seed=last", ("pytest_randomly",)),
        ("--random-order", ("random_order",)),
        ("--random-order-bucket=global --random-order-seed=3", ("random_order",)),
        ("-n auto --cov -x -q", ("xdist", "pytest_cov")),
    ],
    ids=str,
)
def test_the_order_is_as_requested_whatever_the_project_says(
    write: Write, monkeypatch: pytest.MonkeyPatch, options: str, modules: tuple[str, ...]
) -> None:
    needs(*modules)
    if modules:
        monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    directory = write({"test_it.py": SOURCE, "pytest.ini": f"[pytest]\naddopts = {options}\n"})
    asked = [[C, A, B], [A, B, C, D, E], [C, D, E], [B], [E, D, C, B, A]]
    if options == "-x":
        # What is set inside is the same in both modes; a fresh start has its price.
        assert answers(directory, asked[:1], fork=False) == ["fpp"]
    assert answers(directory, asked, fork=True) == ["fpp", "ppfpf", "fpp", "f", "fpffp"]
    assert not (directory / "out.xml").exists()


def answers(directory: Path, orders: list[list[str]], *, fork: bool) -> list[str]:
    with open_suite(Settings(directory), fork=fork) as opened:
        assert opened.collected.suite.tests == (A, B, C, D, E)
        requests = [OrderRequest(tuple(map(TestId, order))) for order in orders]
        found = {run.request: letters(run) for run in opened.runner.run_orders(requests)}
        return [found[request] for request in requests]


def test_plugins_that_are_only_installed_do_no_harm(write: Write, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("xdist", "pytest_cov", "pytest_randomly", "random_order", "pytest_timeout", "pytest_django", "pytest_asyncio")
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    directory = write({"test_it.py": SOURCE})
    assert [letters(run) for run in ask(directory, [C, A, B], [E, D])] == ["fpp", "fp"]


def test_a_test_that_pytest_timeout_stops_fails(write: Write, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("pytest_timeout")
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    source = "import time\ndef test_hangs(): time.sleep(1000)\ndef test_after(): pass"
    directory = write({"test_it.py": source, "pytest.ini": "[pytest]\ntimeout = 0.2\n"})
    assert [letters(run) for run in ask(directory)] == ["fp"]


def test_random_numbers_of_pytest_randomly_are_the_same_in_every_process(
    write: Write, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("pytest_randomly")
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    directory = write({"test_it.py": "import random\ndef test_it(): assert False, random.random()"})
    told = {run.results[0].story.splitlines()[-1] for run in ask(directory, attempts=2, workers=2)}
    assert len(told) == 1


@pytest.mark.parametrize(
    ("options", "modules"),
    [("-x", ()), ("-n 2", ("xdist",)), ("-p randomly", ("pytest_randomly",)), ("--random-order", ("random_order",))],
    ids=str,
)
def test_a_plain_pytest_does_the_same_with_the_options_that_are_listed(
    write: Write, monkeypatch: pytest.MonkeyPatch, options: str, modules: tuple[str, ...]
) -> None:
    needs(*modules)
    if modules:
        monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    directory = write({"test_it.py": SOURCE, "pytest.ini": f"[pytest]\naddopts = {options}\n"})
    with open_suite(Settings(directory)) as opened:
        by_hand = opened.collected.by_hand
    command = [sys.executable, "-m", "pytest", *by_hand, "-v", "--tb=no", E, D, C, B, A]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    lines = [line.split()[:2] for line in done.stdout.splitlines() if line.startswith("test_it.py::")]
    assert lines == [[E, "FAILED"], [D, "PASSED"], [C, "FAILED"], [B, "FAILED"], [A, "PASSED"]]


def test_options_of_the_user_reach_pytest(write: Write, ask: Ask) -> None:
    directory = write({"test_it.py": SOURCE, "sub/test_other.py": "def test_other(): pass"})
    (run,) = ask(directory, options=("-k", "test_a or test_other"), paths=("test_it.py", "sub"))
    assert run.order == (A, "sub/test_other.py::test_other")
    (run,) = ask(directory, paths=(str(directory / "sub"),))
    assert run.order == ("sub/test_other.py::test_other",)


def test_a_root_that_follows_from_the_paths_is_the_same_in_fresh_processes(write: Write, ask: Ask) -> None:
    files = {"one/setup.cfg": "[tool:pytest]\n", "one/sub/test_a.py": "def test_a(): pass", "two/test_b.py": SOURCE}
    directory = write({**files, "pytest.ini": "", "one/sub/pytest.ini": "[pytest]\n"})
    (directory / "pytest.ini").unlink()
    (whole,) = ask(directory, paths=("one", "two"))
    (part,) = ask(directory, [whole.order[0]], paths=("one", "two"))
    assert part.order == (whole.order[0],)
    assert letters(part) == "p"


def test_a_file_that_needs_another_to_be_collected_first_is_collected_with_it(write: Write, ask: Ask) -> None:
    first = "import sys\nsys.first = True\ndef test_1(): pass"
    directory = write({"test_1.py": first, "test_3.py": "import sys\nassert sys.first\ndef test_3(): pass"})
    runs = ask(directory, ["test_3.py::test_3"], ["test_3.py::test_3", "test_1.py::test_1"])
    assert [letters(run) for run in runs] == ["p", "pp"]
