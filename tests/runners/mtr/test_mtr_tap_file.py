"""What is written for the reader of results comes out as it went in."""

from pathlib import Path
from tempfile import NamedTemporaryFile

from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.outcome import Outcome
from unknot.runners.command.results.tap import read_tap
from unknot.runners.mtr.output import MtrResult, TapFile

WORDS = st.sampled_from(
    [
        "ok 1 - other.test",
        "not ok",
        "1..3",
        "...",
        "---",
        "Bail out!",
        "TAP version 14",
        "# Subtest: x",
        "}",
        "é\x00\x85",
    ]
)
STORIES = st.lists(WORDS | st.text("ab#-. \n\réß\u2028\U0001f600", max_size=20), max_size=4).map("\n".join)
NAMES = st.from_regex(r"[a-z_]{1,8}\.[a-z_#-]{1,8}[a-z](,[a-z]{1,3})?", fullmatch=True)


@st.composite
def results(draw: st.DrawFn) -> list[MtrResult]:
    names = draw(st.lists(NAMES, max_size=6, unique=True))
    outcomes = st.sampled_from([Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED])
    return [MtrResult(name, draw(outcomes), draw(st.integers(0, 9999)) / 1000, draw(STORIES)) for name in names]


def written(reported: list[MtrResult], planned: int) -> bytes:
    with NamedTemporaryFile() as file:
        tap = TapFile(Path(file.name), planned)
        for one in reported:
            tap.add(one)
        tap.close()
        return file.read()


@settings(max_examples=50)
@given(results())
def test_what_was_written_is_read(reported: list[MtrResult]) -> None:
    reading = read_tap(written(reported, len(reported)))
    assert reading.complete
    assert [(one.test, one.outcome, one.seconds) for one in reading.tests] == [
        (one.test, one.outcome, one.seconds) for one in reported
    ]


@settings(max_examples=30)
@given(results(), st.integers(1, 3))
def test_an_order_that_did_not_come_to_its_end_is_not_whole(reported: list[MtrResult], missing: int) -> None:
    reading = read_tap(written(reported, len(reported) + missing))
    assert not reading.complete
    assert [one.test for one in reading.tests] == [one.test for one in reported]


def test_a_failure_keeps_its_story_line_by_line() -> None:
    story = "mysqltest: At line 3\n\n-expected\n+found"
    (one,) = read_tap(written([MtrResult("a.b", Outcome.FAILED, 1.0, story)], 1)).tests
    assert one.story.split("\n") == story.split("\n")


def test_a_skipped_test_keeps_its_reason() -> None:
    (one,) = read_tap(written([MtrResult("a.b", Outcome.SKIPPED, 0.0, "Requires debug build")], 1)).tests
    assert (one.outcome, one.story) == (Outcome.SKIPPED, "Requires debug build")
