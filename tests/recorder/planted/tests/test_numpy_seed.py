"""Skipped where numpy is not installed."""

import pytest

numpy = pytest.importorskip("numpy")


def test_seed():
    numpy.random.seed(7)  # writes: numpy.random.get_state()


def test_draw():
    assert numpy.random.random() == numpy.random.RandomState(7).random()  # reads: numpy.random.get_state()
