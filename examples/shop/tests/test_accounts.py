from __future__ import annotations

from collections.abc import Iterator

import pytest

from shop import accounts

ADA = "ada@example.org"


def test_open_account() -> None:
    accounts.open_account(ADA)
    assert not accounts.is_verified(ADA)


def test_verified_account_gets_credit() -> None:
    accounts.verify(ADA)
    accounts.set_credit(ADA, 50_000)
    assert accounts.credit(ADA) == 50_000


def test_second_account_is_refused() -> None:
    # Uses the same table as the tests above, but a row of its own.
    accounts.open_account("bob@example.org")
    with pytest.raises(accounts.AccountExists):
        accounts.open_account("bob@example.org")


@pytest.fixture(scope="class")
def carol() -> Iterator[str]:
    email = "carol@example.org"
    accounts.open_account(email)
    yield email
    accounts.close_account(email)


class TestAddressBook:
    """The account comes from the fixture, whichever of the two runs first."""

    def test_home_address(self, carol: str) -> None:
        accounts.add_address(carol, "home", "1 Mill Lane")
        assert accounts.address(carol, "home") == "1 Mill Lane"

    def test_work_address(self, carol: str) -> None:
        accounts.add_address(carol, "work", "2 High Street")
        assert accounts.address(carol, "work") == "2 High Street"
