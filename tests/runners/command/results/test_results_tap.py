"""TAP, as it is defined and as tools write it."""

import pytest

from unknot.model.outcome import Outcome
from unknot.runners.command.results import reported
from unknot.runners.command.results.reported import Reading, ResultsRefused
from unknot.runners.command.results.tap import read_tap

PASSED, FAILED, SKIPPED = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED


def read(text: str) -> Reading:
    return read_tap(text.encode())


def outcomes(reading: Reading) -> list[tuple[str, Outcome]]:
    assert reading.complete, reading.problem
    return [(one.test, one.outcome) for one in reading.tests]


def test_node() -> None:
    reading = read(
        """TAP version 13
# hello out
# Subtest: top ok
ok 1 - top ok
  ---
  duration_ms: 1.5
  ...
# Subtest: top \\# hash, fail
not ok 2 - top \\# hash, fail
  ---
  duration_ms: 2.25
  error: '1 == 2'
  stack: |-
    ok 7 - not a test
  ...
# Subtest: todo one
not ok 3 - todo one # TODO
  ---
  duration_ms: 0.19323
  ...
# Subtest: outer
    # Subtest: in1
    ok 1 - in1
      ---
      duration_ms: 99999
      ...
    # Subtest: in2
    not ok 2 - in2
      ---
      error: 'boom'
      ...
    1..2
not ok 4 - outer
  ---
  duration_ms: 3
  failureType: 'subtestsFailed'
  ...
1..4
# tests 8
# duration_ms 149.791808
"""
    )
    assert outcomes(reading) == [
        ("top ok", PASSED),
        ("top # hash, fail", FAILED),
        ("todo one", Outcome.XFAILED),
        ("outer", FAILED),
    ]
    assert [one.seconds for one in reading.tests] == pytest.approx([0.0015, 0.00225, 0.00019323, 0.003])
    stories = [one.story for one in reading.tests]
    assert stories[0] == ""
    assert stories[1] == "error: '1 == 2'\nstack: |-\n  ok 7 - not a test"
    assert "subtestsFailed" in stories[3]
    assert "boom" in stories[3]
    assert "tests 8" not in stories[3]


def test_bats() -> None:
    reading = read(
        """1..4
ok 1 one passes
not ok 2 two fails
# (in test file b/x.bats, line 2)
#   `@test "two fails" { false; }' failed
ok 3 three skipped # skip because #3
ok 4 four \\ with # and <&>
"""
    )
    assert outcomes(reading) == [
        ("one passes", PASSED),
        ("two fails", FAILED),
        ("three skipped", SKIPPED),
        ("four \\ with # and <&>", PASSED),
    ]
    assert reading.tests[1].story == '(in test file b/x.bats, line 2)\n  `@test "two fails" { false; }\' failed'
    assert reading.tests[2].story == "because #3"


def test_bats_13_calls_a_skipped_test_not_ok() -> None:
    assert outcomes(read("TAP version 13\n1..1\nnot ok 1 three # SKIP why\n")) == [("three", SKIPPED)]


def test_vitest_with_subtests_in_braces() -> None:
    reading = read(
        """TAP version 13
1..2
not ok 1 - v/a.spec.mjs # time=9.97ms {
    1..2
    ok 1 - ok # time=1.65ms
    not ok 2 - bad # time=6.61ms
        ---
        error: "expected 1"
        ...
}
ok 2 - flat > b # time=2s
"""
    )
    assert outcomes(reading) == [("v/a.spec.mjs", FAILED), ("flat > b", PASSED)]
    assert "expected 1" in reading.tests[0].story
    assert [one.seconds for one in reading.tests] == pytest.approx([0.00997, 2.0])


def test_mocha_writes_diagnostics_without_a_frame_and_the_plan_last() -> None:
    reading = read("ok 1 outer ok\nnot ok 2 outer bad\n  x\n  Error: x\nok 3 sk # SKIP -\n# tests 2\n1..3\n")
    assert outcomes(reading) == [("outer ok", PASSED), ("outer bad", FAILED), ("sk", SKIPPED)]
    assert "Error: x" in reading.tests[1].story


