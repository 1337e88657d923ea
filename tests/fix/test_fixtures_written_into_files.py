"""Whatever a test file looks like, a fixture is put into it, it works, and nothing else of the file is touched."""

import ast
import codecs
import os
import subprocess
import sys
from pathlib import Path

import pytest

from unknot.fix.access_path import ProjectModules
from unknot.fix.names import Names
from unknot.fix.recipes import restore_recipes
from unknot.fix.source_file import SourceFile
from unknot.fix.suggestions import FixProject, Suggestion, for_conflict
from unknot.model.dependencies import Conflict, Proof
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Location, Recording
from unknot.model.suite import TestId

VICTIM = "def test_victim():\n    assert not leaky.ITEMS\n"

SHAPES: dict[str, tuple[str, bytes]] = {
    "plain": ("test_leaves", b"import leaky\n\n\ndef test_leaves():\n    LEAVE\n\n\n"),
    "no_blank_lines": ("test_leaves", b"import leaky\ndone = []\ndef test_leaves(): LEAVE\n"),
    "crlf": ("test_leaves", b"import leaky\r\n\r\n\r\ndef test_leaves():\r\n    LEAVE\r\n\r\n\r\n"),
    "tabs": (
        "TestIt::test_leaves",
        b"import leaky\n\nclass TestIt:\n\tdef test_leaves(self):\n\t\tLEAVE\n\n",
    ),
    "latin_1": (
        "test_leaves",
        b"#!/usr/bin/python\n# -*- coding: latin-1 -*-\nimport leaky\n\ndef test_leaves():\n"
        b"    leaky.ITEMS.append('caf\xe9')\n\n",
    ),
    "byte_order_mark": (
        "test_leaves",
        b"\xef\xbb\xbfimport leaky\n\ndef test_leaves():\n    LEAVE\n\n",
    ),
    "docstring_and_future": (
        "test_leaves",
        b'# A licence.\n"""Says\nwhat it is."""\n\nfrom __future__ import annotations\n\nimport leaky\n\n\n'
        b"# About the test.\n# More about it.\ndef test_leaves() -> None:\n    LEAVE\n\n\n",
    ),
    "only_a_docstring": (
        "test_leaves",
        b'"""Nothing is imported."""\n\n\ndef test_leaves():\n    LEAVE\n\n\nimport leaky\n',
    ),
    "nothing_before": (
        "test_leaves",
        b"def test_leaves():\n    LEAVE\n\n\nimport leaky\n",
    ),
    "decorated": (
        "test_leaves[2]",
        b'import pytest\nimport leaky\n\n\n@pytest.mark.parametrize(\n    "many",\n    [1, 2],\n)\n'
        b"@(\n    pytest.mark.filterwarnings('ignore')\n)\ndef test_leaves(many):\n    leaky.ITEMS.append(many)\n\n\n",
    ),
    "test_case": (
        "Case::test_leaves",
        b"import unittest\n\nimport leaky\n\n\nclass Case(unittest.TestCase):\n    x = 1\n    def test_leaves(self):\n"
        b"        LEAVE\n\n\n",
    ),
    "inherited": (
        "TestIt::test_leaves",
        b"import leaky\n\n\nclass Base:\n    def test_leaves(self):\n        LEAVE\n\n\n"
        b"class TestIt(Base):\n    pass\n\n\n",
    ),
    "static": (
        "TestIt::test_leaves",
        b"import leaky\n\n\nclass TestIt:\n    @staticmethod\n    def test_leaves():\n        LEAVE\n\n\n",
    ),
    "below_an_if": (
        "test_leaves",
        b"import leaky\n\nif True:\n    def test_leaves():\n        LEAVE\n\n\n",
    ),
    "defined_twice": (
        "test_leaves",
        b"import leaky\n\ndef test_leaves():\n    pass\n\n\ndef test_leaves():\n    LEAVE\n\n\n",
    ),
    "names_taken": (
        "test_leaves",
        b"import leaky\n\ncopy = mock = Path = None\n\ndef restored_items():\n    raise AssertionError\n\n"
        b"def test_leaves():\n    LEAVE\n\n\n",
    ),
    "pytest_by_another_name": (
        "test_leaves",
        b"import pytest as pt, leaky\n\ndef test_leaves():\n    LEAVE\n\n",
    ),
    "line_shared": (
        "test_leaves",
        b'import leaky; TEXT = """a\nb"""\n\ndef test_leaves():\n    assert TEXT == "a\\nb"\n    LEAVE\n\n\n',
    ),
    "strange_line_breaks": (
        "test_leaves",
        b"import leaky\n\x0c\nX = 'a\xe2\x80\xa8b'\n\ndef test_leaves():\n    LEAVE\n\n\n",
    ),
    "asynchronous": (
        "test_leaves",
        b"import leaky\n\n\nasync def leave():\n    LEAVE\n\n\ndef test_leaves():\n"
        b"    import asyncio\n\n    asyncio.run(leave())\n\n\n",
    ),
    "no_newline_at_the_end": ("test_leaves", b""),
}
LAST = b"import leaky\n\n\ndef test_victim():\n    assert not leaky.ITEMS\n\n\ndef test_leaves():\n    LEAVE"


