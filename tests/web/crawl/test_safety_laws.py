"""Which names of actions are left alone, however long they are."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.action import Action
from unknot.web.crawl.safety import Safety

SAFETY = Safety(frozenset({"http://site"}), writes=True)
WORDS = (
    "delete",
    "close",
    "my",
    "account",
    "profile",
    "konto",
    "löschen",
    "a mail",
    "senden",
    "senden!",
    "invite",
    "x\n",
)


def why_not(name: str) -> str:
    return SAFETY.why_not(Action(name, name, name, ()), "http://site/")


@given(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join))
def test_an_account_is_deleted_by_two_words_in_this_sequence(name: str) -> None:
    pairs = [("delete|close", "account|profile|konto"), ("account|profile|konto", "löschen")]
    deletes = any(re.search(rf"\b({one})\b.*\b({other})\b", name, re.DOTALL) for one, other in pairs)
    sends = re.search(r"\binvite\b|\bsenden\b.*\bmail|\bmail.*\bsenden\b", name, re.DOTALL)
    assert why_not(name) == ("sends" if sends else "deletes an account" if deletes else "")


@pytest.mark.parametrize("word", ["delete ", "konto ", "mail ", "senden ", "borrar "])
def test_a_name_of_any_length_is_read_to_its_end(word: str) -> None:
    assert why_not(word * 100_000) == ""
    assert why_not("delete " + word * 100_000 + "account") == "deletes an account"
