"""The library of `examples/webapp` in a real browser: it comes up and is put back, both suites are those of their
truth, and a handful of its dependencies show. A whole detection takes minutes: see `bench/web`."""

import json
import os
import shutil
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from unknot.model.run import OrderRequest
from unknot.model.suite import Order, TestId
from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.sandbox.sandbox import OpenSandbox
from unknot.runners.settings import Settings
from unknot.runners.sut.config import instance_spec
from unknot.runners.sut.instance import Instance
from unknot.runners.sut.spec import InstanceSpec

EXAMPLE = Path(__file__).parents[2] / "examples" / "webapp"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed"),
    pytest.mark.skipif(shutil.which("chromedriver") is None, reason="chromedriver is not installed"),
]

PROOFS = {
    "playwright_suite": """
        add_reader !borrow_book close_registration !register_as_visitor
        create_list remove_list !put_book_on_list !list_is_served_as_json

        add_category add_book_to_category !borrow_book !front_page_shows_recommended_book
        close_registration open_registration register_as_visitor login_as_registered_visitor

        add_reader add_category add_book_to_category borrow_book
        recommend_book_from_its_page front_page_shows_recommended_book

        recommend_book_from_list front_page_shows_recommended_book
        create_list put_book_on_list list_is_served_as_json
    """,
    "selenium_suite": """
        02_add_category 03_add_book !01_borrow_book 01_create_list !05_list_shows_book
        02_rename_library !01_title_has_library_name

        01_register_member !01_borrow_book 02_rename_library 03_give_library_its_name_back 01_title_has_library_name
        01_create_list 04_put_book_on_list_through_api 05_list_shows_book

        02_add_category 03_add_book 01_register_member 01_borrow_book
        01_create_list 03_put_book_on_list 05_list_shows_book

        13_add_booklet !01_science_has_one_book 15_remove_booklet !14_search_booklet_by_author
    """,
}
"""Orders by the ends of the tests' names, apart by empty lines; those with an exclamation mark fail there."""


@dataclass(frozen=True)
class Browsing:
    """A suite of the example, collected by a pytest that has a library and a browser."""

    oracle: SlotRunner
    tests: Order
    truth: dict[str, Any]
    proofs: Sequence[Sequence[str]]

    def named(self, end: str) -> TestId:
        (test,) = (test for test in self.tests if test.rpartition("::test_")[2] == end.removeprefix("!"))
        return test


def configured() -> InstanceSpec:
    table = tomllib.loads((EXAMPLE / "unknot.toml").read_text(encoding="utf-8"))
    return instance_spec(table["instance"], "unknot.toml")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy. The configuration says `python`, which is the one that runs this."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PATH", os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
        patched.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        left = shutil.ignore_patterns(".unknot", "unknot.lock.json", "__pycache__", ".pytest_cache")
        yield Path(shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("example") / "webapp", ignore=left))


@pytest.fixture(scope="module", params=list(PROOFS))
def browsing(example: Path, request: pytest.FixtureRequest) -> Iterator[Browsing]:
    suite: str = request.param
    pytest.importorskip(suite.partition("_")[0], reason="what the suite is written with is not installed")
    truth = json.loads((example / suite / "truth.json").read_text(encoding="utf-8"))
    proofs = [order.split() for order in PROOFS[suite].split("\n\n")]
    with open_suite(Settings(example, paths=(suite,), instance=configured()), fork=True) as opened:
        yield Browsing(opened.runner, opened.collected.suite.tests, truth, proofs)


def test_the_library_comes_up_and_is_put_back(example: Path) -> None:
    sandbox = OpenSandbox()
    try:
        instance = Instance(configured(), sandbox.sandbox, example, dict(os.environ))
        try:
            instance.begin()
            url = f"http://127.0.0.1:{instance.placeholders['port0']}"
            with urllib.request.urlopen(f"{url}/register", b"name=eve&full_name=Eve&password=eve-secret") as answer:
                assert b"You can log in as eve now." in answer.read()
            with pytest.raises(urllib.error.HTTPError) as taken:
                urllib.request.urlopen(f"{url}/register", b"name=eve&full_name=Eve&password=eve-secret")
            assert b"The name eve is taken." in taken.value.read()
            taken.value.close()
            instance.reset()
            with urllib.request.urlopen(f"{url}/register", b"name=eve&full_name=Eve&password=eve-secret") as answer:
                assert answer.status == 200
        finally:
            instance.stop()
    finally:
        sandbox.close()


def test_the_truth_is_about_the_tests_that_there_are(browsing: Browsing) -> None:
    assert list(browsing.tests) == browsing.truth["tests"]
    needs, conflicts = browsing.truth["needs"], browsing.truth["conflicts"]
    named = [test for need in needs for test in (need["dependent"], *need["any_of"])]
    named += [test for each in conflicts for test in (each["victim"], *each["polluters"], *each["cleaners"])]
    assert set(named) <= set(browsing.tests)


def test_dependencies_show_in_a_real_browser(browsing: Browsing) -> None:
    orders = [tuple(browsing.named(end) for end in proof) for proof in browsing.proofs]
    runs = {run.order: run for run in browsing.oracle.run_orders([OrderRequest(order) for order in orders])}
    for order, proof in zip(orders, browsing.proofs, strict=True):
        found = [
            f"{end.removeprefix('!')} {result.outcome}" for end, result in zip(proof, runs[order].results, strict=True)
        ]
        wanted = [f"{end.removeprefix('!')} {'failed' if end.startswith('!') else 'passed'}" for end in proof]
        assert found == wanted
