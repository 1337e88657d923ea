"""Pairs of observations that a person has labelled."""

from bench.crawl.kinds.observations import FILES, read
from bench.crawl.kinds.pairs import PAIRS, LabelledPair, labels, pairs
from bench.crawl.kinds.run import precision_and_recall


def test_half_of_the_pairs_are_of_the_same_page_and_none_is_there_twice() -> None:
    named = {number: f"page {number % 9}" for number in range(60)}
    drawn = pairs(named)
    assert len(set(drawn)) == len(drawn) == PAIRS
    assert sum(each.is_same for each in drawn) == PAIRS // 2
    assert all((named[each.one] == named[each.other]) == each.is_same for each in drawn)
    assert drawn == pairs(named)


def test_a_page_that_was_seen_often_is_not_most_of_the_pairs() -> None:
    named = {number: "often" if number < 50 else f"page {number % 5}" for number in range(60)}
    same = [each for each in pairs(named) if each.is_same]
    assert {named[each.one] for each in same} == set(named.values())


def test_precision_counts_wrong_pairs_and_recall_missed_ones() -> None:
    given = [LabelledPair(1, 2, True), LabelledPair(1, 3, True), LabelledPair(1, 4, False), LabelledPair(3, 4, False)]
    assert precision_and_recall({1: "a", 2: "a", 3: "b", 4: "a"}, given) == (0.5, 0.5)
    assert precision_and_recall({1: "a", 2: "b", 3: "c", 4: "d"}, given) == (1.0, 0.0)


def test_every_label_has_its_observation() -> None:
    for path in FILES.glob("*.json.gz"):
        application = path.name.partition(".")[0]
        assert set(labels(application)) <= {each.number for each in read(application)}
        assert path.stat().st_size < 1_000_000
