"""One line per test, by a regular expression."""

import pytest

from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.runners.command.results.lines import LONGEST_LINE, read_lines
from unknot.runners.command.results.reported import ResultsRefused

GO = r"--- (?P<outcome>PASS|FAIL|SKIP): (?P<test>\S+) \((?P<seconds>[^)]+)\)"
PLAIN = r"(?P<test>\S+)\s+(?P<outcome>\S+)"


def test_go() -> None:
    text = b"""=== RUN   TestOk
--- PASS: TestOk (0.25s)
=== RUN   TestBad
    a_test.go:4: boom
--- FAIL: TestBad (0.00s)
=== RUN   TestSub
    --- PASS: TestSub/one (0.00s)
--- SKIP: TestSub (0.00s)
FAIL
"""
    reading = read_lines(text, GO)
    assert reading.complete
    assert [(one.test, one.outcome, one.seconds) for one in reading.tests] == [
        ("TestOk", Outcome.PASSED, 0.25),
        ("TestBad", Outcome.FAILED, 0.0),
        ("TestSub", Outcome.SKIPPED, 0.0),
    ]
    assert "boom" in reading.tests[1].story
    assert reading.tests[0].story == ""


def test_mariadb() -> None:
    text = (
        b"main.1st                                 [ pass ]      1\n"
        b"main.mysqld--help 'unix'                 [ pass ]    225\n"
        b"main.bad                                 [ fail ]\n        Test ended at 2026\nmysqltest: At line 3\n"
        b"main.off                                 [ skipped ]  Needs debug\n"
        b"main.dis                                 [ disabled ]  MDEV-1\n"
    )
    reading = read_lines(
        text,
        r"(?P<test>\w+\.\S+)(?: '[^']*')?\s+\[ (?P<outcome>\w+) \]\s*(?:(?P<milliseconds>\d+)|(?P<story>.*))$",
    )
    assert [one.outcome for one in reading.tests] == ["passed", "passed", "failed", "skipped", "skipped"]
    assert reading.tests[1].seconds == 0.225
    assert "mysqltest: At line 3" in reading.tests[2].story
    assert reading.tests[3].story == "Needs debug"


@pytest.mark.parametrize(
    ("word", "outcome"),
    [
        ("OK", "passed"),
        ("Pass", "passed"),
        ("FAILED", "failed"),
        ("ERROR", "failed"),
        ("Skip", "skipped"),
        ("XFAIL", "xfailed"),
    ],
)
def test_words_that_are_known_anyway(word: str, outcome: str) -> None:
    assert [one.outcome for one in read_lines(f"a {word}\n".encode(), PLAIN).tests] == [outcome]


def test_the_users_words_come_first_and_may_differ_by_case() -> None:
    words = (("ok", "failed"), ("K", "passed"), ("k", "skipped"), ("boom", "crashed"))
    reading = read_lines(b"a OK\nb K\nc k\nd BOOM\ne fail\n", PLAIN, words)
    assert [one.outcome for one in reading.tests] == ["failed", "passed", "skipped", "crashed", "failed"]


def test_a_word_without_a_meaning_is_named() -> None:
    with pytest.raises(ResultsRefused) as caught:
        read_lines(b"a ok\nb flarp\n", PLAIN)
    assert "`flarp`" in caught.value.message
    assert "`b`" in caught.value.message
    assert "words" in caught.value.hint


@pytest.mark.parametrize(
    ("pattern", "words", "message"),
    [
        ("(", (), "no regular expression"),
        (r"(?P<test>\w+)", (), "`outcome`"),
        (r"(?P<outcome>\w+)", (), "`test`"),
        (PLAIN, (("ok", "fine"),), "`fine`"),
        (PLAIN, (("ok", "not-run"),), "`not-run`"),
    ],
)
def test_a_pattern_or_a_meaning_that_is_none(pattern: str, words: tuple[tuple[str, str], ...], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_lines(b"", pattern, words)
    assert message in caught.value.message
    assert caught.value.hint


def test_a_last_line_without_an_end_does_not_count() -> None:
    reading = read_lines(b"a ok\nb ok", PLAIN)
    assert [one.test for one in reading.tests] == ["a"]
    assert not reading.complete
    assert "last line" in reading.problem
    assert read_lines(b"", PLAIN).complete


def test_long_lines_tell_nothing_and_bytes_that_are_no_utf_8_are_replaced() -> None:
    reading = read_lines(b"x" * LONGEST_LINE + b" ok\n\xff ok\r\n", PLAIN)
    assert [one.test for one in reading.tests] == ["\ufffd"]
    assert reading.complete


def test_an_id_that_cannot_be_used_ends_the_reading() -> None:
    reading = read_lines(b"a ok\nb\0c ok\nd ok\n", PLAIN)
    assert [one.test for one in reading.tests] == ["a"]
    assert not reading.complete
    assert "NUL" in reading.problem


def test_only_a_new_line_ends_a_line() -> None:
    """Other characters that Python could take for one are a test's own output."""
    assert [
        one.test for one in read_lines("x\u2028b ok\x0cc ok\n".encode(), r"(?P<test>\S+) (?P<outcome>ok)").tests
    ] == []
    assert len(read_lines(b"a ok\x0cb ok\n", PLAIN).tests) == 1


def test_a_story_of_several_lines_on_one() -> None:
    pattern = r"(?P<test>\S+) (?P<outcome>\S+) (?P<escaped_story>.*)"
    (found,) = read_lines(rb"t failed one\ntwo\tthree C:\\new \x" + b"\n", pattern).tests
    assert found.story == "one\ntwo\tthree C:\\new \\x"
