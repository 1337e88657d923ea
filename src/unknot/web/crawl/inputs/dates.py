"""Dates for fields: within their limits, near what they hold, in the form that they ask for, and in the right order."""

import re
from collections.abc import Mapping

from unknot.model.web.action import FormField
from unknot.web.crawl.inputs.days import day_number, day_of_week, year_month_day, year_week

_FIRST = day_number(2026, 1, 5)
"""Where a field says nothing. No clock is read: the same crawl enters the same dates."""

_LAST_YEAR = 9_999
_SPAN = 28
"""Days within which the dates of a form lie."""

_FORMS = (
    (re.compile(r"d{1,2}([-/. ])m{1,2}\1y{4}"), "{day:02}{0}{month:02}{0}{year:04}"),
    (re.compile(r"m{1,2}([-/. ])d{1,2}\1y{4}"), "{month:02}{0}{day:02}{0}{year:04}"),
    (re.compile(r"y{4}([-/. ])m{1,2}\1d{1,2}"), "{year:04}{0}{month:02}{0}{day:02}"),
)
_BEGINS = re.compile(r"\b(from|start|starts|begin|begins|since|after|check-?in|arrival|departure|von|ab|desde|du)\b")
_ENDS = re.compile(r"\b(to|until|till|end|ends|due|before|check-?out|return|bis|hasta|au)\b")


def new_date(field: FormField, number: int) -> str:
    """Another date for another number, as far as the limits of the field allow."""
    low, high = (_as_day(field.constraint(name)) for name in ("min", "max"))
    base = low or _as_day(field.value) or (min(_FIRST, high - _SPAN) if high else _FIRST)
    days = min(_SPAN, high - base) if high else _SPAN
    return _written(field, base + number % (days + 1) if days >= 0 else base)


def end_date(field: FormField, values: Mapping[str, str]) -> str:
    """A date after the one that was entered for the beginning, by their labels; empty if the field is no end."""
    return next((date_after(field, value) for label, value in values.items() if ends(field.label, label)), "")


def date_after(field: FormField, value: str) -> str:
    """A date for the end of a time that begins with this value; empty if that is no date."""
    begin = _as_day(value)
    if begin is None:
        return ""
    high = _as_day(field.constraint("max"))
    end = begin + 3
    return _written(field, min(end, high) if high else end)


def ends(label: str, other: str) -> bool:
    """Whether a field asks for the end of what another one asks the beginning of.

    >>> ends("To", "From"), ends("Return date", "Departure date"), ends("Name", "From")
    (True, True, False)
    """
    return bool(_ENDS.search(label.lower())) and bool(_BEGINS.search(other.lower()))


def _written(field: FormField, number: int) -> str:
    year, month, day = year_month_day(number)
    iso = f"{year:04}-{month:02}-{day:02}"
    match field.constraint("type").lower():
        case "month":
            return iso[:7]
        case "week":
            return "{:04}-W{:02}".format(*year_week(number))
        case "datetime-local":
            return f"{iso}T10:30"
        case "date":
            return iso
    wanted = f"{field.constraint('placeholder')} {field.label}".lower()
    for pattern, form in _FORMS:
        if found := pattern.search(wanted):
            return form.format(found.group(1), day=day, month=month, year=year)
    return iso


def _as_day(text: str) -> int | None:
    """The number of the day that a field holds; None if that is no date."""
    if found := re.match(r"(\d{4})-W(\d\d)$", text):
        year, week = map(int, found.groups())
        return day_of_week(year, week) if 1 < year < _LAST_YEAR and 1 <= week <= 53 else None
    if found := re.match(r"(\d{4})-(\d\d)(?:-(\d\d))?", text):
        return _valid(int(found[1]), int(found[2]), int(found[3] or 1))
    if found := re.match(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$", text):
        one, other, year = map(int, found.groups())
        return _valid(year, other, one) or _valid(year, one, other)
    return None


def _valid(year: int, month: int, day: int) -> int | None:
    # Room for days to add.
    if not (1 < year < _LAST_YEAR and 1 <= month <= 12):
        return None
    number = day_number(year, month, day)
    return number if year_month_day(number) == (year, month, day) else None
