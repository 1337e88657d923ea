"""JUnit documents that are broken, foreign or meant to do harm."""

import pytest

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.runners.command.results import reported
from unknot.runners.command.results.junit_xml import read_junit
from unknot.runners.command.results.reported import STORY_LIMIT, ResultsRefused

TEMPLATE = "{classname}.{name}"
CASE = "<testcase name='a'/>"


@pytest.mark.parametrize(
    "declaration",
    [
        "<!DOCTYPE testsuite>",
        "<!DOCTYPE t [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>]>",
        "<!DOCTYPE t [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>",
        "<!DOCTYPE t SYSTEM 'http://127.0.0.1/x.dtd'>",
        "<!DOCTYPE t [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]>",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_declarations_are_refused_and_nothing_counts(declaration: str, encoding: str) -> None:
    with pytest.raises(ResultsRefused, match="declare") as caught:
        read_junit(f"{declaration}<testsuite>{CASE}</testsuite>".encode(encoding), TEMPLATE)
    assert isinstance(caught.value, RunnerError)
    assert caught.value.hint


def test_an_entity_that_was_not_declared_ends_the_reading() -> None:
    reading = read_junit(b"<testsuite><testcase name='a'/><testcase name='&b;'/></testsuite>", TEMPLATE)
    assert not reading.complete
    assert [one.test for one in reading.tests] == ["a"]


def test_absurd_depth_is_refused() -> None:
    with pytest.raises(ResultsRefused, match="deep"):
        read_junit(b"<testsuite>" * 1000, TEMPLATE)
    with pytest.raises(ResultsRefused, match="deep"):
        read_junit(b"<testsuite><testcase name='a'><failure>" + b"<b>" * 1000, TEMPLATE)


def test_too_many_cases_or_too_large_a_tag_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reported, "MOST_TESTS", 3)
    assert len(read_junit(f"<testsuite>{CASE * 3}</testsuite>".encode(), TEMPLATE).tests) == 3
    with pytest.raises(ResultsRefused, match="more than 3 tests"):
        read_junit(f"<testsuite>{CASE * 4}</testsuite>".encode(), TEMPLATE)
    with pytest.raises(ResultsRefused, match="tag"):
        read_junit(b"<testsuite name='" + b"x" * 20_000_000 + b"'/>", TEMPLATE)


def test_a_long_text_is_no_large_tag_and_its_story_is_short() -> None:
    text = b"<testsuite><testcase name='a'><failure><![CDATA[begins" + b"x\n" * 10_000_000 + b"ends]]></failure>"
    reading = read_junit(text + b"</testcase></testsuite>", TEMPLATE)
    assert reading.complete
    story = reading.tests[0].story
    assert len(story) < STORY_LIMIT + 100
    assert story.startswith("begins")
    assert story.endswith("ends")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("hello", "not well-formed"),
        ("<html><body/></html>", "<html>"),
        ("{}", "not well-formed"),
        ("<testsuite><testcase name='a'/>", "break off"),
        ("<testsuite><testcase name='a'/></testsuites>", "not well-formed"),
        ("<testsuite><testcase name='a'/></testsuite><testsuite/>", "not well-formed"),
        ("<testsuite><testcase name='a'/><testcase name='b'><testcase name='c'/></testcase></testsuite>", "inside"),
        ("<testsuite><testcase name='a'/><testcase name='b\x01'/></testsuite>", "not well-formed"),
        ("<testsuite><testcase name='a'/><testcase name='b&#10;c'/></testsuite>", "end of line"),
        ("<testsuite><testcase name='a'/><testcase name='b&#9;c'/></testsuite>", "control character"),
        ("<testsuite><testcase name='a'/><testcase time='1'/></testsuite>", "it is empty"),
        (f"<testsuite><testcase name='a'/><testcase name='{'x' * 5000}'/></testsuite>", "5,000 characters"),
        ("<?xml version='1.0' encoding='no-such'?><testsuite/>", "encoding"),
        ("<?xml version='1.0' encoding='utf-7'?><testsuite/>", "encoding"),
        ("<?xml version='1.0' encoding='hex'?><testsuite/>", "encoding"),
    ],
)
def test_what_is_no_whole_document_says_why_and_keeps_what_came_before(text: str, words: str) -> None:
    reading = read_junit(text.encode(), TEMPLATE)
    assert not reading.complete
    assert words in reading.problem
    assert "\n" not in reading.problem
    assert len(reading.problem) < 300
    assert [(one.test, one.outcome) for one in reading.tests] == [("a", Outcome.PASSED)] * text.count("name='a'")


def test_a_case_that_has_not_ended_is_not_reported() -> None:
    text = b"<testsuite><testcase name='a'></testcase><testcase name='b'><failure>x</failure>"
    assert [one.test for one in read_junit(text, TEMPLATE).tests] == ["a"]


def test_ids_that_look_dangerous_are_only_words() -> None:
    names = ["../../etc/passwd", "-rf", "$(touch x)", "a;b|c>d", "`id`", "%s{0}", "a b"]
    cases = "".join(f'<testcase name="{name.replace(">", "&gt;")}"/>' for name in names)
    reading = read_junit(f"<testsuite>{cases}</testsuite>".encode(), TEMPLATE)
    assert reading.complete
    assert [one.test for one in reading.tests] == names
