"""Text from a suite, made visible."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.sanitise import shown, shown_lines


def test_what_prints_stays_as_it_is() -> None:
    assert shown(r"tests/ä.py::test[日本 a\n]") == r"tests/ä.py::test[日本 a\n]"


def test_what_does_not_print_is_escaped() -> None:
    assert shown("a\n\t\x1b\x9b\u202e\udcff") == r"a\n\t\x1b\x9b\u202e\udcff"


@given(st.text(st.characters()))
def test_the_result_always_prints_and_encodes(text: str) -> None:
    assert shown(text).isprintable()
    assert shown(text).encode("utf-8").decode("utf-8") == shown(text)


def test_lines_stay_lines() -> None:
    assert shown_lines("one\r\n\ttwo\x1b[2J\n\x9bthree") == "one\n        two\\x1b[2J\n\\x9bthree"


@given(st.text(st.characters()))
def test_each_line_prints_and_encodes(text: str) -> None:
    assert all(line.isprintable() for line in shown_lines(text).split("\n"))
    assert shown_lines(text).encode("utf-8").decode("utf-8") == shown_lines(text)
