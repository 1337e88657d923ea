"""Ids, times, excerpts, and results that lie in files."""

import os
from pathlib import Path

import pytest

from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.runners.command.results.formats import check_results, read_results
from unknot.runners.command.results.ids import check_id
from unknot.runners.command.results.reported import STORY_LIMIT, ResultsRefused, StoryExcerpt, parse_seconds
from unknot.runners.command.spec import ResultsSpec

JUNIT = ResultsSpec("junit")
DOCUMENT = b"<testsuite><testcase name='a'/></testsuite>"


@pytest.mark.parametrize(
    "text",
    ["a", "../x", "-rf", "--help", "$(x) `y` ;|&<>*?'\"\\", "a b", " a", "é", "テスト", "{tests}", "x" * 4096, "%00"],
)
def test_words_of_any_kind_are_ids(text: str) -> None:
    assert check_id(text) == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("x" * 4097, "4,097"),
        ("a\0b", "NUL (U+0000) at character 2"),
        ("a\nb", "end of line (U+000A)"),
        ("a\rb", "end of line"),
        ("ab\t", "control character (U+0009) at character 3"),
        ("\x1b[31m", "U+001B"),
        ("é\x85", "U+0085"),
        ("a\u2028", "end of line"),
        ("a\udc80", "half a character"),
    ],
)
def test_what_is_no_word_of_one_line_is_no_id(text: str, words: str) -> None:
    problem = check_id(text)
    assert words in problem
    assert problem.isprintable()
    assert len(problem) < 200


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0.25", 0.25),
        ("1,234.5", 1234.5),
        ("1.234,5", 1234.5),
        ("1,234,567", 1234567.0),
        ("0,25", 0.25),
        ("1'234.5", 1234.5),
        ("1e-3", 0.001),
        ("12ms", 0.012),
        (" 3 s ", 3.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("", 0.0),
        ("soon", 0.0),
        ("-1", 0.0),
        ("nan", 0.0),
        ("inf", 0.0),
        ("1e99", 0.0),
        ("9" * 100, 0.0),
        ("٣", 0.0),
    ],
)
def test_seconds(text: str, seconds: float) -> None:
    assert parse_seconds(text) == pytest.approx(seconds)


def test_an_excerpt_is_the_same_however_the_text_comes_in() -> None:
    text = "".join(f"line {number}\n" for number in range(20_000))
    for size in (1, 7, 10_000, 15_000, len(text)):
        kept = StoryExcerpt()
        for place in range(0, len(text), size):
            kept.add(text[place : place + size])
        half = STORY_LIMIT // 2
        middle = f"\n[… {len(text) - STORY_LIMIT:,} characters left out …]\n"
        assert kept.text() == text[:half] + middle + text[-half:]


def test_a_text_that_fits_is_kept_whole() -> None:
    kept = StoryExcerpt()
    kept.add("x" * STORY_LIMIT)
    assert kept.text() == "x" * STORY_LIMIT


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "r.xml"
    file.write_bytes(DOCUMENT)
    reading = read_results(JUNIT, file)
    assert reading.complete
    assert [(one.test, one.outcome) for one in reading.tests] == [("a", Outcome.PASSED)]
    assert read_results(JUNIT, DOCUMENT) == reading


def test_a_file_that_is_not_there_or_no_file_reports_nothing_and_does_not_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    for name, words in (
        ("none.xml", "no results to `none.xml`"),
        (".", "Is a directory"),
        ("pipe", "no regular file"),
        ("loop", "cannot be read"),
        ("a" * 300, "cannot be read"),
        ("nul\0", "cannot be read"),
    ):
        reading = read_results(JUNIT, tmp_path / name)
        assert (reading.tests, reading.complete) == ((), False)
        assert words in reading.problem


def test_more_than_the_limit_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.xml"
    file.write_bytes(DOCUMENT)
    for source in (file, DOCUMENT):
        assert read_results(JUNIT, source, len(DOCUMENT)).complete
        with pytest.raises(ResultsRefused, match="bytes"):
            read_results(JUNIT, source, len(DOCUMENT) - 1)


def test_each_format_has_its_reader() -> None:
    lines = ResultsSpec("lines", pattern=r"(?P<test>\w) (?P<outcome>\w+)", words=(("gut", "passed"),))
    for spec, data in ((lines, b"a gut\n"), (ResultsSpec("tap"), b"1..1\nok 1 - a\n")):
        assert [(one.test, one.outcome) for one in read_results(spec, data).tests] == [("a", Outcome.PASSED)]
    with pytest.raises(ValueError, match="exit status"):
        read_results(ResultsSpec("exit-status"), b"")


def test_a_specification_can_be_checked_before_anything_runs() -> None:
    for good in (JUNIT, ResultsSpec("tap"), ResultsSpec("exit-status")):
        check_results(good)
    for bad in (ResultsSpec("junit", id="{nome}"), ResultsSpec("lines"), ResultsSpec("lines", pattern="(")):
        with pytest.raises(UsageError):
            check_results(bad)
