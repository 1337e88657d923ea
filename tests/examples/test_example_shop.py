"""The shop's own list of dependencies says what its tests do in any order, and a detection finds exactly that list."""

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from unknot.model.suite import Order, TestId
from unknot.oracle.simulated import HiddenConflict, HiddenTruth

SHOP = Path(__file__).parents[2] / "examples" / "shop"
HELPERS = Path(__file__).parents[1]
QUICK = """
from shop import courier, labels, mail, passwords
passwords.ROUNDS = 1
courier.PAUSES = (0, 0, 0)
labels.WIDTH = labels.HEIGHT = 60
mail.PER_SECOND = 10_000
"""
"""What takes long decides nothing."""

pytestmark = pytest.mark.skipif(not SHOP.exists(), reason="the example is not part of an installed package")


def truth() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((SHOP / "truth.json").read_text(encoding="utf-8"))
    return table


def hidden_truth() -> HiddenTruth:
    table = truth()
    needs: dict[TestId, tuple[frozenset[TestId], ...]] = {}
    for need in table["needs"]:
        needs[need["dependent"]] = (*needs.get(need["dependent"], ()), frozenset(need["any_of"]))
    conflicts = [
        HiddenConflict(known["victim"], frozenset(known["polluters"]), frozenset(known["cleaners"]))
        for known in table["conflicts"]
    ]
    return HiddenTruth(needs, tuple(conflicts))


def copied(target: Path) -> Path:
    ignored = shutil.ignore_patterns("var", ".*", "*.lock.json", "__pycache__")
    return Path(shutil.copytree(SHOP, target / "shop", ignore=ignored))


def plain_pytest(shop: Path, *options: str, **environment: str) -> str:
    """Without the plugins that are installed here; fails if pytest could not run."""
    path = os.pathsep.join([str(HELPERS), str(shop)])
    known = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": path, **environment}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=shop, env=known, capture_output=True, text=True, check=True).stdout


def collected(shop: Path) -> Order:
    listed = plain_pytest(shop, "--collect-only")
    return tuple(TestId(line) for line in listed.splitlines() if "::" in line)


def unforeseen(shop: Path, orders: list[Order]) -> list[str]:
    """Each outcome that the truth did not predict."""
    asked = shop / "orders.json"
    asked.write_text(json.dumps(orders), encoding="utf-8")
    (shop / "quick.py").write_text(QUICK, encoding="utf-8")
    plain_pytest(shop, "-p", "forked_orders", "-p", "quick", FORKED_ORDERS=str(asked))
    hidden, wrong = hidden_truth(), []
    for order, passed in zip(orders, json.loads(asked.with_suffix(".passed").read_text()), strict=True):
        for place, outcome in enumerate(hidden.outcomes(order, random.Random(0))):
            test = order[place]
            if outcome.is_bad is passed[place]:
                wrong.append(f"{test} {'passes' if passed[place] else 'fails'} after {' '.join(order[:place])}")
    return wrong


def random_orders(tests: Order, many: int, seed: int) -> list[Order]:
    chance = random.Random(seed)
    return [tuple(chance.sample(tests, chance.randint(3, len(tests)))) for _ in range(many)]


def test_the_truth_says_what_each_test_does_alone_and_in_random_orders(tmp_path: Path) -> None:
    shop = copied(tmp_path)
    tests = collected(shop)
    assert unforeseen(shop, [tests, *((test,) for test in tests), *random_orders(tests, 60, 1)]) == []
