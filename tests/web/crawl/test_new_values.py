"""Values that fit their fields."""

import random
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.model.web.action import FormField
from unknot.web.crawl.inputs.dates import date_after, new_date
from unknot.web.crawl.inputs.days import day_number, day_of_week, year_month_day, year_week
from unknot.web.crawl.inputs.matching_text import matching_text
from unknot.web.crawl.inputs.new_values import may_be, new_value


def field(label: str = "Title", role: str = "textbox", value: str = "", **constraints: str) -> FormField:
    return FormField(label, (), role, constraints=tuple(constraints.items()), value=value)


def made(wanted: FormField, number: int = 5) -> str:
    return new_value(wanted, number, random.Random(0))


_REPEATED = ["?", "*", "+", "{2}", "{1,3}", "{4,}", "+?"]
_parts = st.recursive(
    st.sampled_from(
        ["a", "B", "7", r"\d", r"\w", r"\s", r"\D", "[a-f]", "[A-Z0-9]", "[^0-9]", r"[\w.-]", ".", r"\.", "[^a]"]
    ),
    lambda parts: st.one_of(
        st.tuples(parts, parts).map("".join),
        st.tuples(parts, parts).map(lambda pair: f"({pair[0]}|{pair[1]})"),
        st.tuples(parts, st.sampled_from(["?", "*", "+", "{2}", "{1,3}", "{4,}", "+?"])).map(
            lambda p: f"(?:{p[0]}){p[1]}"
        ),
    ),
    max_leaves=12,
)


@given(_parts, st.integers(0, 10_000))
def test_the_text_for_an_expression_matches_it_as_a_whole(pattern: str, number: int) -> None:
    text = matching_text(pattern, number)
    # Those that ask for long texts have none.
    assert not text or re.fullmatch(pattern, text, re.DOTALL)


@given(st.text(max_size=40), st.integers(0, 99))
def test_any_text_may_stand_for_an_expression(pattern: str, number: int) -> None:
    assert len(matching_text(pattern, number)) <= 200


def nested(body: str, repeated: str, times: int) -> str:
    for _ in range(times):
        body = f"({body}){repeated}"
    return body


HOSTILE = [
    nested("", "{200}", 60),
    nested("(?:)", "{200}", 60),
    nested("(?=a)", "{200}", 50),
    nested(r"\b", "{9}", 60),
    nested("a{0}", "{200,}", 50),
    nested("a", "{200}", 60),
    # Each group is twice the one before.
    "(a{100})" + "".join(rf"(\{number}\{number})" for number in range(1, 60)),
    r"(a{150})(?:\1{200}){200}",
    "a{201}",
    "(" * 99 + "a" + ")*" * 99,
]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_an_expression_without_end_has_a_short_text_or_none(pattern: str) -> None:
    assert len(matching_text(pattern, 3)) <= 200
    assert made(field(pattern=pattern))


@given(st.recursive(st.sampled_from(["", "a", r"\b", "(?=a)", r"(b)\1"]), lambda inner: st.one_of(
    st.tuples(inner, st.sampled_from(["{200}", "*", "{9,}", "?"])).map(lambda p: f"(?:{p[0]}){p[1]}"),
    st.tuples(inner, inner).map("".join),
), max_leaves=20))  # fmt: skip
def test_what_is_repeated_over_and_over_ends(pattern: str) -> None:
    assert len(matching_text(pattern, 3)) <= 200


@pytest.mark.parametrize("limits", [{"step": "5e-324", "max": "1"}, {"step": "1e-300", "min": "-9e14", "max": "9e14"}])
@pytest.mark.parametrize("number", range(5))
def test_the_smallest_steps_give_numbers_within_limits(limits: dict[str, str], number: int) -> None:
    chance = random.Random(number)
    assert float(new_value(field(role="spinbutton", **limits), 7, chance)) <= float(limits["max"])


@pytest.mark.parametrize("length", ["9" * 5_000, "1" + "0" * 9, "٣", "-1", "1e3", ""])
def test_lengths_that_limit_nothing_are_none(length: str) -> None:
    wanted = field(minlength=length, maxlength=length)
    assert wanted.length("maxlength") is None
    assert made(wanted) == made(field())


@pytest.mark.parametrize(
    "pattern",
    [r"^[A-Z]{3}-\d{4}$", r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}", r"(?<year>\d{4})\/\d\d", r"[a-z0-9_-]{3,16}"],
)
def test_patterns_of_forms_have_texts_that_differ(pattern: str) -> None:
    texts = [made(field(pattern=pattern), number) for number in range(1, 6)]
    for text in texts:
        assert re.fullmatch(pattern.replace("?<year>", "?P<year>"), text)
    assert len(set(texts)) == 5


