"""A value that was not entered before, which fits its field: by its type, limits and pattern, by what it is completed
with, and by the words beside it."""

import random
import re
from collections.abc import Callable
from math import floor

from unknot.model.web.action import FormField
from unknot.web.crawl.inputs.dates import new_date
from unknot.web.crawl.inputs.matching_text import matching_text

_MOST = 60
_EDGES = 0.15
"""The share of numbers at a limit of the field."""

_MOST_PLACES = 1e15
_SUGGESTED = 0.5
"""The share of values that a field suggests, where it takes others too."""


def _email(number: int) -> str:
    return f"reader{number}@example.org"


def _user_name(number: int) -> str:
    return f"reader{number}"


def _password(number: int) -> str:
    return f"Secret-{number}-pass"


def _telephone(number: int) -> str:
    return f"+44 20 7946 {number % 10_000:04}"


def _address(number: int) -> str:
    return f"http://example.org/{number}"


_BY_WORD: tuple[tuple[str, Callable[[int], str]], ...] = (
    ("e-?mail|correo|courriel", _email),
    ("password|passphrase|passwort|kennwort|contrase|mot de passe|senha|wachtwoord", _password),
    (r"\b(identifier|slug|user ?name|login ?name|log-?in|nickname)\b", _user_name),
    ("phone|mobile|fax|telefon|tel[eé]fono", _telephone),
    ("website|homepage|url", _address),
    ("year|jahr|année|año", lambda number: str(1950 + number % 70)),
    (
        "amount|price|cost|total|budget|betrag|preis|montant|prix|importe|precio",
        lambda number: f"{5 + number % 90}.50",
    ),
    (r"\b(quantity|count|number|size|age|weight)s?\b|anzahl|menge|cantidad", lambda number: str(1 + number % 9)),
    (r"\bzip\b|post(al)? ?code|\bplz\b", lambda number: f"{10_000 + number % 80_000}"),
    (r"\b(time|hour)s?\b|uhrzeit", lambda number: f"{8 + number % 12:02}:30"),
)
"""Searched in the label and the placeholder, then in the name under which the value is sent."""

_DATES = re.compile("date|day|birth|datum|fecha|geburt")

_BY_TYPE: dict[str, Callable[[int], str]] = {
    "email": _email,
    "password": _password,
    "tel": _telephone,
    "url": _address,
    "time": lambda number: f"{8 + number % 12:02}:30",
    "color": lambda number: f"#{number * 2_654_435 % 0xFFFFFF:06x}",
}
_BY_COMPLETION: dict[str, Callable[[int], str]] = {
    "email": _email,
    "tel": _telephone,
    "url": _address,
    "username": _user_name,
    "new-password": _password,
    "current-password": _password,
    "given-name": lambda number: ("Ada", "Emma", "Lena", "Nora")[number % 4],
    "family-name": lambda number: f"Reader{number}",
    "name": lambda number: f"Ada Reader{number}",
    "organization": lambda number: f"Reading Room {number}",
    "street-address": lambda number: f"{1 + number % 99} Mill Lane",
    "address-line1": lambda number: f"{1 + number % 99} Mill Lane",
    "address-level2": lambda number: ("Leeds", "York", "Hull")[number % 3],
    "postal-code": lambda number: f"{10_000 + number % 80_000}",
    "country": lambda number: ("GB", "DE", "FR")[number % 3],  # codes
    "country-name": lambda number: ("Germany", "France", "Spain")[number % 3],
    "bday": lambda number: f"{1950 + number % 50}-{1 + number % 12:02}-{1 + number % 28:02}",
    "one-time-code": lambda number: f"{number * 7919 % 1_000_000:06}",
}
"""By the last word of `autocomplete`."""

_DATE_TYPES = frozenset({"date", "month", "week", "datetime-local"})
_FREE_TYPES = frozenset({"", "text", "search", "tel", "url", "email", "password"})

