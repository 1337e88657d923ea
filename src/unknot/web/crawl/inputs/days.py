"""Days by their numbers, in the calendar of dates in fields. No clock is read."""

_BEFORE_MONTH = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)


def day_number(year: int, month: int, day: int) -> int:
    """1 is the first day of year 1, a Monday. A day that the month does not have is one of the next.

    >>> day_number(2026, 1, 5)
    739621
    """
    years = year - 1
    days = 365 * years + years // 4 - years // 100 + years // 400
    return days + _BEFORE_MONTH[month - 1] + (month > 2 and _is_leap(year)) + day


def year_month_day(number: int) -> tuple[int, int, int]:
    """
    >>> year_month_day(739621)
    (2026, 1, 5)
    """
    year = (number - 1) * 400 // 146_097 + 1
    while day_number(year + 1, 1, 1) <= number:
        year += 1
    while day_number(year, 1, 1) > number:
        year -= 1
    month = next(month for month in range(12, 0, -1) if day_number(year, month, 1) <= number)
    return year, month, number - day_number(year, month, 1) + 1


def year_week(number: int) -> tuple[int, int]:
    """The week belongs to the year of its Thursday.

    >>> year_week(day_number(2027, 1, 1))
    (2026, 53)
    """
    thursday = number - (number - 1) % 7 + 3
    year, _, _ = year_month_day(thursday)
    return year, (thursday - day_number(year, 1, 1)) // 7 + 1


def day_of_week(year: int, week: int) -> int:
    """The Monday of a week.

    >>> year_month_day(day_of_week(2026, 53))
    (2026, 12, 28)
    """
    fourth = day_number(year, 1, 4)
    return fourth - (fourth - 1) % 7 + 7 * (week - 1)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