@pytest.mark.parametrize("pattern", ["(", "a{5,2}", "\\p{L}+", "(" * 400, "x" * 600, "[a-z&&[^b]]{99999999999}"])
def test_an_expression_that_cannot_be_read_is_passed_over(pattern: str) -> None:
    assert made(field(pattern=pattern))


@given(
    st.integers(-50, 50), st.integers(0, 60), st.sampled_from(["", "1", "2", "0.25", "any", "-1"]), st.integers(0, 999)
)
def test_numbers_are_within_limits_and_on_steps(low: int, more: int, step: str, number: int) -> None:
    value = float(made(field(role="spinbutton", min=str(low), max=str(low + more), step=step), number))
    assert low <= value <= low + more
    by = float(step) if step in ("2", "0.25") else 1.0
    assert ((value - low) / by).is_integer()


@given(st.integers(1, 30), st.integers(0, 20), st.integers(0, 999))
def test_texts_are_within_limits(least: int, more: int, number: int) -> None:
    text = made(field(minlength=str(least), maxlength=str(least + more)), number)
    assert least <= len(text) <= least + more


@given(st.dates(date(2, 1, 1), date(9990, 1, 1)))
def test_days_agree_with_the_calendar_of_python(day: date) -> None:
    number = day_number(day.year, day.month, day.day)
    assert number == day.toordinal()
    assert year_month_day(number) == (day.year, day.month, day.day)
    year, week, weekday = day.isocalendar()
    assert year_week(number) == (year, week)
    assert day_of_week(year, week) == number - weekday + 1


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(0, 90), st.integers(0, 999))
def test_dates_are_within_limits_and_ends_are_not_before(low: date, days: int, number: int) -> None:
    high = date.fromordinal(low.toordinal() + days)
    wanted = field(type="date", min=low.isoformat(), max=high.isoformat())
    begin = new_date(wanted, number)
    assert low <= date.fromisoformat(begin) <= high
    assert date.fromisoformat(begin) <= date.fromisoformat(date_after(wanted, begin)) <= high


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (field("Birth date", placeholder="DD/MM/YYYY"), r"\d\d/\d\d/2026"),
        (field("Date (mm-dd-yyyy)"), r"\d\d-\d\d-2026"),
        (field("Week", type="week"), r"2026-W\d\d"),
        (field("Month", type="month"), r"2026-\d\d"),
        (field("Due", type="date", value="2031-05-04"), r"2031-05-\d\d"),
        (field("Login", autocomplete="section-a username"), r"reader5"),
        (field("Betrag"), r"\d+\.50"),
        (field("How much?", name="amount"), r"\d+\.50"),
        (field("Issues", name="@number"), r"\d"),
        (field("Message"), "Message 5"),
        (field("Country"), "Country 5"),
        (field("Timezone"), "Timezone 5"),
        (field("Project identifier"), "reader5"),
        (field("Photo", type="file", accept="image/png,image/jpeg"), r"notes-5\.png"),
        (field("Calendar to import", type="file"), r"notes-5\.ics"),
        (field("File", type="file", accept=".vcf"), r"notes-5\.vcf"),
        (field("Anything", type="file"), r"notes-5\.txt"),
    ],
)
def test_words_and_attributes_say_what_is_meant(wanted: FormField, expected: str) -> None:
    assert re.fullmatch(expected, made(wanted))


@pytest.mark.parametrize(
    ("wanted", "fits", "does_not_fit"),
    [
        (field("E-mail"), "ada@example.org", "Make a copy"),
        (field("Amount"), "12", "Languages"),
        (field("Year"), "1999", "reader@example.org"),
        (field("Start", type="time"), "10:15", "noon"),
    ],
)
def test_what_was_found_elsewhere_has_the_form_of_what_is_asked_for(
    wanted: FormField, fits: str, does_not_fit: str
) -> None:
    assert may_be(wanted, fits)
    assert not may_be(wanted, does_not_fit)
    assert may_be(field("Title"), does_not_fit)


def test_what_a_field_suggests_is_entered_and_other_values_too() -> None:
    wanted = field("Town", list="Leeds\nYork")
    chance = random.Random(0)
    values = {new_value(wanted, number, chance) for number in range(20)}
    assert {"Leeds", "York"} < values
