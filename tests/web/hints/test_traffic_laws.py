"""What holds for any traffic, however strange."""

import io
import json
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from unknot.model.suite import Suite, TestId
from unknot.model.traffic import Entry, Exchange, Field, Look, Moment, Page, Traffic
from unknot.runners.pytest.inside.browser.traffic_ledger import TrafficLedger
from unknot.store.traffic_file import dumps, read_traffic_file
from unknot.web.hints.storage import storage_candidates
from unknot.web.hints.traffic.candidates import traffic_candidates
from unknot.web.hints.traffic.events import read_traffic
from unknot.web.hints.traffic.values import condense

TESTS = tuple(TestId(f"t{number}") for number in range(5))

words = st.sampled_from(
    ["nora", "Moby Dick", "user001", "7", "on", "</script><script>alert(1)</script>", "\x1b[31m", "李雷"]
)
texts = st.one_of(words, st.text(max_size=8), st.lists(words, max_size=4).map(" ".join))
addresses = st.sampled_from(["/users", "/users/7", "/users/7/delete", "/", "/x?id=3", "//[", "/login", "/graphql"])
fields = st.builds(Field, st.sampled_from(["name", "password"]), texts, st.booleans())
exchanges = st.builds(
    Exchange,
    st.sampled_from(TESTS),
    st.sampled_from(["GET", "POST", "DELETE", "\x00"]),
    addresses,
    st.integers(0, 2),
    st.booleans(),
    st.lists(fields, max_size=3).map(tuple),
    st.sampled_from([0, 200, 303, 404]),
    st.one_of(st.just(""), addresses),
    st.lists(texts, max_size=2).map(tuple),
    texts,
    st.sampled_from(["", "a", "b"]),
    st.booleans(),
)
pages = st.builds(Page, st.sampled_from(TESTS), addresses, st.integers(0, 2), texts)
entries = st.builds(Entry, st.sampled_from(["cookie", "localStorage"]), st.just("o"), words, st.sampled_from("ab"))
looks = st.builds(
    Look,
    st.sampled_from((*TESTS, TestId(""))),
    st.integers(1, 2),
    st.sampled_from(Moment),
    st.lists(entries, max_size=3, unique_by=lambda entry: entry.key).map(tuple),
    st.sampled_from([(), ("o",)]),
)
traffics = st.builds(
    Traffic,
    st.just(TESTS),
    st.lists(exchanges, max_size=10).map(tuple),
    st.lists(pages, max_size=3, unique=True).map(tuple),
    st.lists(looks, max_size=8).map(tuple),
    st.integers(0, 2),
    st.lists(st.sampled_from(TESTS), max_size=1).map(tuple),
)


@given(traffics, st.permutations(TESTS))
def test_only_earlier_tests_are_candidates_each_pair_once_and_always_the_same(
    traffic: Traffic, order: list[TestId]
) -> None:
    suite = Suite(tuple(order[:4]))
    for find in (traffic_candidates, storage_candidates):
        found, notes = find(traffic, suite)
        pairs = [(edge.dependent, edge.prerequisite) for edge in found]
        assert all(prerequisite < dependent < len(suite) for dependent, prerequisite in pairs)
        assert pairs == sorted(set(pairs))
        assert all(edge.reasons or edge.gaps for edge in found)
        assert find(traffic, suite) == (found, notes)


@given(traffics)
def test_nothing_is_lost_when_texts_are_condensed_and_when_traffic_is_written_to_disk(traffic: Traffic) -> None:
    suite = Suite(TESTS)
    assert traffic_candidates(condense(traffic), suite) == traffic_candidates(traffic, suite)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "traffic.json"
        path.write_text(dumps(traffic), encoding="utf-8")
        assert read_traffic_file(path) == traffic


def _event(**facts: object) -> str:
    usual = {
        **{"kind": "exchange", "owner": "t0", "context": 1, "moment": 1, "method": "post", "url": "http://h/users?x=1"},
        **{
            "resource": "document",
            "body": "",
            "body_type": "",
            "referer": "",
            "status": 200,
            "type": "",
            "location": "",
        },
        "text": "",
    }
    return json.dumps({**usual, **facts})


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=10))
def test_whatever_a_browser_sends_is_read(body: str, text: str, kind: str) -> None:
    lines = [_event(body=body, text=text, type=kind, body_type=kind, location=text), _event(body=body)[:-3], ""]
    [exchange] = read_traffic(lines, TESTS, str).exchanges
    assert (exchange.test, exchange.method, exchange.address) == ("t0", "POST", "/users?x=1")


def test_requests_of_shared_fixtures_belong_to_no_test_and_all_are_ordered_by_their_start() -> None:
    lines = [_event(moment=3, url="http://h/c"), _event(moment=1, url="http://h/a"), _event(owner="", moment=2)]
    assert [each.address for each in read_traffic(lines, TESTS, str).exchanges] == ["/a", "/c"]


def test_a_password_in_an_address_is_kept_as_a_digest_only() -> None:
    url = "http://h/login?user=nora&Pass%77ord=open+sesame"
    traffic = read_traffic([_event(url=url, location=f"{url}#top"), _event(moment=2, url=url)], TESTS, str)
    assert "sesame" not in dumps(traffic)
    one, other = traffic.exchanges
    assert one.address == other.address == one.location
    assert one.fields[1].is_secret
    assert one.address.endswith(one.fields[1].value), "the same digest as that of the field"


def test_a_page_is_the_same_whatever_token_its_form_carries() -> None:
    page = '<form><input type="hidden" name="csrf_token" value="{}"><p>{}</p></form>'
    texts = [page.format("a1", "open"), page.format("b2", "open"), page.format("b2", "closed")]
    lines = [_event(moment=at, type="text/html", text=text) for at, text in enumerate(texts)]
    one, same, other = (each.digest for each in read_traffic(lines, TESTS, str).exchanges)
    assert one == same != other


def test_a_test_that_shows_more_than_is_kept_counts_as_not_recorded_completely() -> None:
    file = io.StringIO()
    ledger = TrafficLedger(file)
    for time in range(60):
        for owner in ("t0", "", "t1")[: 2 if time else 3]:
            ledger.owner = owner
            ledger.page(1, "http://h/list", "x" * 200_000)
    traffic = read_traffic(file.getvalue().splitlines(), TESTS, str)
    assert traffic.unseen == ("t0",)
    assert [note.partition(":")[0] for note in traffic.notes] == ["t0", "a fixture"]
