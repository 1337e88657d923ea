"""Which pairs are untried, in the lock file: short, read back, and refused if damaged."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.dependencies import Dependencies
from unknot.model.outcome import Outcome
from unknot.model.pairs import pairs_in
from unknot.model.suite import Suite, TestId
from unknot.store.lock import dumps, from_json, to_json
from unknot.store.typed_json import Fault


def with_rows(rows: list[int]) -> Dependencies:
    tests = tuple(TestId(f"t{number}") for number in range(len(rows)))
    rows = [row & ~(1 << number) for number, row in enumerate(rows)]
    return Dependencies(
        Suite(tests),
        dict.fromkeys(tests, Outcome.PASSED),
        {},
        untried=pairs_in(rows),
        complete=False,
        untried_rows=tuple(rows) if any(rows) else (),
    )


@given(st.integers(0, 40).flatmap(lambda size: st.lists(st.integers(0, 2**size - 1), min_size=size, max_size=size)))
def test_any_rows_are_read_back(rows: list[int]) -> None:
    dependencies = with_rows(rows)
    assert from_json(to_json(dependencies)) == dependencies


def test_they_stand_after_their_number_as_ranges_and_as_differences() -> None:
    document = to_json(with_rows([0b0111110, 0b0111101, 0, 0b1000001, 0b1000001, 0, 0]))
    assert document["untried_pairs"] == ["1-5", "0:0-1", "", "0:0-6", "3:", "", ""]
    assert list(document).index("untried_pairs") == list(document).index("untried") + 1


def test_nothing_is_written_where_no_pair_is_untried_or_only_the_number_is_known(small: Dependencies) -> None:
    assert "untried_pairs" not in to_json(with_rows([0, 0]))
    assert small.untried
    assert "untried_pairs" not in to_json(small)


def test_two_thousand_tests_that_nobody_has_tried_make_no_large_file() -> None:
    everyone = (1 << 2000) - 1
    dependencies = with_rows([everyone] * 2000)
    assert len(dumps(dependencies)) - len(dumps(replace(dependencies, untried_rows=()))) < 50_000
    assert from_json(to_json(dependencies)) == dependencies


def test_rows_without_any_pattern_are_left_out_if_they_are_long() -> None:
    chance = random.Random(0)
    dependencies = with_rows([chance.getrandbits(1000) for _ in range(1000)])
    assert "untried_pairs" not in to_json(dependencies)
    assert from_json(to_json(dependencies)) == replace(dependencies, untried_rows=())


@pytest.mark.parametrize(
    ("entries", "where", "what"),
    [
        (7, "untried_pairs", "must be a list"),
        (["1", "0"], "untried_pairs", "one entry for each of the 3 tests, has 2"),
        (["1", "0", "", ""], "untried_pairs", "one entry for each of the 3 tests, has 4"),
        (["1", "", ""], "untried_pairs", "holds 1 pairs; untried says 2"),
        (["1", 0, ""], "untried_pairs[1]", "must be a string"),
        (["1", "0,", ""], "untried_pairs[1]", "must be positions"),
        (["1", "-1", ""], "untried_pairs[1]", "must be positions"),
        (["1", "0 ", ""], "untried_pairs[1]", "must be positions"),
        (["1", "٣", ""], "untried_pairs[1]", "must be positions"),
        (["1", "9" * 5000, ""], "untried_pairs[1]", "must be positions"),
        (["1", "1" * 30 + "x", ""], "untried_pairs[1]", "must be positions"),
        (["1", "2,0", ""], "untried_pairs[1]", "2,0|0: positions must rise"),
        (["1", "2-0", ""], "untried_pairs[1]", "positions must rise"),
        (["1", "0-999999999", ""], "untried_pairs[1]", "there are 3 tests"),
        (["1", "1:0", ""], "untried_pairs[1]", "no entry 1 before it"),
        (["1", "1", ""], "untried_pairs[1]", "untried before itself"),
        (["1", "0:", ""], "untried_pairs[1]", "untried before itself"),
    ],
)
def test_damaged_entries_are_refused_with_their_place(entries: object, where: str, what: str) -> None:
    with pytest.raises(Fault, match=what) as caught:
        from_json(to_json(with_rows([0b010, 0b001, 0])) | {"untried_pairs": entries})
    assert caught.value.where == where
