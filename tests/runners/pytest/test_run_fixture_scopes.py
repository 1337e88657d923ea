"""Fixtures of every scope are set up and torn down as a plain pytest with the same ids in the same order would."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import TestId
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], Path]
Ask = Callable[..., list[Run]]

CONFTEST = """
    import json, os
    import pytest

    # Opened before any test, and written without a trace, so that the runner may share prefixes. Every line holds all
    # that this process and the processes it was forked from have seen.
    journal = os.open(os.environ["SCOPES_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    seen = []

    def saw(*event):
        seen.append(event)
        os.write(journal, json.dumps(seen).encode() + b"\\n")

    def pytest_runtest_logstart(nodeid):
        saw("start", nodeid)

    def logged(scope, name=None, **options):
        def set_up(request):
            saw("set up", scope, name, getattr(request, "param", None))
            yield
            saw("tear down", scope, name, getattr(request, "param", None))
        set_up.__name__ = name or f"{scope}_fixture"
        return pytest.fixture(scope=scope, name=set_up.__name__, **options)(set_up)

    session_fixture = logged("session")
    package_fixture = logged("package")
    module_fixture = logged("module")
    class_fixture = logged("class")
    every_function = logged("function", "every_function", autouse=True)
    every_module = logged("module", "every_module", autouse=True)
    every_session = logged("session", "every_session", autouse=True)
    chosen = logged("session", "chosen", params=["x", "y"])
    chosen_module = logged("module", "chosen_module", params=[1, 2])

    IS_THE_CONFTEST = True
"""

MODULE = """
    import unittest
    import conftest_saw

    saw = conftest_saw.saw

    def setup_module(module): saw("setup_module", module.__name__)
    def teardown_module(module): saw("teardown_module", module.__name__)

    def test_plain(): pass
    def test_session(session_fixture): pass
    def test_package(package_fixture, module_fixture): pass
    def test_chosen(chosen): pass
    def test_chosen_module(chosen_module, session_fixture): pass

    class TestClass:
        def setup_class(cls): saw("setup_class")
        def teardown_class(cls): saw("teardown_class")
        def setup_method(self): saw("setup_method")
        def test_one(self, class_fixture): pass
        def test_two(self, class_fixture, module_fixture): pass

    class Old(unittest.TestCase):
        @classmethod
        def setUpClass(cls): saw("setUpClass")
        @classmethod
        def tearDownClass(cls): saw("tearDownClass")
        def setUp(self): saw("setUp"); self.addCleanup(saw, "cleanup")
        def test_first(self): pass
        def test_second(self): self.fail("on purpose")
"""

ORDERING = '''
    import json, os
    import pytest

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(items):
        """pytest moves tests with parametrised fixtures together; here the order is to be as given."""
        order = json.loads(os.environ["SCOPES_ORDER"])
        items.sort(key=lambda item: order.index(item.nodeid))
'''

FILES = {
    "pytest.ini": "[pytest]\npythonpath = .\n",
    "conftest.py": CONFTEST,
    "conftest_saw.py": """
        import sys
        saw = next(m for m in list(sys.modules.values()) if getattr(m, "IS_THE_CONFTEST", None)).saw
    """,
    "ordering.py": ORDERING,
    "test_top.py": MODULE,
    "one/__init__.py": "",
    "one/test_in_one.py": MODULE,
    "one/inner/__init__.py": "",
    "one/inner/test_inner.py": MODULE,
    "two/__init__.py": "",
    "two/test_in_two.py": MODULE,
}

Event = tuple[object, ...]


@pytest.fixture
def suite(write: Write) -> Path:
    return write(FILES)


def all_tests() -> list[str]:
    """All of them, in a sequence that is nobody's own."""
    functions = ["plain", "session", "package", "chosen[x]", "chosen[y]", "chosen_module[1]", "chosen_module[2]"]
    methods = ["TestClass::test_one", "TestClass::test_two", "Old::test_first", "Old::test_second"]
    files = ["test_top.py", "one/test_in_one.py", "one/inner/test_inner.py", "two/test_in_two.py"]
    names = [*(f"test_{name}" for name in functions), *methods]
    return [f"{file}::{name}" for file in files for name in names]


def orders_at_random(seed: int, count: int) -> list[tuple[str, ...]]:
    """Some are continuations of others, and some turn off shortly before their end, so that prefixes are shared."""
    chance = random.Random(seed)
    found: list[tuple[str, ...]] = []
    while len(found) < count:
        stem = chance.sample(all_tests(), chance.randint(2, 9))
        if found and chance.random() < 0.6:
            base = found[chance.randrange(len(found))]
            start = base[: chance.randint(1, len(base))]
            stem = [*start, *(test for test in stem if test not in start)]
        if tuple(stem) not in found:
            found.append(tuple(stem))
    return found


def logged(log: Path) -> dict[tuple[str, ...], list[Event]]:
    """For every order the longest account of a process that ran just this order."""
    found: dict[tuple[str, ...], list[Event]] = {}
    for line in log.read_text().splitlines():
        account = [tuple(event) for event in json.loads(line)]
        order = tuple(str(event[1]) for event in account if event[0] == "start")
        if len(account) > len(found.get(order, ())):
            found[order] = account
    return found


def plain_pytest(suite: Path, order: Sequence[str], log: Path) -> list[Event]:
    environment = {**os.environ, "SCOPES_LOG": str(log), "SCOPES_ORDER": json.dumps(order)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "ordering", *order]
    done = subprocess.run(command, cwd=suite, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout
    return logged(log)[tuple(order)]


@pytest.mark.parametrize("seed", [1, 2])
def test_every_order_sets_up_and_tears_down_as_plain_pytest_would(
    suite: Path, mode: str, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setenv("SCOPES_LOG", str(tmp_path / "ours"))
    orders = orders_at_random(seed, 6)
    runs = ask(suite, *orders)
    ours = logged(tmp_path / "ours")
    for number, order in enumerate(orders):
        assert ours[order] == plain_pytest(suite, order, tmp_path / f"plain-{number}"), (mode, order)
    for run in runs:
        failing = [test for test, result in zip(run.order, run.results, strict=True) if result.outcome.is_bad]
        assert failing == [test for test in run.order if test.endswith("test_second")]


def test_many_orders_in_one_tree_are_each_as_in_a_tree_of_their_own(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same with many more orders, without plain pytest: all in one tree against each in a tree of its own."""
    orders = orders_at_random(7, 60)
    accounts = []
    executed = []
    for name, attempt in (("together", 0), ("apart", 1)):
        log = tmp_path / name
        monkeypatch.setenv("SCOPES_LOG", str(log))
        with open_suite(Settings(suite), fork=True) as opened:
            requests = [OrderRequest(tuple(map(TestId, order)), attempt) for order in orders]
            runs = {run.request: run for run in opened.runner.run_orders(requests)}
        executed.append(sum(run.executed for run in runs.values()))
        account_of = logged(log)
        accounts.append([account_of[order] for order in orders])
        assert {run.outcome(test) for run in runs.values() for test in run.order} == {Outcome.PASSED, Outcome.FAILED}
    assert accounts[0] == accounts[1]
    assert executed[0] < executed[1] == sum(map(len, orders))
