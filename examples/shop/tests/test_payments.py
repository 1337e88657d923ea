from __future__ import annotations

import pytest

from shop import payments


def test_terminal_is_asked_until_there_is_a_card() -> None:
    answers = iter([False, False, False, True])
    payments.wait_for_card(lambda: next(answers))
    assert list(answers) == []


def test_terminal_is_not_asked_for_ever() -> None:
    with pytest.raises(payments.NoCard):
        payments.wait_for_card(lambda: False, seconds=0.1)
