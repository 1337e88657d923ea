"""Laws of all readers: what was written is read; what is cut reports less, never something else; noise does no harm."""

from collections.abc import Callable
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.suite import TestId
from unknot.runners.command.parse_results import matched
from unknot.runners.command.results.formats import read_results
from unknot.runners.command.results.ids import check_id
from unknot.runners.command.results.reported import Reading
from unknot.runners.command.spec import ResultsSpec

Case = tuple[str, Outcome]

PASSED, FAILED, SKIPPED = Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED
XFAILED, XPASSED = Outcome.XFAILED, Outcome.XPASSED

JUNIT = ResultsSpec("junit", id="{name}")
TAP = ResultsSpec("tap")
LINES = ResultsSpec("lines", pattern=r"(?P<test>.+) \.\.\. (?P<outcome>ok|not ok|skipped|xfail|xpass)$")


def junit_document(cases: list[Case], story: str) -> bytes:
    inside = {
        PASSED: "",
        FAILED: f"<failure message={quoteattr(story)}>x</failure>",
        SKIPPED: "<skipped/>",
        XFAILED: "<skipped type='pytest.xfail'/>",
        XPASSED: "<skipped type='todo'/>",
    }
    body = "".join(f"<testcase name={quoteattr(test)}>{inside[outcome]}</testcase>\n" for test, outcome in cases)
    return f"<?xml version='1.0' encoding='utf-8'?><testsuites><testsuite>{body}</testsuite></testsuites>\n".encode()


def tap_document(cases: list[Case], story: str, *, plan_first: bool = True) -> bytes:
    lines = []
    for number, (test, outcome) in enumerate(cases, 1):
        description = test.replace("\\", "\\\\").replace("#", "\\#")
        verdict = "not ok" if outcome in (FAILED, XFAILED) else "ok"
        directive = {SKIPPED: " # SKIP why", XFAILED: " # TODO", XPASSED: " # TODO"}.get(outcome, "")
        lines.append(f"{verdict} {number} - {description}{directive}")
        if outcome is FAILED:
            lines += ["  ---", *(f"  {line}" for line in story.split("\n")), "  ..."]
    plan = f"1..{len(cases)}"
    whole = ["TAP version 14", plan, *lines] if plan_first else ["TAP version 14", *lines, plan]
    return ("\n".join(whole) + "\n").encode()


def tap_document_plan_last(cases: list[Case], story: str) -> bytes:
    return tap_document(cases, story, plan_first=False)


def lines_document(cases: list[Case], story: str) -> bytes:
    words = {PASSED: "ok", FAILED: "not ok", SKIPPED: "skipped", XFAILED: "xfail", XPASSED: "xpass"}
    return "".join(f"{test} ... {words[outcome]}\n# {story!r}\n" for test, outcome in cases).encode()


WRITERS = pytest.mark.parametrize(
    ("spec", "written"),
    [(JUNIT, junit_document), (TAP, tap_document), (TAP, tap_document_plan_last), (LINES, lines_document)],
)

printable = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp", "Zs", "Cn"])
ids = st.text(st.one_of(st.sampled_from("# -.ok12\\'\"<&>"), printable), min_size=1, max_size=12).map(
    # A TAP description has no blanks around it, and does not begin with the dash that stands before it.
    lambda text: "t" + text.strip() + "t"
)
cases_of = st.lists(
    st.tuples(ids, st.sampled_from([PASSED, FAILED, SKIPPED, XFAILED, XPASSED])),
    max_size=6,
    unique_by=lambda case: case[0],
)
stories = st.text(st.one_of(st.sampled_from("ok 1-\n#.<"), printable), max_size=20)


def cases_in(reading: Reading) -> list[Case]:
    return [(one.test, one.outcome) for one in reading.tests]


@WRITERS
@given(cases=cases_of, story=stories)
def test_what_was_written_is_read(
    spec: ResultsSpec, written: Callable[[list[Case], str], bytes], cases: list[Case], story: str
) -> None:
    reading = read_results(spec, written(cases, story))
    assert reading.complete, reading.problem
    assert cases_in(reading) == cases
    found = matched(tuple(TestId(test) for test, _ in cases), reading, checks_order=True)
    assert found.problem == ""
    assert [result.outcome for result in found.results] == [outcome for _, outcome in cases]


