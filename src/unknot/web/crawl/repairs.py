"""What to enter instead, after the application rejected a form.

Idea
    A field that was left empty gets what it would have got at first, unless the message wants something special. The
    message says what is wrong: with words such as "number", "required", "already exists", "at least 8". The field
    that it belongs to gets a value of that sort at once. Where a message belongs to no field, those that need not be
    filled are left empty next.
Assumptions
    Messages are in English; others are followed by values of all sorts in turn.
Guarantee
    At most three tries in a row that lead to the same message, and eight in all. What worked is entered again in this
    field of this form; what never did is left out if it may be.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence

from unknot.model.web.action import Action, FormField
from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.inputs.dates import end_date, new_date
from unknot.web.crawl.inputs.new_values import new_number, new_text, new_value
from unknot.web.crawl.rejections import field_messages
from unknot.web.crawl.view import View

MOST = 3
_MOST_IN_ALL = 8

NUMBER, EMAIL, DATE, URL, OTHER, LONGER, SHORTER, WORD, KNOWN, SAME, EMPTY, NEW = (
    "number",
    "e-mail",
    "date",
    "address",
    "other",
    "longer",
    "shorter",
    "word",
    "known",
    "same",
    "empty",
    "new",
)
"""Sorts of values."""

_BETWEEN = re.compile(
    r"\b(?:between|from|range)\W{1,3}?(-?\d{1,9}) ?(?:and|to|–|\.{2,3}) ?(-?\d{1,9})"
    r"(?!\d| *(?:char|letter|symbol|digit|word))"
)

_MISSING = r"required|missing|blank|empty|fill (in|out)|must be (given|supplied|set)|please (enter|select|choose)"
_BY_MESSAGE = (
    (NUMBER, _BETWEEN.pattern),
    (SAME, r"\b(match|differ|not the same|not equal|identical)"),
    (LONGER, r"too short|at least \d+ char|minimum length|lengthen|\blonger\b|at least \d+ (letters|symbols)"),
    (SHORTER, r"too long|at most \d+ char|maximum length|shorten|\bshorter\b|no more than \d+ char"),
    (EMAIL, r"e-?mail|include an '@'"),
    (DATE, r"\bdates?\b|yyyy"),
    (URL, r"\burls?\b|web address|https?:"),
    (OTHER, r"already|(?<!not )exists|taken|in use|\bunique|duplicate"),
    (
        KNOWN,
        r"\b(invalid|incorrect|wrong) (\w+ )?(password|code|pin)\b"
        r"|\b(password|code|pin) (is |was )?(invalid|incorrect|wrong)",
    ),
    (WORD, r"letters|alphanumeric"),
    (NUMBER, r"number|numeric|digits?\b|integer|decimal|positive|greater|less than|amount|enter only a valid value"),
    (
        KNOWN,
        r"not found|unknown|no such|does not exist|doesn't exist|not valid choice|not a valid choice|invalid choice"
        r"|\bis not an? (?!valid)\w+",
    ),
    (WORD, r"characters|spaces|lowercase|slug|identifier|format|allowed|invalid"),
    (OTHER, _MISSING),
)
_STRICT = frozenset({"date", "month", "week", "datetime-local", "time", "color", "number", "range", "email", "file"})
"""Types of fields that take nothing else."""

_PHRASE = re.compile(r"\b(?:type|enter|write)(?: the (?:word|phrase))? ['\"\u201c]?([A-Z]{3,})\b")
"""What is to be typed as a confirmation."""

_IN_TURN = (OTHER, WORD, NUMBER, KNOWN, EMAIL, DATE, LONGER)
_UNEXPLAINED = (NUMBER, WORD, OTHER)
"""Where the message says nothing: values that were entered before are not made again."""

_OF_ANY_FORM = frozenset({NUMBER, EMAIL, DATE, URL})
"""A field with the same label asks for the same in another form."""


class Repairs:
    """Of one walk through the application. `sorts` are those that worked, by the keys of actions and labels. `known`
    finds the values that were entered in fields of the same name."""

    def __init__(self, chance: random.Random, known: Callable[[FormField], Sequence[str]] = lambda _: ()) -> None:
        self._known = known
        self.sorts: dict[tuple[str, str], str] = {}
        self._chance = chance
        self._next: ChosenStep | None = None
        self._tries = 0
        """With the message as it is."""
        self._in_all = 0
        self._rejection = ""
        self._made = 500
        self._tried: dict[str, str] = {}
        self._concerned_last: tuple[str, ...] = ()

    def clear(self) -> None:
        self._next, self._tries, self._in_all, self._tried, self._rejection = None, 0, 0, {}, ""

    def take(self, view: View) -> ChosenStep | None:
        """The next try, if there is one and its action is in view."""
        planned, self._next = self._next, None
        if planned is None:
            return None
        again = next((each for each in view.actions if each.key == planned.action.key), None)
        return None if again is None else ChosenStep(again, planned.values)

    def learn(self, chosen: ChosenStep, after: View) -> None:
        """Plans another try if the application rejected the step."""
        message = _without_values(after.rejection, chosen)
        if message != self._rejection:
            # That is progress.
            self._rejection, self._tries = message, 0
        if not after.rejection or not chosen.values or self._tries >= MOST or self._in_all >= _MOST_IN_ALL:
            key = chosen.action.key
            if not after.refused:
                self.sorts |= {(key, label): sort for label, sort in self._tried.items() if sort not in (KNOWN, SAME)}
                self.sorts |= {("", label): sort for label, sort in self._tried.items() if sort in _OF_ANY_FORM}
            elif after.rejection and len(chosen.action.fields) > 1:
                # What need not be filled is not worth more.
                optional = {each.label for each in chosen.action.fields if not (each.required or each.options)}
                self.sorts |= {(key, label): EMPTY for label in optional.intersection(self._concerned_last)}
            self.clear()
            return
        action = next((each for each in after.actions if each.key == chosen.action.key), None)
        if action is None:
            self.clear()
            return
        self._tries += 1
        self._in_all += 1
        values = dict(chosen.values)
        concerned = self._concerned(action, values, after)
        # What is missing does not fit any better if it is left out.
        self._concerned_last = tuple(
            label for label, said in concerned.items() if values.get(label) and not re.search(_MISSING, said.lower())
        )
        for label, message in concerned.items():
            wanted = next(each for each in action.fields if each.label == label)
            sort = self._sort(wanted, message, values.get(label, ""))
            value = self._alternative(wanted, sort, message, values, after)
            self._tried[label] = sort
            values[label] = value
        self._next = ChosenStep(action, tuple(values.items()))

    def _concerned(self, action: Action, values: Mapping[str, str], after: View) -> dict[str, str]:
        """The fields that get another value, each with what was said of it."""
        said = field_messages(after.observation.root, action)
        message = " ".join(said.of_form) or after.rejection
        quoted = [
            label for label, value in values.items() if len(value) > 2 and f"'{value}'" in message.replace('"', "'")
        ]
        if quoted:
            return dict.fromkeys(quoted, message)
        if said.by_label:
            # Of several fields with one message, those that are empty.
            empty = {message for label, message in said.by_label.items() if message and not values.get(label)}
            return {
                label: message
                for label, message in said.by_label.items()
                if message not in empty or not values.get(label)
            }
        texts = [each for each in action.fields if not each.options and each.constraint("type") != "file"]
        missing = [each.label for each in texts if not values.get(each.label)]
        if missing and re.search(_MISSING, message.lower()):
            return dict.fromkeys(missing, message)
        needed = [each.label for each in texts if each.required or values.get(each.label)]
        optional = [each.label for each in texts if not each.required]
        if self._tries > 1 and optional:
            return dict.fromkeys(optional, "")
        return dict.fromkeys(needed, message)

    def _sort(self, wanted: FormField, message: str, value: str) -> str:
        if not message and not wanted.required and value:
            return EMPTY
        said = next((sort for sort, pattern in _BY_MESSAGE if re.search(pattern, message.lower())), "")
        if not value and said in ("", OTHER) and wanted.label not in self._tried:
            return NEW
        if said and self._tried.get(wanted.label) != said:
            return said
        if said == KNOWN and not wanted.required:
            return EMPTY
        turns = _IN_TURN if message else _UNEXPLAINED
        return turns[(self._tries - 1) % len(turns)]

    def _alternative(self, wanted: FormField, sort: str, message: str, values: Mapping[str, str], after: View) -> str:
        self._made += 1
        if phrase := _PHRASE.search(message):
            return phrase.group(1)
        if wanted.options:
            others = [each for each in wanted.options if each != values.get(wanted.label)]
            return self._chance.choice(others or list(wanted.options))
        if wanted.constraint("type").lower() in _STRICT or wanted.role in ("spinbutton", "slider"):
            return end_date(wanted, values) or new_value(wanted, self._made, self._chance)
        if sort == SAME:
            others = [value for label, value in values.items() if label != wanted.label and value]
            alike = [each for each in others if each.startswith("Secret")] or others
            return alike[0] if alike else ""
        if sort == KNOWN:
            seen = self._known(wanted) or [each for each in after.values if 2 < len(each) <= 40]
            return self._chance.choice(seen) if seen else ""
        return value_of_sort(sort, wanted, self._made, message, values.get(wanted.label, ""))


def _without_values(message: str, chosen: ChosenStep) -> str:
    for _, value in chosen.values:
        if len(value) > 1:
            message = message.replace(value, "")
    return message


def learned_sort(sorts: Mapping[tuple[str, str], str], action: Action, wanted: FormField) -> str:
    """Empty if none was learned."""
    return sorts.get((action.key, wanted.label)) or sorts.get(("", wanted.label), "")


def value_of_sort(sort: str, wanted: FormField, number: int, message: str = "", before: str = "") -> str:
    """`before` is what was rejected with the message."""
    lengths = [int(each) for each in re.findall(r"\d{1,4}", message)]
    match sort:
        case "number":
            if between := _BETWEEN.search(message.lower()):
                low, high = sorted(map(int, between.groups()))
                return str(low + number % (high - low + 1))
            return new_number(wanted, number, random.Random(number))
        case "e-mail":
            return f"reader{number}@example.org"
        case "date":
            return new_date(wanted, number)
        case "address":
            return f"http://example.org/{number}"
        case "longer":
            least = min(lengths[0] if lengths else 2 * len(before), 500)
            return f"{before or 'Text'}-{'longer-' * (least // 7 + 1)}{number}"
        case "shorter":
            most = lengths[0] if lengths else max(1, len(before) // 2)
            return (before or f"{number}")[-most:].strip()
        case "word":
            letters = "".join("abcdefghij"[int(each)] for each in str(number))
            return f"word{letters}"
        case "empty":
            return ""
        case "new":
            return new_value(wanted, number, random.Random(number))
    if before and before.replace(".", "", 1).isdecimal():
        return str(number)
    return new_text(wanted, number)
