"""What every run of the suite starts from, and the fixtures that tests share."""

import os
import shutil

import pytest
from shop import accounts, catalogue, files, orders

os.environ["SHOP_REGION"] = "eu"


def pytest_sessionstart():
    shutil.rmtree(files.VAR, ignore_errors=True)
    (files.VAR / "outbox").mkdir(parents=True)
    (files.VAR / "plugins").mkdir()
    (files.VAR / "motd.txt").write_text("welcome\n")
    (files.VAR / "hours.txt").write_text("9-18\n")
    (files.VAR / "journal.txt").write_text("")
    (files.VAR / "latest.txt").symlink_to(files.VAR / "journal.txt")
    (files.VAR / "plugins" / "shop_gift_wrap.py").write_text("PRICE = 3\n")
    orders.create_tables()


@pytest.fixture
def signed_in():
    """Signs a user in and never out again."""
    accounts.CURRENT.user = "alice"  # writes: shop.accounts.CURRENT.user
    return accounts.CURRENT


@pytest.fixture(scope="session")
def loaded_catalogue():
    """Shared by tests that only read it."""
    catalogue.LOADED["lamp"] = 20
    catalogue.LOADED["desk"] = 90
    yield catalogue.LOADED
    catalogue.LOADED.clear()


@pytest.fixture(scope="module")
def open_till():
    """The state of one module's tests: made before the first of them and put back after the last."""
    accounts.TILL.is_open = True
    yield accounts.TILL
    accounts.TILL.is_open = False
