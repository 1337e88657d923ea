from __future__ import annotations

from collections.abc import Iterator

import pytest

from shop import accounts


@pytest.fixture
def grace() -> Iterator[str]:
    """An account of each test's own, in the table that others use, too."""
    email = "grace@example.org"
    accounts.open_account(email)
    accounts.set_password(email, "correct horse")
    yield email
    accounts.close_account(email)


def test_login(grace: str) -> None:
    assert "correct horse" not in accounts.password_hash(grace)
    accounts.login(grace, "correct horse")


def test_account_is_locked_after_three_wrong_passwords(grace: str) -> None:
    for _ in range(3):
        with pytest.raises(accounts.WrongPassword):
            accounts.login(grace, "wrong")
    with pytest.raises(accounts.Locked):
        accounts.login(grace, "correct horse")