@WRITERS
@settings(max_examples=50)
@given(cases=cases_of, story=stories, data=st.data())
def test_a_document_that_is_cut_reports_less_and_nothing_else(
    spec: ResultsSpec, written: Callable[[list[Case], str], bytes], cases: list[Case], story: str, data: st.DataObject
) -> None:
    document = written(cases, story)
    cut = data.draw(st.integers(0, max(0, len(document) - 1)), label="cut")
    reading = read_results(spec, document[:cut])
    assert cases_in(reading) == cases[: len(reading.tests)]
    if reading.complete and spec is not LINES:
        assert cases_in(reading) == cases
    order = tuple(TestId(test) for test, _ in cases)
    found = matched(order, reading, checks_order=True)
    assert [result.outcome for result in found.results] == [outcome for _, outcome in cases][: len(found.results)]
    assert found.problem or len(found.results) == len(order)


def assert_harmless(spec: ResultsSpec, data: bytes) -> None:
    """Read or refused: with words in either case, and never with an id that is none."""
    try:
        reading = read_results(spec, data)
    except RunnerError as error:
        reading = Reading((), False, error.message if error.hint else "")
    assert reading.complete or reading.problem
    assert all(check_id(one.test) == "" for one in reading.tests)


@WRITERS
@settings(max_examples=50)
@given(cases=cases_of, noise=st.binary(max_size=30), data=st.data())
def test_noise_in_a_document_raises_nothing_but_a_refusal(
    spec: ResultsSpec, written: Callable[[list[Case], str], bytes], cases: list[Case], noise: bytes, data: st.DataObject
) -> None:
    document = written(cases, "x")
    place = data.draw(st.integers(0, len(document)), label="place")
    length = data.draw(st.integers(0, 20), label="length")
    assert_harmless(spec, document[:place] + noise + document[place + length :])


pieces = st.lists(
    st.one_of(
        st.binary(max_size=8),
        st.sampled_from(
            [
                b"<testsuite>",
                b"</testsuite>",
                b"<testcase name='a'>",
                b"</testcase>",
                b"<failure/>",
                b"<!DOCTYPE a",
                b"&a;",
                b"<![CDATA[",
                b"]]>",
                b"<?xml version='1.0' encoding='",
                b"utf-16",
                b"'?>",
                b"1..3",
                b"ok ",
                b"not ok 1 - a",
                b"\n",
                b"    ",
                b"  ---",
                b"  ...",
                b"# Subtest: a",
                b" # SKIP",
                b"Bail out!",
                b"TAP version 14",
                b" ... ok",
            ]
        ),
    ),
    max_size=25,
).map(b"".join)


@pytest.mark.parametrize("spec", [JUNIT, TAP, LINES])
@given(data=pieces)
def test_bytes_of_any_kind_raise_nothing_but_a_refusal(spec: ResultsSpec, data: bytes) -> None:
    assert_harmless(spec, data)


@given(
    order=st.permutations("abcd").flatmap(lambda tests: st.integers(1, 4).map(lambda size: tuple(tests[:size]))),
    expected=st.lists(st.tuples(st.sampled_from("abcdx"), st.sampled_from([PASSED, FAILED])), max_size=6),
    complete=st.booleans(),
    checks_order=st.booleans(),
)
def test_results_are_always_those_of_the_orders_beginning(
    order: tuple[TestId, ...], expected: list[Case], complete: bool, checks_order: bool
) -> None:
    lines = "".join(f"{test} ... {'ok' if outcome is PASSED else 'not ok'}\n" for test, outcome in expected)
    found = matched(order, read_results(LINES, (lines + "cut" * (not complete)).encode()), checks_order=checks_order)
    said = dict(expected)
    assert [result.outcome for result in found.results] == [said[test] for test in order[: len(found.results)]]
    assert found.problem or (len(found.results) == len(order) == len(expected) and complete)
    assert not found.broke_off or len(found.results) == len(expected) < len(order)
    names = [test for test, _ in expected]
    if len(set(names)) < len(names) or not set(names) <= set(order):
        assert found.results == ()
    if checks_order and found.results:
        assert names[: len(found.results)] == list(order[: len(found.results)])