def content_of(shape: str) -> bytes:
    """With a victim at the end, in the file's own line ends and indentation."""
    _, content = SHAPES[shape]
    content = (content or LAST).replace(b"LEAVE", b"leaky.ITEMS.append(1)")
    if b"test_victim" in content:
        return content
    victim = VICTIM.replace("    ", "\t") if shape == "tabs" else VICTIM
    return content + (victim.replace("\n", "\r\n") if shape == "crlf" else victim).encode()


def suggested(shape: str, content: bytes, shown: str = "[1]", name: str = "leaky.ITEMS") -> list[Suggestion]:
    path = f"test_{shape}.py"
    polluter, victim = TestId(f"{path}::{SHAPES[shape][0]}"), TestId(f"{path}::test_victim")
    project = FixProject(
        "/p",
        {polluter: path, victim: path},
        ProjectModules.of([path, "leaky.py"]),
        {path: content, "leaky.py": b"before = []\n"}.get,
    )
    conflict = Conflict(victim, (polluter,), (), Proof((victim,), (polluter, victim)))
    reason = Reason(ReasonKind.FLOW, polluter, victim, Location("memory", name), shown)
    return list(for_conflict(conflict, [reason], Recording((polluter, victim), {}), project))


def without(new: bytes, old: bytes) -> list[bytes]:
    """The lines that were put in. Fails if any other was changed, moved or lost."""
    added = []
    waiting = old.removeprefix(codecs.BOM_UTF8).split(b"\n")
    for line in new.removeprefix(codecs.BOM_UTF8).split(b"\n"):
        if waiting and line == waiting[0]:
            waiting.pop(0)
        else:
            added.append(line)
    assert not waiting, waiting
    return added


@pytest.mark.parametrize("shape", SHAPES)
def test_only_whole_lines_are_put_in(shape: str) -> None:
    content = content_of(shape)
    first = suggested(shape, content)[0]
    assert first.before == content
    added = without(first.after, content)
    assert first.after.startswith(codecs.BOM_UTF8) == content.startswith(codecs.BOM_UTF8)
    assert any(b"usefixtures" in line for line in added)
    ast.parse(first.after)
    if shape == "crlf":
        assert first.after.count(b"\n") == first.after.count(b"\r\n")
    if shape == "tabs":
        assert not any(line.startswith(b"    ") for line in added)


def test_every_shape_is_cut_when_pytest_runs_it(tmp_path: Path) -> None:
    (tmp_path / "leaky.py").write_text("ITEMS = []\n")
    (tmp_path / "conftest.py").write_text(
        "import leaky, pytest\n\n@pytest.fixture(autouse=True, scope='module')\ndef anew():\n    leaky.ITEMS.clear()\n"
    )
    shapes = [shape for shape in SHAPES if shape != "no_newline_at_the_end"]
    for shape in shapes:
        (tmp_path / f"test_{shape}.py").write_bytes(content_of(shape))
    before = pytest_in(tmp_path)
    assert before.count(" FAILED") == len(shapes), before
    for shape in shapes:
        (tmp_path / f"test_{shape}.py").write_bytes(suggested(shape, content_of(shape))[0].after)
    after = pytest_in(tmp_path)
    assert after.count(" FAILED") == after.count(" ERROR") == 0, after
    assert after.count(" PASSED") == before.count(" PASSED") + before.count(" FAILED")


