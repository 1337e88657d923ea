"""Last writer before each reader: what is a flow, which way it points, and what is none."""

from hypothesis import given
from hypothesis import strategies as st

from unknot.hints.recording import RecordedFlows
from unknot.model.outcome import Outcome
from unknot.model.recording import FlowKind, Frame, Location
from unknot.model.suite import Suite, TestId
from unknot.recorder.events import Event, Events
from unknot.recorder.flows import recording

A, B, C, D = (TestId(name) for name in "abcd")
CART = Location("memory", "shop.CART")
SEED = Location("process", "random.getstate()")
RAW, WAR = FlowKind.READ_AFTER_WRITE, FlowKind.WRITE_AFTER_READ


def wrote(test: TestId, sign: int, location: Location = CART, **more: object) -> Event:
    return Event(test, "wrote", location, (), fingerprint=sign, **more)  # type: ignore[arg-type]


def read(test: TestId, location: Location = CART, line: int = 1) -> Event:
    return Event(test, "read", location, (Frame("shop.py", line, "total"),))


def flows(*events: Event, second: Events | None = None, **more: object) -> list[tuple[str, str, str, bool]]:
    first = Events([A, B, C, D], list(events), **more)  # type: ignore[arg-type]
    found = recording(first, second, dict.fromkeys(first.tests, Outcome.PASSED))
    return [(flow.kind.value, flow.writer, flow.reader, flow.harmless) for flow in found.flows]


def test_a_reader_finds_what_the_last_writer_before_it_left() -> None:
    assert flows(wrote(A, 1), wrote(B, 2), read(C)) == [("raw", "b", "c", False)]


def test_a_reader_must_not_come_after_the_next_writer() -> None:
    assert flows(read(A), wrote(B, 1), wrote(C, 2)) == [("war", "b", "a", False)]


def test_reading_in_between_gives_both() -> None:
    assert flows(wrote(A, 1), read(B), wrote(C, 2)) == [("raw", "a", "b", False), ("war", "c", "b", False)]


def test_what_a_test_writes_and_reads_itself_flows_nowhere() -> None:
    assert flows(wrote(A, 1), read(A)) == []


def test_a_restored_content_is_read_after_whoever_restored_it() -> None:
    found = flows(wrote(A, 1), wrote(B, 0, restored=True), read(C))
    assert found == [("raw", "b", "c", False)]


def test_restoring_harms_no_earlier_reader() -> None:
    assert flows(wrote(A, 1), read(B), wrote(C, 0, restored=True)) == [("raw", "a", "b", False)]


def test_a_write_that_changes_nothing_serves_those_after_it() -> None:
    found = flows(wrote(A, 1), wrote(B, 1, unchanged=True), read(C))
    assert found == [("raw", "b", "c", False)]


def test_a_write_that_only_confirms_the_clean_state_flows_nowhere() -> None:
    assert flows(wrote(A, 0, unchanged=True, restored=True), read(B), wrote(C, 1)) == [("war", "c", "b", False)]


def test_a_write_that_changes_nothing_is_known_from_the_second_pass_too() -> None:
    second = Events([A, B, C, D], [wrote(A, 0, unchanged=True, restored=True), wrote(C, 1)])
    found = recording(Events([A, B, C, D], [wrote(C, 1), read(D)]), second, {})
    (account,) = found.accounts
    assert [(write.test, write.restored) for write in account.writes] == [(A, True), (C, False)]


def test_a_shared_fixture_is_nobodys_doing_for_those_who_have_it() -> None:
    events = (wrote(A, 1, fixture="db#0"), read(B), read(C))
    assert flows(*events, uses={A: frozenset({"db#0"}), B: frozenset({"db#0"})}) == [("raw", "a", "c", False)]


def test_a_reader_that_alone_makes_the_same_meets_a_cache() -> None:
    second = Events([A, B], alone={(B, CART): (7, None)})
    assert flows(wrote(A, 7), read(B), second=second) == [("raw", "a", "b", True)]


def test_a_reader_that_alone_makes_something_else_does_not() -> None:
    second = Events([A, B], alone={(B, CART): (8, None)})
    assert flows(wrote(A, 7), read(B), second=second) == [("raw", "a", "b", False)]


