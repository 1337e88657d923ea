"""A web suite from a file instead of its source: names in order, and what each test types, picks and reads."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from unknot.model.candidates import Mention, StringUse
from unknot.model.errors import NoTestsError
from unknot.model.sanitise import shown
from unknot.model.suite import Suite
from unknot.store.cursor import Cursor
from unknot.store.given_file import ordered_suite, read_given

_SUBMITTED = ("inputs", "selects")
_READ = ("link_texts_read", "locator_texts_read")
_MEMBERS = ("name", *_SUBMITTED, *_READ, "assertions")

_HINT = (
    'a suite is {"order": [names], "tests": [{"name": …, "inputs": [texts], "selects": [texts], "link_texts_read": '
    '[texts], "locator_texts_read": [texts], "assertions": [{"strings": [texts]}]}, …]}, tests in the same order'
)


@dataclass(frozen=True)
class SuiteData:
    """`uses[i]` is what test i says; without a member `tests` nothing is known of any."""

    suite: Suite
    uses: tuple[StringUse, ...]


def read_suite_data(path: Path) -> SuiteData:
    """Raises StorageError if the file cannot be read, UsageError if it holds something else, NoTestsError if it holds
    no tests; each names the file and the place in it."""
    found = read_given(path, _HINT, _suite_data)
    if not found.suite.tests:
        raise NoTestsError(f"{shown(str(path))}: there are no tests in it", hint=_HINT, slug="no-tests")
    return found


def _suite_data(root: Cursor) -> SuiteData:
    suite = ordered_suite(root)
    if "tests" not in root.object():
        unknown = StringUse(gaps=("the file does not say what it types and reads",))
        return SuiteData(suite, (unknown,) * len(suite))
    tests = root.member("tests")
    found = list(tests.items())
    if len(found) != len(suite):
        raise tests.fault(f"must have one entry for each of the {len(suite)} tests, has {len(found)}")
    for item, name in zip(found, suite.tests, strict=True):
        told = item.optional("name", name)
        if told.text() != name:
            raise told.fault(f"is {shown(told.text())}, where `order` has {shown(name)}")
    return SuiteData(suite, tuple(_use(item) for item in found))


def _use(item: Cursor) -> StringUse:
    for key in item.object():
        if key not in _MEMBERS:
            raise item.member(key).fault(f"is not one of {', '.join(_MEMBERS)}")
    submitted = [text for key in _SUBMITTED for text in _texts(item.optional(key, []))]
    read = [text for key in _READ for text in _texts(item.optional(key, []))]
    asserted = [
        text for each in item.optional("assertions", []).items() for text in _texts(each.optional("strings", []))
    ]
    return StringUse(_mentions(submitted), _mentions([*submitted, *read, *asserted]))


def _texts(items: Cursor) -> Iterator[str]:
    return (item.text() for item in items.items())


def _mentions(texts: list[str]) -> tuple[Mention, ...]:
    return tuple(Mention(text) for text in dict.fromkeys(texts))
