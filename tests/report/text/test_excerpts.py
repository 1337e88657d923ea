"""Excerpts of code: the right lines, and nothing that could do anything to a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.reason import users_frame
from unknot.model.recording import Frame
from unknot.report.text.excerpts import CodeExcerpt, Source, excerpt_lines

CODE = "one\ntwo\n\tthree = 1\nfour\nfive\n"


def lines(text: str | None, line: int, *, is_newer: bool = False) -> list[str]:
    return excerpt_lines(CodeExcerpt("read", Frame("a.py", line, "f"), Source(text, is_newer)))


def test_the_line_is_marked_between_its_neighbours() -> None:
    assert lines(CODE, 3) == ["a.py:3, in f", "  2 | two", "> 3 |     three = 1", "  4 | four"]
    assert lines(CODE, 1) == ["a.py:1, in f", "> 1 | one", "  2 | two"]


def test_deleted_and_changed_files_are_marked() -> None:
    assert lines(None, 3) == ["a.py:3, in f (file no longer exists)"]
    assert lines(CODE, 99) == ["a.py:99, in f (the file no longer has this line)"]
    assert "changed after the recording" in lines(CODE, 3, is_newer=True)[0]


def test_the_users_line_is_the_innermost_of_the_project() -> None:
    mine, others = Frame("shop/cart.py", 3, "f"), Frame("/usr/lib/python3.11/os.py", 684, "g")
    assert users_frame((others, mine, Frame("test_it.py", 1, "t"))) == mine
    assert users_frame((others,)) is None


@given(st.text(), st.text(), st.integers(-2, 9))
def test_hostile_source_stays_on_its_lines(text: str, name: str, line: int) -> None:
    found = excerpt_lines(CodeExcerpt("read", Frame(name, line, name), Source(text)))
    assert all(one.isprintable() for one in found)
    assert len(found) <= 4


def test_a_long_line_is_cut() -> None:
    assert max(map(len, lines("x" * 10_000, 1))) < 200
