"""The Java example does what its list of dependencies says, in its own order and in others."""

import json
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest
from unknot.model.suite import TestId
from unknot.runners.command.listing import list_tests
from unknot.runners.command.slot import CommandSlotSpec
from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.junit.config import junit_spec
from unknot.runners.settings import Settings
from unknot.runners.workers.threads import ThreadWorkers

pytestmark = pytest.mark.foreign

_EXAMPLE = Path(__file__).parents[3] / "examples" / "junit"
_SKIPPED = "depot.AccountsTest#closesAccount"


@pytest.fixture
def example(tmp_path: Path, junit_jars: list[Path], cache: Path) -> Path:
    copy = tmp_path / "junit"
    shutil.copytree(_EXAMPLE, copy, ignore=shutil.ignore_patterns("target", "var", ".unknot"))
    subprocess.run([copy / "build.sh"], check=True)
    return copy


def test_the_example_does_what_its_truth_says(example: Path) -> None:
    settings = Settings(example, timeout=120)
    spec = junit_spec({}, example, "unknot.toml [junit]")
    listing = list_tests(spec, settings)
    tests = listing.suite.tests
    chance = random.Random(7)
    orders = [tests, tests[::-1], *(tuple(chance.sample(tests, len(tests))) for _ in range(2))]
    with SlotRunner(CommandSlotSpec(spec, None, settings), listing, ThreadWorkers(2)) as oracle:
        runs = list(oracle.run_orders([OrderRequest(order) for order in orders]))
    assert len(runs) == len(orders)
    for run in runs:
        assert [result.outcome for result in run.results] == _expected(run.order)


def _expected(order: Sequence[TestId]) -> list[Outcome]:
    truth = json.loads((_EXAMPLE / "truth.json").read_text())
    passed: list[str] = []
    outcomes = []
    for test in order:
        needs = [need["any_of"] for need in truth["needs"] if need["dependent"] == test]
        conflicts = [conflict for conflict in truth["conflicts"] if conflict["victim"] == test]
        works = all(set(any_of) & set(passed) for any_of in needs) and not any(
            _strikes(one, passed) for one in conflicts
        )
        outcomes.append(Outcome.SKIPPED if test == _SKIPPED else Outcome.PASSED if works else Outcome.FAILED)
        passed += [test] * works
    return outcomes


def _strikes(conflict: dict[str, list[str]], passed: list[str]) -> bool:
    if not set(conflict["polluters"]) <= set(passed):
        return False
    last = max(passed.index(polluter) for polluter in conflict["polluters"])
    return not set(conflict["cleaners"]) & set(passed[last:])