@pytest.mark.parametrize(
    ("line", "test", "outcome"),
    [
        ("ok", "", PASSED),
        ("ok a", "a", PASSED),
        ("ok - a", "a", PASSED),
        ("ok 1 -x", "-x", PASSED),
        ("ok 1 - - x", "- x", PASSED),
        ("not ok 1 - a", "a", FAILED),
        ("ok 1 - a # TODO later", "a", Outcome.XPASSED),
        ("not ok 1 - a # todo", "a", Outcome.XFAILED),
        ("ok 1 - a # Skipped: why", "a", SKIPPED),
        ("ok 1 - a \\# SKIP", "a # SKIP", PASSED),
        ("ok 1 - a # skipping rope", "a # skipping rope", PASSED),
        ("ok 1 - a#TODO", "a#TODO", PASSED),
        ("ok 1 - C:\\\\x", "C:\\x", PASSED),
        ("ok 1 - a # b # SKIP", "a # b", SKIPPED),
        ("ok 1 - ../x; rm -rf $HOME", "../x; rm -rf $HOME", PASSED),
    ],
)
def test_a_line(line: str, test: str, outcome: Outcome) -> None:
    reading = read(f"1..1\n{line}\r\n")
    if test:
        assert outcomes(reading) == [(test, outcome)]
    else:
        assert not reading.complete
        assert "no description" in reading.problem


@pytest.mark.parametrize(
    ("text", "count", "words"),
    [
        ("", 0, "no plan"),
        ("ok 1 - a\n", 1, "no plan"),
        ("1..2\nok 1 - a\n", 1, "only 1"),
        ("1..1\nok 1 - a", 0, "middle of a line"),
        ("1..1\nnot ok 1 - a\n  ---\n  error: x\n", 1, "diagnostics"),
        ("1..1\nok 1 - a\nok 2 - b\n", 1, "another one follows"),
        ("ok 1 - a\nok 2 - b\n1..1\n", 2, "but 2 were reported"),
        ("ok 1 - a\n1..2\nok 2 - b\n", 1, "another one follows"),
        ("1..2\nok 1 - a\n1..2\nok 2 - b\n", 1, "second plan"),
        ("TAP version 14\n1..1\nok 1 - a\nTAP version 14\n", 1, "second time"),
        ("1..3\nok 1 - a\nok 3 - c\n", 1, "number 3 where 2"),
        ("1..2\nok 1 - a\nok 1 - a\n", 1, "number 1 where 2"),
        ("1..2\nok 1 - a\nBail out! no database\n", 1, "Bail out! no database"),
        ("1..2\nok 1 - a\nok 2 - b\x07\n", 1, "control character"),
        (f"1..2\nok 1 - a\nok 2 - {'x' * 5000}\n", 1, "5,000"),
    ],
)
def test_what_is_not_whole_says_why_and_keeps_what_came_before(text: str, count: int, words: str) -> None:
    reading = read(text)
    assert not reading.complete
    assert len(reading.tests) == count
    assert words in reading.problem


def test_a_plan_that_skips_all_is_whole_and_says_why() -> None:
    reading = read("TAP version 14\n1..0 # SKIP no database here\n")
    assert (reading.tests, reading.complete) == ((), True)
    assert "no database here" in reading.problem


def test_lines_that_are_no_tap_and_pragmas_do_no_harm() -> None:
    text = "TAP version 14\npragma +strict\n1..2\nokay then\nok 1 - a\nsome output\n\nnot okay\nok 2 - b\n"
    assert outcomes(read(text)) == [("a", PASSED), ("b", PASSED)]


def test_a_block_whose_writer_died_does_not_swallow_the_next_test() -> None:
    reading = read("1..2\nnot ok 1 - a\n  ---\n  error: x\nok 2 - b\n")
    assert outcomes(reading) == [("a", FAILED), ("b", PASSED)]


def test_bytes_that_are_no_utf_8_are_replaced() -> None:
    assert outcomes(read_tap(b"1..1\nok 1 - a\xff\n")) == [("a\ufffd", PASSED)]


def test_too_many_tests_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reported, "MOST_TESTS", 2)
    assert len(read("ok - a\nok - b\n1..2\n").tests) == 2
    with pytest.raises(ResultsRefused, match="more than 2 tests"):
        read("ok - a\nok - b\nok - c\n1..3\n")