def pytest_in(directory: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "--tb=short", "-p", "no:cacheprovider"],
        cwd=directory,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def test_a_fixture_that_is_there_already_is_used_again() -> None:
    content = b"import leaky\n\n\ndef test_leaves():\n    leaky.ITEMS.append(1)\n\n\ndef test_victim():\n    pass\n"
    once = suggested("plain", content)[0].after
    more = once + b"\n\ndef test_leaves_2():\n    leaky.ITEMS.append(1)\n"
    SHAPES["second"] = ("test_leaves_2", b"")
    try:
        twice = suggested("second", more)[0].after
    finally:
        del SHAPES["second"]
    assert twice.count(b"def restored_items") == 1
    assert twice.count(b'usefixtures("restored_items")') == 2


def test_a_variable_may_have_the_name_that_fixtures_use() -> None:
    content = content_of("plain")
    refilled = [one for one in suggested("plain", content, name="leaky.before") if b"leaky.before[:] = []" in one.after]
    assert [one.summary for one in refilled] == ["start with `leaky.before` in its initial state"]
    assert b"    before = copy.copy(leaky.before)\n" in refilled[0].after
    assert b"    leaky.before[:] = before\n" in refilled[0].after


def test_imports_stand_with_their_kind() -> None:
    content = (
        b"from __future__ import annotations\n\nimport os\nfrom pathlib import Path\n\nimport pytest\n\nimport leaky\n"
        b"\n\ndef test_leaves():\n    leaky.ITEMS.append(1)\n\n\ndef test_victim():\n    pass\n"
    )
    after = suggested("plain", content)[0].after.decode()
    assert "import os\nimport copy\nfrom pathlib import Path\n\nimport pytest\n\nimport leaky\n" in after


def test_a_file_that_is_not_python_is_left_alone() -> None:
    assert suggested("plain", b"def test_leaves(:\n") == []
    assert suggested("plain", b"\xff\xfe\x00") == []
    with pytest.raises(ValueError, match="is not valid Python"):
        SourceFile("test_x.py", b"(")


def test_a_test_whose_definition_is_elsewhere_is_not_guessed() -> None:
    content = b"from others import test_leaves\n\n\ndef test_victim():\n    pass\n"
    for one in suggested("plain", content):
        assert b'")\ndef test_victim' in one.after, "only the victim can be marked"


def test_what_an_encoding_lacks_is_escaped() -> None:
    file = SourceFile("test_x.py", b"# coding: ascii\nx = 1\n")
    assert file.with_insertions([(1, "# caf\xe9 \u2192\n")]) == b"# coding: ascii\n# caf\\xe9 \\u2192\nx = 1\n"


def test_the_names_of_modules_are_those_of_the_file() -> None:
    tree = ast.parse("import shop.cart\nfrom shop import prices as p\nos = 1\ndef f(mock): random = 2\n")
    names = Names(tree, frozenset({"test_own"}))
    assert names.module("shop.cart") == "shop.cart"
    assert names.module("shop.prices") == "p"
    assert names.module("shop.stock") == "shop.stock"
    assert names.module("os") == "os_2"
    assert names.module("random") == "random"
    assert names.member("unittest", "mock") == "mock"
    assert names.module("test_own") == ""
    assert list(names.imports) == [
        "import shop.stock",
        "import os as os_2",
        "import random",
        "from unittest import mock",
    ]


def test_nothing_is_restored_that_cannot_be_named() -> None:
    modules = ProjectModules.of(["shop/cart.py"])
    for name in ("shop.cart.X[<Key object>]", "unknown.X", "", "shop.cart", "shop.cart.X[__import__('os')]"):
        assert list(restore_recipes(Location("memory", name), "1", modules)) == []
