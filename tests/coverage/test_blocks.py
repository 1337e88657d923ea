"""Sources cut into blocks, and what is different between two of them."""

import ast
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.coverage.blocks import NOTHING, blocks_of, source_change
from unknot.coverage.project_files import decode_source

SOURCE = textwrap.dedent(
    '''\
    import os

    LIMIT = 3

    def one(value, factor=2):
        """A docstring."""
        return value * factor

    @staticmethod
    def two():
        def inner():
            return 1
        return inner()

    class Thing:
        size = 0
        async def grow(self):
            self.size += 1
    '''
)


def changed(old: str, new: str) -> list[str]:
    assert old in SOURCE
    return [block.name for block in source_change(SOURCE, SOURCE.replace(old, new)).blocks]


def test_blocks_are_numbered_from_the_inside_out() -> None:
    blocks = blocks_of(SOURCE)
    assert blocks is not None
    assert [block.name for block in blocks] == ["one", "two.inner", "two", "Thing.grow", "<module>"]
    assert [block.number for block in blocks] == [0, 1, 2, 3, 4]
    assert [(block.start, block.end) for block in blocks[:3]] == [(6, 7), (12, 12), (11, 13)]


def test_a_block_reaches_to_the_next_statement() -> None:
    blocks = blocks_of(SOURCE)
    assert blocks is not None
    assert 9 in blocks[0].wide_lines, "the decorator of the next function"
    assert 9 not in blocks[0].lines


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("value * factor", "value + factor", ["one"]),
        ("A docstring.", "Another docstring.", ["one"]),
        ("return 1", "return 2", ["two.inner"]),
        ("return inner()", "return inner", ["two"]),
        ("self.size += 1", "self.size += 2", ["Thing.grow"]),
        ("factor=2", "factor=3", ["<module>"]),
        ("@staticmethod\n", "", ["<module>"]),
        ("size = 0", "size = 1", ["<module>"]),
        ("import os", "import sys", ["<module>"]),
        ("def one(", "def uno(", ["<module>"]),
        ("def inner", "async def inner", ["two"]),
        ("return 1", "return True", ["two.inner"]),
    ],
)
def test_a_change_is_found_in_its_block(old: str, new: str, names: list[str]) -> None:
    assert changed(old, new) == names


@pytest.mark.parametrize(
    ("old", "new"),
    [("return 1", "return 1  # one"), ("LIMIT = 3", "\n\nLIMIT   =   3"), ("return inner()", "return (inner())")],
)
def test_comments_and_layout_make_no_difference(old: str, new: str) -> None:
    assert changed(old, new) == []


def test_a_function_more_inside_another_renumbers_what_comes_after() -> None:
    """As it does for pytest-testmon."""
    more = SOURCE.replace("    return inner()", "    def more():\n        pass\n    return inner()")
    assert [block.name for block in source_change(SOURCE, more).blocks] == ["two", "Thing.grow", "<module>"]


def test_what_cannot_be_parsed_has_changed_as_a_whole() -> None:
    assert source_change(SOURCE, "def (").whole
    assert source_change("def (", SOURCE).whole
    assert source_change("x\0y", "x = 1").whole
    assert source_change("def (", "def (") == NOTHING
    assert not source_change(SOURCE, SOURCE)


def test_an_expression_without_end_is_no_crash() -> None:
    deep = "x = " + "(" * 150 + "1" + ")" * 150 + "\n"
    endless = "x = " + "+".join("1" * 1 for _ in range(30_000)) + "\n"
    assert source_change(deep, endless)


def test_an_empty_module_has_one_block() -> None:
    assert [block.name for block in blocks_of("") or ()] == ["<module>"]
    assert [block.name for block in source_change("", "x = 1\n").blocks] == ["<module>"]
    assert not source_change("", "# only a comment\n")


def test_sources_are_decoded_as_python_does() -> None:
    assert decode_source("x = 'ä'\n".encode()) == "x = 'ä'\n"
    assert decode_source("# coding: latin-1\nx = 'ä'\r\n".encode("latin-1")) == "# coding: latin-1\nx = 'ä'\n"
    assert decode_source(b"\xef\xbb\xbfx = 1\n") == "x = 1\n"
    assert blocks_of(decode_source(b"x = '\xff'\n")) is None
    assert blocks_of(decode_source(b"# coding: nonsense\nx = 1\n")) is None


STATEMENTS = ["x = 1", "y = lambda a: a + 1", "z = [i for i in range(3)]", "pass", "import os", "'text'"]


@st.composite
def sources(draw: st.DrawFn, depth: int = 0) -> str:
    """Functions in classes in conditions in functions, with decorators, on one line and on several."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(
            st.sampled_from(["plain", "plain", "def", "async", "class", "if", "try", "short", "match", "comment"])
        )
        if kind == "plain" or (depth >= 3 and kind != "comment"):
            lines.append(draw(st.sampled_from(STATEMENTS)))
        elif kind == "comment":
            lines += ["", "# a comment"]
        elif kind == "short":
            lines.append("def short(): return 1")
        else:
            inner = textwrap.indent(draw(sources(depth + 1)), "    ")
            lines += ["@print"] if kind in ("def", "class") and draw(st.booleans()) else []
            head = {
                "def": "def f(a=1):",
                "async": "async def g():",
                "class": "class C:",
                "if": "if x:",
                "try": "try:",
                "match": "match x:\n  case 1:",
            }[kind]
            lines += [head, textwrap.indent(inner, "    ") if kind == "match" else inner]
            lines += ["else:", textwrap.indent(draw(sources(depth + 1)), "    ")] if kind == "if" else []
            lines += ["finally:", "    pass"] if kind == "try" else []
            lines += ["  case _:", "    def h():", "        pass"] if kind == "match" else []
    return "\n".join([*lines, "pass"])


@given(sources())
@settings(max_examples=150, deadline=None)
def test_blocks_hold_at_least_the_lines_that_testmon_gives_them(source: str) -> None:
    process_code = pytest.importorskip("testmon.process_code")
    ast.parse(source)
    theirs = process_code.Module(source_code=source).blocks
    ours = blocks_of(source)
    assert ours is not None
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.start <= other.start
        assert other.end <= mine.reach


@given(sources(), sources())
@settings(max_examples=100, deadline=None)
def test_what_differs_for_testmon_differs_for_us(one: str, other: str) -> None:
    process_code = pytest.importorskip("testmon.process_code")
    before, after = (process_code.Module(source_code=source) for source in (one, other))
    there = set(after.checksums)
    theirs = {number for number, checksum in enumerate(before.checksums) if checksum not in there}
    assert theirs == {block.number for block in source_change(one, other).blocks}
