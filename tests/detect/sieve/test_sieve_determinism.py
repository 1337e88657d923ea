"""The same suite, answers and seed give the same requests in the same order."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, erdos_renyi, flaky, laws, mixed_suites

from unknot.model.suite import Order, TestId

from ..judge import MakeOracle, Transcript, as_readable, cheap, dependencies_in, expensive


def renamed(told: Case, chance: random.Random) -> Case:
    """Other names for tests and files; tests of one file still share one."""
    files = sorted({test.partition("::")[0] for test in told.suite.tests})
    other_files = dict(zip(files, chance.sample(range(1000), len(files)), strict=True))
    other_names = chance.sample(range(1000), told.size)
    names = [
        TestId(f"{other_files[test.partition('::')[0]]}/é.py::Other::{number}[a b]")
        for test, number in zip(told.suite.tests, other_names, strict=True)
    ]
    return replace(told, ids=tuple(names))


def requests(told: Case, oracle: MakeOracle) -> tuple[list[tuple[list[int], int]], str]:
    """All orders, in positions, and what was found."""
    transcript = Transcript(oracle(told))
    dependencies = dependencies_in(told, transcript)

    def places(order: Order) -> list[int]:
        return [told.suite.index[test] for test in order]

    return [(places(request.order), request.attempt) for request in transcript.requests], as_readable(dependencies)


@pytest.mark.parametrize("oracle", [cheap, expensive])
@laws(50)
@given(told=st.one_of(mixed_suites(), flaky(mixed_suites())), chance=st.randoms(use_true_random=False))
def test_the_same_orders_are_run_each_once_whatever_the_names(
    oracle: MakeOracle, told: Case, chance: random.Random
) -> None:
    found = requests(told, oracle)

    assert requests(told, oracle) == found
    assert requests(renamed(told, chance), oracle) == found
    orders, _ = found
    assert len(orders) == len({(tuple(order), attempt) for order, attempt in orders})
    assert all(len(order) == len(set(order)) for order, _ in orders)


@pytest.mark.parametrize("oracle", [cheap, expensive])
def test_a_larger_suite_under_other_names_gives_the_same_orders(oracle: MakeOracle) -> None:
    told = erdos_renyi(40, seed=5)

    assert requests(told, oracle) == requests(renamed(told, random.Random(1)), oracle)
