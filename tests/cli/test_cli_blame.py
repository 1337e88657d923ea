"""`unknot blame` on real projects: from a seed, a log, a JUnit file, a list, or nothing."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.errors import CollectionError
from unknot.runners.pytest.shuffled_order import shuffled_order
from unknot.runners.settings import Settings

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], None]
Unknot = Callable[..., subprocess.CompletedProcess[str]]

SHOP = {
    "shop.py": "mode = 'slow'\ncart = []\n",
    "test_shop.py": """
        import random
        import shop

        def test_mode():
            assert shop.mode == "slow"

        def test_add():
            shop.cart.append("apple")

        def test_pay():
            shop.mode = "fast"

        def test_total():
            assert shop.cart

        def test_luck():
            assert random.SystemRandom().random() < 0.5

        def test_wrong():
            assert shop.mode == "never"
    """,
}
MODE, ADD, PAY, TOTAL = (f"test_shop.py::test_{name}" for name in ("mode", "add", "pay", "total"))


@pytest.fixture
def shop(write: Write, project: Path) -> Path:
    write(SHOP)
    return project


def _answer(unknot: Unknot, *words: str, code: int = 1) -> dict[str, object]:
    done = unknot("blame", *words, "--no-reason", "--format", "json")
    assert done.returncode == code, done.stderr
    document: dict[str, object] = json.loads(done.stdout)
    return document


def _claims(document: dict[str, object]) -> list[tuple[str, list[str]]]:
    claims = document["claims"]
    assert isinstance(claims, list)
    return [(claim["relation"], claim["tests"]) for claim in claims]


def test_the_answer_has_the_line_the_commands_and_a_tried_change(shop: Path, unknot: Unknot) -> None:
    done = unknot("blame", "test_mode")

    assert done.returncode == 1
    assert done.stdout.startswith(f"{MODE} is broken by {PAY}.\n")
    assert "leaves `shop.mode` = 'fast' (test_shop.py:" in done.stdout
    assert f"{PAY} {MODE}\n" in done.stdout
    assert "tried: the dependency is gone and nothing else changed" in done.stdout
    assert "+@pytest.mark.usefixtures" in done.stdout
    assert not (shop / "unknot.lock.json").exists()


def test_setters_flaky_tests_and_failing_tests_are_told_apart(shop: Path, unknot: Unknot) -> None:
    setter = _answer(unknot, "test_total")
    assert (setter["verdict"], _claims(setter)) == ("dependent", [("needs", [ADD])])
    assert _answer(unknot, "test_luck")["verdict"] == "flaky"
    assert _answer(unknot, "test_wrong")["verdict"] == "failing"
    assert _answer(unknot, "test_add", code=0)["verdict"] == "passing"


@pytest.mark.parametrize(
    ("option", "content"),
    [
        ("--order", f"{PAY}\ntest_shop.py::test_gone\n{MODE}\n{ADD}\n"),
        ("--log", f"2026-01-01T00:00:00Z {PAY} PASSED  [ 50%]\n\x1b[31m{MODE} FAILED\x1b[0m [100%]\n"),
        ("--log", f"[gw1] [ 20%] PASSED {ADD} \n[gw0] [ 50%] PASSED {PAY} \n[gw0] [100%] FAILED {MODE} \n"),
    ],
    ids=["ids", "verbose log", "xdist log"],
)
def test_the_order_of_a_failed_run_is_taken_from_a_file(shop: Path, unknot: Unknot, option: str, content: str) -> None:
    (shop / "failed").write_text(content)

    document = _answer(unknot, "test_mode", option, "failed")

    assert _claims(document) == [("broken by", [PAY])]
    assert {"what": "the order in failed", "outcome": "failed"} in document["tried"]  # type: ignore[operator]


def test_a_junit_file_of_pytest_is_read(shop: Path, unknot: Unknot) -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "--junitxml=failed.xml", PAY, MODE]
    subprocess.run(words, cwd=shop, check=False, capture_output=True)

    document = _answer(unknot, "test_mode", "--junit", "failed.xml")

    assert {"what": "the order in failed.xml", "outcome": "failed"} in document["tried"]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("option", "words", "module"),
    [
        ("--seed", ["-p", "randomly", "--randomly-seed"], "pytest_randomly"),
        ("--random-order-seed", ["-p", "no:randomly", "-p", "random_order", "--random-order-seed"], "random_order"),
    ],
)
def test_a_seed_gives_the_order_of_its_plugin(
    shop: Path, unknot: Unknot, option: str, words: list[str], module: str
) -> None:
    pytest.importorskip(module)

    def order(seed: int) -> list[str]:
        *first, last = words
        run = [sys.executable, "-m", "pytest", "--collect-only", "-q", *first, f"{last}={seed}"]
        output = subprocess.run(run, cwd=shop, check=False, capture_output=True, text=True).stdout
        return [line for line in output.splitlines() if "::" in line]

    seed = next(seed for seed in range(20) if order(seed).index(PAY) < order(seed).index(MODE))

    document = _answer(unknot, "test_mode", option, str(seed))

    assert _claims(document) == [("broken by", [PAY])]
    assert [each["outcome"] for each in document["tried"] if "seed" in each["what"]] == ["failed"]  # type: ignore[attr-defined]


def test_save_adds_to_the_lock_file(shop: Path, unknot: Unknot) -> None:
    lock = shop / "unknot.lock.json"
    missing = unknot("blame", "test_mode", "--save", "--no-reason")
    assert (missing.returncode, lock.exists()) == (4, False)
    unknot("detect", "--max-orders", "1")
    before = json.loads(lock.read_text())

    _answer(unknot, "test_mode")
    assert json.loads(lock.read_text()) == before
    assert _answer(unknot, "test_mode", "--save")["saved"] is True

    assert [each["polluters"] for each in json.loads(lock.read_text())["conflicts"]] == [[PAY]]


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        (["test_nothing"], "no-such-test"),
        (["test_"], "test-ambiguous"),
        (["test_mode", "--order", "missing"], "file-unreadable"),
        (["test_mode", "--log", "shop.py"], "order-lacks-test"),
    ],
)
def test_bad_input_is_named(shop: Path, unknot: Unknot, words: list[str], slug: str) -> None:
    done = unknot("blame", *words)

    assert done.returncode == 4
    assert f"error[{slug}]" in done.stderr


def test_a_plugin_that_cannot_shuffle_is_named(shop: Path) -> None:
    with pytest.raises(CollectionError, match="no-such-option") as caught:
        shuffled_order(Settings(directory=shop), ["--no-such-option"], "pytest-randomly")

    assert caught.value.slug == "shuffle-failed"
