"""State behind properties, descriptors and fixtures."""

from shop import accounts


def test_pay_in():
    accounts.TILL.balance = 30
    assert accounts.TILL.balance == 30


def test_balance():
    assert accounts.TILL.balance == 30


def test_float_changes():
    accounts.TILL.float_ = 80


def test_float():
    assert accounts.TILL.float_ == 80


def test_greets_the_user(signed_in):
    assert signed_in.user == "alice"


def test_user_is_still_there():
    assert accounts.CURRENT.user == "alice"  # reads: shop.accounts.CURRENT.user
