"""A web suite from a file instead of its source: names in order, and what each test types, picks and reads."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from unknot.model.candidates import Mention, StringUse
from unknot.model.sanitise import shown
from unknot.model.suite import Order, Suite
from unknot.store.given_file import ORDERED, read_given
from unknot.store.typed_json import Fault

_HINT = (
    'a suite is {"order": [names], "tests": [{"name": …, "inputs": [texts], "selects": [texts], "link_texts_read": '
    '[texts], "locator_texts_read": [texts], "assertions": [{"strings": [texts]}]}, …]}, tests in the same order'
)


@dataclass(frozen=True)
class SuiteData:
    """`uses[i]` is what test i types and reads; without a member `tests` nothing is known of any."""

    suite: Suite
    uses: tuple[StringUse, ...]


@dataclass(frozen=True)
class _Assertion:
    strings: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Test:
    name: str | None = None
    inputs: tuple[str, ...] = ()
    selects: tuple[str, ...] = ()
    link_texts_read: tuple[str, ...] = ()
    locator_texts_read: tuple[str, ...] = ()
    assertions: tuple[_Assertion, ...] = ()


@dataclass(frozen=True)
class _Document:
    order: Order
    tests: tuple[_Test, ...] | None = None


def read_suite_data(path: Path) -> SuiteData:
    """Raises StorageError if the file cannot be read, UsageError if it holds something else, NoTestsError if it holds
    no tests; each names the file and the place in it."""
    return read_given(path, _HINT, _suite_data)


def _suite_data(root: object) -> SuiteData:
    document = ORDERED.read(_Document, root)
    suite = Suite(document.order)
    if document.tests is None:
        unknown = StringUse(gaps=("the file does not say what it types and reads",))
        return SuiteData(suite, (unknown,) * len(suite))
    if len(document.tests) != len(suite):
        raise Fault(f"must have one entry for each of the {len(suite)} tests, has {len(document.tests)}", ".tests")
    for number, (test, name) in enumerate(zip(document.tests, suite.tests, strict=True)):
        if test.name is not None and test.name != name:
            raise Fault(f"is {shown(test.name)}, where `order` has {shown(name)}", f".tests[{number}].name")
    _check_members(root)
    return SuiteData(suite, tuple(map(_use, document.tests)))


def _check_members(root: Any) -> None:
    """A member that we do not know is a misspelt one: nothing else writes such files."""
    known = [member.name for member in fields(_Test)]
    for number, test in enumerate(root["tests"]):
        for key in test:
            if key not in known:
                raise Fault(f"is not one of {', '.join(known)}", f".tests[{number}].{key}")


def _use(test: _Test) -> StringUse:
    submitted = (*test.inputs, *test.selects)
    asserted = tuple(text for assertion in test.assertions for text in assertion.strings)
    return StringUse(
        _mentions(submitted), _mentions((*submitted, *test.link_texts_read, *test.locator_texts_read, *asserted))
    )


def _mentions(texts: tuple[str, ...]) -> tuple[Mention, ...]:
    return tuple(Mention(text) for text in dict.fromkeys(texts))