_FILES: tuple[tuple[str, str], ...] = (
    (r"calendar|\.ics|\bics\b", "ics"),
    (r"vcard|\.vcf|contacts|address ?book", "vcf"),
    (r"image|\.png|\.jpe?g|photo|picture|avatar|logo", "png"),
    (r"csv|spreadsheet", "csv"),
    (r"json", "json"),
    (r"pdf", "pdf"),
    (r"xml", "xml"),
    (r"html", "html"),
)


def new_value(field: FormField, number: int, chance: random.Random) -> str:
    """`number` counts the values made, and makes each different where the field leaves a choice."""
    kind = field.constraint("type").lower()
    if kind == "file":
        return new_file_name(field, number)
    if field.role in ("spinbutton", "slider") or kind in ("number", "range"):
        return new_number(field, number, chance)
    if kind in _DATE_TYPES:
        return new_date(field, number)
    if (suggested := field.constraint("list")) and chance.random() < _SUGGESTED:
        return chance.choice(suggested.split("\n"))
    if kind in _FREE_TYPES and (text := matching_text(field.constraint("pattern"), number)):
        return text
    return _within(field, _free(field, kind, number))


def new_text(field: FormField, number: int) -> str:
    """The last word of its label, and the number."""
    found = re.sub(r"[^A-Za-z]+", " ", field.label).split()
    word = found[-1].capitalize() if found else "Text"
    return _within(field, f"{word} {number}")


def new_file_name(field: FormField, number: int) -> str:
    """Of a sort that the field accepts; its label counts if it does not say so."""
    wanted = field.constraint("accept").lower() or field.label.lower()
    suffix = next((suffix for pattern, suffix in _FILES if re.search(pattern, wanted)), "txt")
    return f"notes-{number}.{suffix}"


def new_number(field: FormField, number: int, chance: random.Random) -> str:
    """Within the limits and on the steps of the field."""
    least, most, step = (_as_number(field.constraint(name)) for name in ("min", "max", "step"))
    by = step if step is not None and step > 0 else 1.0
    low = least if least is not None else min(by, most if most is not None else by)
    high = most if most is not None else low + 99 * by
    # Between far limits, the smallest steps are more than any number.
    places = floor(min((high - low) / by + 1e-9, _MOST_PLACES)) if high >= low else 0
    place = chance.choice((0, places)) if chance.random() < _EDGES else number * 7 % (places + 1)
    return f"{low + place * by:.10g}"


def may_be(field: FormField, value: str) -> bool:
    """Whether a value that was found elsewhere has the form of those that are made for the field: a number is no name.

    >>> may_be(FormField("Number of copies", ()), "Emma"), may_be(FormField("Number of copies", ()), "12")
    (False, True)
    """
    make = _maker(field, field.constraint("type").lower())
    return make is None or make is _password or _form(value) == _form(make(1))


def _form(value: str) -> tuple[bool, bool, bool]:
    return any(map(str.isalpha, value)), any(map(str.isdigit, value)) and "@" not in value, "@" in value


def _free(field: FormField, kind: str, number: int) -> str:
    if make := _maker(field, kind):
        return make(number)
    if _DATES.search(_words_beside(field)):
        return new_date(field, number)
    return new_text(field, number)


def _maker(field: FormField, kind: str) -> Callable[[int], str] | None:
    """What makes the values of the field, if something says of which sort they are."""
    if make := _BY_TYPE.get(kind):
        return make
    completion = field.constraint("autocomplete").lower().split()
    if completion and (make := _BY_COMPLETION.get(completion[-1])):
        return make
    for text in (_words_beside(field), field.constraint("name").lower().replace("_", " ")):
        for pattern, make in _BY_WORD:
            if re.search(pattern, text):
                return make
    return None


def _words_beside(field: FormField) -> str:
    return f"{field.label} {field.constraint('placeholder')}".lower().replace("_", " ")


def _within(field: FormField, text: str) -> str:
    least, most = map(field.length, ("minlength", "maxlength"))
    while least is not None and len(text) < min(least, 10 * _MOST):
        text = f"more {text}"
    longest = most if most is not None else max(_MOST, least or 0)
    # The number at the end tells it from others.
    return text if len(text) <= longest else text[len(text) - longest :].replace(" ", "-", 1)


def _as_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < 1e15 else None
