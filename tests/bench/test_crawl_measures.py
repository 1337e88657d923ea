"""What a measured crawl says of each second, and how results are shown."""

import pytest
from bench.crawl.measure import CLIENT, SERVER, CrawlRecord, Measures
from bench.crawl.run import names_of
from bench.crawl.tables import report
from hypothesis import given
from hypothesis import strategies as st

_STEPS = st.lists(st.floats(0.01, 20) | st.integers(1, 15).map(float), max_size=20).map(sorted)


@given(ends=_STEPS, limit=st.integers(1, 15))
def test_each_second_has_the_value_of_the_steps_that_have_ended(ends: list[float], limit: int) -> None:
    within = [end for end in ends if end <= limit]
    measures = Measures(limit, ("steps",))
    for number, end in enumerate(within, 1):
        measures.add(end, {"steps": number})
    measures.end()

    expected = [sum(end < second for end in within) for second in range(1, limit)]
    assert measures.series["steps"] == [*expected, len(within)]


def _record(way: str, seed: int, edges: list[int], *, loaded: int = 100, problem: str = "") -> CrawlRecord:
    series = {"edges": edges, "kinds": [1, 2], "steps": [3, 6], CLIENT: [0, 50], SERVER: [10, 30]}
    record = CrawlRecord("shop", way, seed, 2, seconds=2, steps=6, edges=10, series=series, problem=problem)
    record.start, record.known = {CLIENT: 0, SERVER: 10}, {CLIENT: loaded, SERVER: 90}
    record.missing = ["pay"] if seed else ["pay", "return"]
    return record


def test_a_table_has_a_row_for_each_way_with_means_and_spread() -> None:
    text = report([_record("ours", 0, [2, 4]), _record("ours", 1, [4, 6]), _record("random", 0, [1, 1])], 2, 1, ["abc"])

    cells = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| shop")
    ]
    assert [row[:4] for row in cells] == [["shop", "ours", "50 (40-60)", "40"], ["shop", "random", "10", "10"]]
    assert [row[4:8] for row in cells] == [["50", "25", "30", "20"]] * 2
    assert "- shop: pay." in text


def test_client_bytes_are_a_share_of_the_most_that_was_loaded_by_any_way() -> None:
    text = report([_record("ours", 0, [2, 4], loaded=100), _record("random", 0, [1, 1], loaded=200)], 2, 1, ["abc"])

    assert [line.split("|")[5].strip() for line in text.splitlines() if line.startswith("| shop")] == ["25", "25"]


def test_a_run_that_ended_early_is_named() -> None:
    text = report([_record("ours", 3, [2, 4], problem="the browser was lost")], 2, 1, ["abc"])

    assert "- shop, ours, seed 3: the browser was lost" in text


def test_names_are_known_ones() -> None:
    read = names_of(["one", "two"])

    assert read("all") == ["one", "two"]
    assert read("two, one") == ["two", "one"]
    with pytest.raises(Exception, match="there is no three"):
        read("three")