def test_a_reader_that_goes_on_counting_meets_no_cache() -> None:
    second = Events([A, B], alone={(B, CART): (1, None)})
    assert flows(wrote(A, 1), read(B), wrote(B, 2), second=second)[0] == ("raw", "a", "b", False)


def test_random_numbers_matter_only_where_they_were_seeded() -> None:
    events = (wrote(A, 11, SEED), read(B, SEED))
    drawn = Events([A, B], [wrote(A, 12, SEED)])
    seeded = Events([A, B], [wrote(A, 11, SEED)])
    assert flows(*events, second=drawn) == []
    assert flows(*events, second=seeded) == [("raw", "a", "b", False)]


def test_lines_of_the_second_pass_are_the_writers() -> None:
    line = (Frame("shop.py", 41, "add"),)
    first = Events([A, B], [wrote(A, 1), read(B)])
    second = Events([A, B], [Event(A, "wrote", CART, line, fingerprint=1)])
    found = recording(first, second, {})
    assert found.flows[0].written == line
    assert found.left[0].written == line


def test_reads_that_only_the_second_pass_saw_count_too() -> None:
    first = Events([A, B], [wrote(B, 1)])
    second = Events([A, B], [read(A)])
    assert [(flow.kind, flow.writer, flow.reader) for flow in recording(first, second, {}).flows] == [(WAR, B, A)]


def test_pollution_is_what_stays_changed() -> None:
    first = Events([A, B, C], [wrote(A, 1), wrote(B, 0, restored=True), wrote(C, 3, fixture="app#0")])
    assert [left.test for left in recording(first, None, {}).left] == [A]


def test_the_candidates_of_a_recording_leave_caches_out() -> None:
    second = Events([A, B, C], alone={(B, CART): (1, None)})
    found = recording(Events([A, B, C], [wrote(A, 1), read(B), read(C)]), second, {})
    suite = Suite((A, B, C))
    assert set(found.may_need(suite).edges()) == {(2, 0)}
    assert RecordedFlows.of(found, suite).may_be_broken_by == (0, 1, 1)


def test_one_program_may_read_what_another_wrote() -> None:
    touch, look = (Location("subprocess", name) for name in ("touch", "test"))
    first = Events([A, B, C], [wrote(A, 1, touch), read(A, touch), wrote(C, 1, look), read(C, look)])
    found = RecordedFlows.of(recording(first, None, {}), Suite((A, B, C)))
    assert found.may_need == (0, 0, 0b001)
    assert found.may_be_broken_by == found.written_by == (0b100, 0, 0b001)


def test_only_what_is_no_file_keeps_tests_apart() -> None:
    outside = {A: ("file x", "subprocess touch"), B: ("port 80",), C: ("file x", "table t")}
    assert recording(Events([A, B, C], [], outside=outside), None, {}).users_of_servers == [B, C]


_STEPS = st.lists(st.tuples(st.integers(0, 7), st.booleans()), max_size=30)


@given(_STEPS)
def test_every_read_after_write_is_the_one_a_simple_replay_finds(steps: list[tuple[int, bool]]) -> None:
    """Replay: within a test the read comes first, and the write counts from the next test on."""
    tests = tuple(TestId(f"t{number}") for number in range(8))
    reads = {tests[number] for number, is_read in steps if is_read}
    writes = {tests[number] for number, is_read in steps if not is_read}
    events = [*(read(test) for test in reads), *(wrote(test, 1) for test in writes)]
    expected: set[tuple[FlowKind, TestId, TestId]] = set()
    last: TestId | None = None
    since: list[TestId] = []
    for test in tests:
        if test in reads:
            if last is not None:
                expected.add((RAW, last, test))
            since.append(test)
        if test in writes:
            expected |= {(WAR, test, reader) for reader in since if reader != test}
            last, since = test, []
            if test in reads:
                # It found what was there before, and the next writer comes after it all the same.
                since.append(test)
    found = recording(Events(list(tests), events), None, {})
    assert {(flow.kind, flow.writer, flow.reader) for flow in found.flows} == expected


def test_a_database_in_a_file_keeps_no_tests_apart_and_one_of_a_server_does() -> None:
    in_file = ("database /x/shop.db", "file /x/shop.db", "table /x/shop.db: table carts")
    outside = {A: in_file, B: (*in_file, "table shop: table carts"), C: ("database shop",)}
    assert recording(Events([A, B, C], [], outside=outside), None, {}).users_of_servers == [B, C]
