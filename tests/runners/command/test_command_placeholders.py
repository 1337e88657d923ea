"""Placeholders in the words of a command."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.errors import UsageError
from unknot.runners.command.placeholders import fault, filled, placeholders

texts = st.text('{}{}_aZ09 é"\\\n\U0001f600') | st.sampled_from(["{tests}", "{dir}", "{{dir}}", "{port0}"])


def test_tests_as_words_and_inside_a_word() -> None:
    assert filled(["a", "{tests}", "-t={tests}"], {}, ["x y", "z"], "|") == ["a", "x y", "z", "-t=x y|z"]


@given(texts)
def test_what_is_filled_in_is_not_filled_again(text: str) -> None:
    assert filled(["{test}", "<{test}>"], {"test": text}) == [text, f"<{text}>"]
    assert filled(["{tests}"], {}, [text, text]) == [text, text]


@given(texts)
def test_doubled_braces_are_braces(text: str) -> None:
    word = text.replace("{", "{{").replace("}", "}}")
    assert filled([word], {}) == [text]
    assert placeholders([word]) == set()


@given(st.lists(texts))
def test_any_words_are_understood_or_refused(words: list[str]) -> None:
    if not fault(words):
        names = placeholders(words) - {"tests"}
        filled(words, dict.fromkeys(names, "value"), ["a"])


def test_ports_are_placeholders() -> None:
    assert fault(["{port0} {port12}"]) == ""
    assert "{port01}" in fault(["{port01}"])


def test_a_placeholder_without_a_value_is_named() -> None:
    with pytest.raises(UsageError, match=r"no \{port1\} here"):
        filled(["{port1}"], {"port0": "1"})
