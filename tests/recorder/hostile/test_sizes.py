"""More than can be compared after every test; and shapes without an end."""

import pytest
from odd import big


def test_big_bytes():
    assert len(big.BYTES) == 100_000_000


def test_many():
    assert big.MANY[99_999] == [99_999]


@pytest.mark.parametrize("number", range(4))
def test_small_change_in_something_big(number):
    big.MANY[0].append(number)
    assert big.MANY[0] == [0, *range(number + 1)]


def test_chain():
    link, length = big.CHAIN, 0
    while link is not None:
        link, length = link.following, length + 1
    assert length == 30_000


def test_chain_is_cut():
    big.CHAIN.following = None
    assert big.CHAIN.following is None


def test_ring():
    assert big.RING[0] is big.RING
    big.RING.append(1)


def test_ring_again():
    assert big.RING[-1] == 1


def test_nest():
    depth, nest = 0, big.NEST
    while nest:
        depth, nest = depth + 1, nest[0]
    assert depth == 30_000
