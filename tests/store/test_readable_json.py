"""JSON for people: short values on one line, long ones a line for each member, no hidden characters."""

import json

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.store.readable_json import readable_json

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=30,
)


@laws(200)
@given(_VALUES)
def test_the_values_are_the_same(value: object) -> None:
    text = readable_json(value)
    assert json.loads(text) == value
    assert text.endswith("\n")
    assert all(char.isprintable() for char in text.replace("\n", ""))
    text.encode("utf-8")


def test_a_long_value_has_a_line_for_each_member() -> None:
    value = {"short": [1, 2], "long": [{"name": "x" * 60}, {"name": "y" * 60}], "empty": {}}
    assert readable_json(value) == (
        '{\n "short": [1, 2],\n "long": [\n  {"name": "' + "x" * 60 + '"},\n  {"name": "' + "y" * 60 + '"}\n ],\n'
        ' "empty": {}\n}\n'
    )


def test_no_character_hides_another() -> None:
    assert (
        readable_json(["\u202egnp.exe", "\x7f", "\ud800", "é日"]) == '["\\u202egnp.exe", "\\u007f", "\\ud800", "é日"]\n'
    )
