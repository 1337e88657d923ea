"""`import unknot`: the Python API, as its page shows it."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import unknot
from unknot.app.api import values_of_options
from unknot.app.options import ProjectFiles, options_from
from unknot.model.dependencies import Dependencies
from unknot.model.run import Result
from unknot.model.suite import Suite, TestId

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
SUITE = """
done = []

def test_add():
    done.append(1)

def test_total():
    assert done

def test_prices():
    pass
"""
ADD, TOTAL = "test_shop.py::test_add", "test_shop.py::test_total"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, which is not the current directory."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.chdir(tmp_path)
    project = tmp_path / "shop"
    project.mkdir()
    (project / "pytest.ini").write_text("[pytest]\n")
    (project / "test_shop.py").write_text(SUITE)
    return project


def run_examples() -> dict[str, object]:
    names: dict[str, object] = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(code, str(PAGE), "exec"), names)
    return names


def test_the_examples_of_the_page_work_inside_a_running_event_loop(
    shop: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (shop.parent / "elsewhere").mkdir()

    async def notebook() -> dict[str, object]:
        return run_examples()

    names = asyncio.run(notebook())

    found, plan, done = names["found"], names["plan"], names["done"]
    assert isinstance(found, unknot.Dependencies)
    assert [(need.dependent, need.any_of) for need in found.needs] == [(TOTAL, (ADD,))]
    assert found.complete
    assert isinstance(plan, unknot.Plan)
    assert {test for lane in plan.lanes for test in lane.tests} == set(found.suite.tests)
    assert isinstance(done, unknot.SuiteRun)
    assert done.passed
    assert set(done.results) == set(found.suite.tests)
    assert (shop / "unknot.lock.json").exists()
    assert (shop / ".unknot").is_dir()
    out, err = capfd.readouterr()
    assert out.splitlines() == [
        f"{TOTAL} needs {ADD}",
        "complete: True",
        *[f"{len(lane.tests)} tests" for lane in plan.lanes],
        f"predicted: {plan.predicted_seconds:.1f} s",
        *[f"passed {test}" for test in found.suite.tests],
        "passed: True",
        f"there is no {shop.parent / 'elsewhere' / 'unknot.lock.json'} to plan by Run `unknot detect` first.",
    ]
    assert err == ""


def test_options_of_the_configuration_hold_unless_others_are_given(shop: Path) -> None:
    (shop / "unknot.toml").write_text('lock = "found.json"\nalgorithm = "isolate"\nworkers = 1\ntrace = false\n')
    found = unknot.detect(shop / "test_shop.py", max_orders=20, lock="other.json")
    assert found.cost.algorithm == "isolate"
    assert not (shop / "found.json").exists()
    assert (shop / "other.json").exists()


def test_files_of_the_configuration_count_from_the_project(shop: Path) -> None:
    (shop / "unknot.toml").write_text('durations-file = "times.json"\nstate-dir = "kept"\n')
    given = {"path": shop, "paths": (), "pytest_options": (), "lock": "found.json", "workers": None}
    files = options_from(ProjectFiles, values_of_options(given))
    assert files == ProjectFiles(lock=shop / "found.json", state_dir=shop / "kept", durations_file=shop / "times.json")


def test_wrong_options_are_usage_errors_that_name_no_flag(shop: Path) -> None:
    with pytest.raises(unknot.UsageError, match="`thorough` and `max-seconds` contradict") as caught:
        unknot.detect(shop, thorough=True, max_seconds=1.0)
    assert "--" not in caught.value.message + caught.value.hint
    with pytest.raises(unknot.UsageError, match="no such file or directory"):
        unknot.detect(shop / "nowhere")
    with pytest.raises(unknot.UsageError, match="there is no planner `clever`"):
        unknot.plan(Dependencies(Suite((TestId("a"),)), {}, {}), planner="clever")


def test_an_interrupted_search_gives_what_was_found_and_records_nothing(shop: Path) -> None:
    class Interrupts(unknot.ProgressListener):
        tests = 0

        def after_test(self, _test: TestId, _result: Result) -> None:
            self.tests += 1
            if self.tests == 2:
                raise KeyboardInterrupt

    found = unknot.detect(shop, workers=1, progress=Interrupts())
    assert not found.complete
    assert (shop / "unknot.lock.json").exists()
    assert not (shop / ".unknot" / "recording.json").exists()
    resumed = unknot.detect(shop, workers=1, trace=False)
    assert resumed.complete
    assert [need.dependent for need in resumed.needs] == [TOTAL]


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, unknot; print([name for name in sys.modules if name.startswith('unknot')])"
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == "['unknot']"


def test_functions_and_packages_of_one_name_live_together() -> None:
    code = (
        "import unknot, unknot.detect.engine.session as session, unknot.plan.check\n"
        "from unknot.detect import algorithms\n"
        "from unknot import detect\n"
        "assert callable(unknot.detect) and callable(unknot.plan) and callable(detect)\n"
        "assert unknot.detect.engine.session is session and unknot.detect.algorithms is algorithms\n"
        "assert unknot.plan.__name__ == 'plan'\n"
        "assert 'workers' in __import__('inspect').signature(unknot.plan).parameters\n"
        "assert {'detect', 'plan', 'run', 'UnknotError'} <= set(dir(unknot))\n"
        "assert not hasattr(unknot, 'nothing')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
