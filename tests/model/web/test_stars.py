"""Texts with stars. Where many of them could match in many ways, regular expressions would not end: the sizes here are
such that nothing that goes back would."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from unknot.model.web.stars import in_place_of_stars, matches, matches_by_words

patterns = st.text("ab* ", max_size=9)
texts = st.text("ab* ", max_size=9)


@given(patterns, texts)
@example("a*a", "a")
def test_a_star_is_what_a_regular_expression_calls_anything(pattern: str, text: str) -> None:
    expression = ".*".join(map(re.escape, pattern.split("*")))
    assert matches(pattern, text) == (re.fullmatch(expression, text) is not None)


@given(patterns, texts)
@example("a * * b", "a  b")
def test_by_words_a_star_in_a_word_ends_with_the_word(pattern: str, text: str) -> None:
    words = (".*" if word == "*" else "[^ ]*".join(map(re.escape, word.split("*"))) for word in pattern.split(" "))
    assert matches_by_words(pattern, text) == (re.fullmatch(" ".join(words), text) is not None)


@given(patterns, texts)
@example("a*", "a")
def test_what_the_stars_stand_for_gives_the_text_again(pattern: str, text: str) -> None:
    found = in_place_of_stars(pattern, text)
    fits = "*" in pattern and re.fullmatch(".+".join(map(re.escape, pattern.split("*"))), text) is not None
    assert bool(found) == fits
    if found:
        first, *others = pattern.split("*")
        assert first + "".join(map("".join, zip(found, others, strict=True))) == text
        assert all(found)


def test_many_stars_end() -> None:
    assert not matches("a*" * 5_000 + "b", "a" * 20_000)
    assert not matches_by_words("a * " * 300 + "b", "a " * 20_000)
    assert not matches_by_words(" ".join(["a*a*a*a*b"] * 50), " ".join(["a" * 200] * 50))
