"""The writing lines of a suite that pytest runs: its fixtures, classes and own helpers."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

_PLUGIN = """
    import json, os, sys
    import pytest
    from unknot.recorder.inside.stack import Stacks
    from unknot.recorder.inside.second_pass.stepping import Stepper

    found = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(item):
        names = vars(item.module)
        stepper = Stepper(Stacks((str(item.config.rootpath),)))
        before = repr(names["X"])
        stepper.start({"X": lambda: repr(names["X"])})
        try:
            return (yield)
        finally:
            stack = stepper.stop().get("X")
            if repr(names["X"]) != before:
                found[item.name] = stack and [line for file, line, function in stack]

    def pytest_unconfigure():
        with open(os.environ["ANSWER"], "w") as file:
            json.dump(found, file)
"""
_SUITE = """
    import asyncio, contextlib, unittest
    import pytest

    X = []

    @pytest.fixture(scope="module")
    def shop():
        X.append("up")  # module set-up
        yield
        X.append("down")  # module tear-down

    @pytest.fixture
    def cart():
        yield
        X.append("cart")  # function tear-down

    @pytest.fixture
    def finalised(request):
        def close():
            X.append("closed")  # finaliser
        request.addfinalizer(close)

    def test_first(shop): pass

    def test_tear_down(shop, cart): pass

    def test_finaliser(finalised): pass

    def test_patched(monkeypatch):
        monkeypatch.setitem(globals(), "X", [1])

    def test_finaliser_of_others(request):
        request.addfinalizer(lambda: None)
        request.addfinalizer(X.clear)

    def test_assert():
        assert X.append(1) is None  # in an assertion

    @pytest.mark.parametrize("n", [1, 2])
    def test_many(n):
        helper(n)

    def helper(n):
        with contextlib.suppress(ZeroDivisionError):
            X.append(n)  # helper
            1 / 0

    def test_fails():
        X.append(1)  # before it fails
        assert X == []

    class TestOld(unittest.TestCase):
        def setUp(self):
            X.append(1)  # unittest set-up

        def test_old(self): pass

    def test_last():
        pass
"""
_EXPECTED = {
    "test_first": "module set-up",
    "test_tear_down": "function tear-down",
    "test_finaliser": "finaliser",
    # pytest itself called the function, from no line of the user.
    "test_finaliser_of_others": None,
    "test_assert": "in an assertion",
    "test_many[1]": "helper",
    "test_many[2]": "helper",
    "test_fails": "before it fails",
    "test_old": "unittest set-up",
    "test_last": "module tear-down",
}


@pytest.mark.parametrize("words", [(), ("--assert=plain",)])
def test_lines_of_a_suite(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "steps_through.py").write_text(textwrap.dedent(_PLUGIN))
    suite = textwrap.dedent(_SUITE)
    (tmp_path / "test_shop.py").write_text(suite)
    answer = tmp_path / "answer.json"
    plugins = ("no:cacheprovider", "steps_through")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *(word for name in plugins for word in ("-p", name)), *words],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(tmp_path),
            "ANSWER": str(answer),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "1 failed, 10 passed" in done.stdout
    marks = {text.rpartition("# ")[2]: number for number, text in enumerate(suite.splitlines(), 1) if "  # " in text}
    found = json.loads(answer.read_text())
    assert {test: stack and stack[0] for test, stack in found.items()} == {
        test: mark and marks[mark] for test, mark in _EXPECTED.items()
    }
