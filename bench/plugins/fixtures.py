"""Plugins that bring fixtures, data or another way to write tests."""

from bench.plugins.subject import Subject

_MOCK = """
import os


def test_mock(mocker):
    mocker.patch("os.getcwd", return_value="/nowhere")
    assert os.getcwd() == "/nowhere"
"""
_HYPOTHESIS = """
from hypothesis import given, strategies


@given(strategies.integers())
def test_property(number):
    assert number + 0 == number
"""
_FEATURE = """Feature: a cart
  Scenario: prepare
    Given the shop is open
  Scenario: sell
    Then the shop sells
"""
_BDD = """
from pytest_bdd import given, scenario, then


@scenario("cart.feature", "prepare")
def test_sets_up():
    pass


@scenario("cart.feature", "sell")
def test_depends():
    pass


@given("the shop is open")
def _():
    shared.ready = True


@then("the shop sells")
def _():
    assert shared.ready
"""
_ENV = """
import os


def test_variable():
    assert os.environ["SHOP"] == "open"
"""
_FREEZER = """
import datetime


def test_time(freezer):
    freezer.move_to("2020-01-02")
    assert datetime.date.today() == datetime.date(2020, 1, 2)
"""
_SOCKET = """
import socket

import pytest
import pytest_socket


def test_no_network():
    with pytest.raises(pytest_socket.SocketBlockedError):
        socket.socket()
"""
_DATADIR = """
def test_file(datadir):
    assert (datadir / "greeting.txt").read_text() == "hello"
"""
_REGRESSIONS = """
def test_data(data_regression):
    data_regression.check({"a": 1})
"""
_SNAPSHOT = """
def test_snapshot(snapshot):
    assert [1, 2] == snapshot
"""
_SNAPSHOTS = """# serializer version: 1
# name: test_snapshot
  list([
    1,
    2,
  ])
# ---
"""
_LAZY = """
import pytest
from pytest_lazy_fixtures import lf


@pytest.fixture
def one():
    return 1


@pytest.mark.parametrize("value", [lf("one"), 2])
def test_values(value):
    assert value in (1, 2)
"""
_CASES = """
from pytest_cases import parametrize_with_cases


def case_one():
    return 1


def case_two():
    return 2


@parametrize_with_cases("value", cases=".")
def test_cases(value):
    assert value in (1, 2)
"""
_FACTORY = """
import factory
import pytest_factoryboy


class Book:
    def __init__(self, title):
        self.title = title


@pytest_factoryboy.register
class BookFactory(factory.Factory):
    class Meta:
        model = Book

    title = "Emma"


def test_factory(book):
    assert book.title == "Emma"
"""
_UNORDERED = """
from pytest_unordered import unordered


def test_any_order():
    assert [2, 1] == unordered([1, 2])
"""

FIXTURES = (
    Subject("pytest-mock", _MOCK),
    Subject("hypothesis", _HYPOTHESIS),
    Subject("pytest-bdd", _BDD, files={"cart.feature": _FEATURE}),
    Subject("pytest-env", _ENV, ini="env =\n    SHOP=open"),
    Subject("pytest-dotenv", _ENV, ini="env_files =\n    shop.env", files={"shop.env": "SHOP=open\n"}),
    Subject("pytest-freezer", _FREEZER),
    Subject("pytest-socket", _SOCKET, options="--disable-socket"),
    Subject("pytest-datadir", _DATADIR, files={"test_it/greeting.txt": "hello"}),
    Subject("pytest-regressions", _REGRESSIONS, files={"test_it/test_data.yml": "a: 1\n"}, needs=("pytest-datadir",)),
    Subject("syrupy", _SNAPSHOT, files={"__snapshots__/test_it.ambr": _SNAPSHOTS}),
    Subject("pytest-lazy-fixtures", _LAZY),
    Subject("pytest-cases", _CASES),
    Subject("pytest-factoryboy", _FACTORY),
    Subject("pytest-unordered", _UNORDERED),
)
