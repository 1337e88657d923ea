"""Modules that are no ordinary modules."""

import importlib
import math
import sys

import odd.lazy
import odd.replaced  # noqa: F401
import pytest
from odd import dynamic, state


def test_replaced_module():
    replaced = sys.modules["odd.replaced"]
    assert replaced.anything == "made up: anything"
    replaced.state["calls"] = 1


def test_replaced_module_again():
    assert sys.modules["odd.replaced"].state == {"calls": 1}


def test_module_that_makes_attributes():
    dynamic.ASKED.clear()  # pytest asks, when it collects
    assert dynamic.something == 5
    assert dynamic.ASKED == ["something"]


def test_nobody_else_asked():
    assert dynamic.ASKED == ["something"]


def test_module_that_raises():
    missing = sys.modules["odd.missing"]
    with pytest.raises(ImportError):
        missing.anything  # noqa: B018


def test_module_in_c():
    assert math.__name__ == "math"
    math.hidden_by_the_suite = 3


def test_module_in_c_again():
    assert math.hidden_by_the_suite == 3
    del math.hidden_by_the_suite


def test_reload():
    assert importlib.reload(dynamic) is dynamic
    assert dynamic.ASKED == []


def test_a_module_goes_and_comes_back():
    module = sys.modules.pop("odd.dynamic")
    again = importlib.import_module("odd.dynamic")
    assert again is not module
    sys.modules["odd.dynamic"] = module
    import odd

    odd.dynamic = module


def test_none_in_sys_modules():
    sys.modules["odd.never"] = None
    with pytest.raises(ImportError):
        importlib.import_module("odd.never")


def test_state_is_the_same_module():
    assert sys.modules["odd.state"] is state
