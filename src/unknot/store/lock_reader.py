"""Reading lock files, format 2 and 1. Nothing is trusted: the file is committed, merged and edited by hand."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from unknot.model.dependencies import Confidence, Conflict, Cost, Dependencies, Need, Proof
from unknot.model.errors import NewerFormatError, StorageError
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.sanitise import shown
from unknot.model.suite import Order, Suite, TestId
from unknot.store.cursor import Cursor, Fault
from unknot.store.fingerprint import Fingerprints
from unknot.store.json_document import parsed
from unknot.store.reason_json import reason_from_json
from unknot.store.untried_text import rows_from

FORMAT = 2
OLD_FORMAT = 1
"""Read as well: it has times and costs, and its reasons are sentences. `--format json` still prints it."""

Found = TypeVar("Found")

_AGAIN = "run unknot detect again"

_NO_SUCH_TEST = "no such test in the suite"

_OLD_NOTHING = (
    "nothing was seen to flow: what passes between them may be held by C code, by a service outside, by another"
    " process, or by the clock"
)


def read_lock(path: Path) -> Dependencies:
    """The result in the lock file, fully checked. Raises StorageError, which names the file, the JSON path of the first
    fault and what to do."""
    return _read(path, from_json)


def read_fingerprints(path: Path) -> Fingerprints | None:
    """The fingerprints in the lock file; None if it has none. Raises StorageError."""
    return _read(path, fingerprints_from_json)


def _read(path: Path, of: Callable[[object], Found]) -> Found:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise StorageError(
            f"{path}: there is no such file", hint="run unknot detect first", slug="lock-missing"
        ) from error
    except OSError as error:
        hint = "check that it is a file that you may read"
        raise StorageError(
            f"cannot read {path}: {error.strerror or error}", hint=hint, slug="file-unreadable"
        ) from error
    except UnicodeDecodeError as error:
        raise StorageError(f"{path}: not UTF-8 (byte {error.start})", hint=_AGAIN, slug="lock-damaged") from error
    try:
        return of(parsed(text))
    except _Newer as fault:
        raise NewerFormatError(f"{path}: {fault}", hint="upgrade unknot", slug="lock-newer") from fault
    except Fault as fault:
        raise StorageError(f"{path}: {fault}", hint=_AGAIN, slug="lock-damaged") from fault


def from_json(document: object) -> Dependencies:
    """The result in these JSON values: a lock file of format 2, or a document of format 1. Unknown members are ignored.
    Seconds are empty and the cost is unknown where the document has none. Raises Fault.

    Guarantee: every id in the result is in its suite, every test has an outcome, no list of ids holds one twice, no
    test needs or breaks itself, and both orders of a proof end in the test that they are about.
    """
    root = Cursor(document)
    reading = _Reading(root)
    flaky = reading.ids(root.member("flaky"))
    untried = root.member("untried").count()
    # Not a part of the result, but a document is read as a whole or not at all.
    reading.fingerprints()
    return Dependencies(
        suite=reading.suite,
        outcomes=reading.outcomes(),
        seconds=reading.seconds(),
        needs=tuple(reading.need(item) for item in root.member("needs").items()),
        conflicts=tuple(reading.conflict(item) for item in root.member("conflicts").items()),
        flaky=flaky,
        untried=untried,
        complete=root.member("complete").truth(),
        cost=cost_from_json(root.member("cost")) if reading.is_old else Cost(),
        confidence=reading.confidence(root.optional("confidence", {}), flaky),
        untried_rows=reading.untried_rows(root, untried),
    )


def fingerprints_from_json(document: object) -> Fingerprints | None:
    """Those in these JSON values, if there are any: they may be left out, also for single tests. Raises Fault."""
    return _Reading(Cursor(document)).fingerprints()


class _Newer(Fault):
    """Not damaged, but written by a later version."""


class _Reading:
    """The parts of the document that name tests, read against the suite that it lists."""

    def __init__(self, root: Cursor) -> None:
        self.is_old = _format(root.member("format")) == OLD_FORMAT
        root.member("tool").text()
        self._root = root
        self._suite = root.member("suite")
        tests = _distinct(self._suite.member("tests")) if self.is_old else _grouped_tests(self._suite)
        self.suite = Suite(tests)

    def check_known(self, table: Cursor) -> None:
        for key in table.object():
            if key not in self.suite.index:
                raise table.entry(key).fault(_NO_SUCH_TEST)

    def outcomes(self) -> dict[TestId, Outcome]:
        """In format 2 those of tests that passed are left out."""
        table = (self._suite if self.is_old else self._root).member("outcomes")
        self.check_known(table)
        present = table.object()
        return {
            test: _outcome(table.entry(test)) if self.is_old or test in present else Outcome.PASSED
            for test in self.suite.tests
        }

    def seconds(self) -> dict[TestId, float]:
        if not self.is_old:
            return {}
        table = self._suite.member("seconds")
        self.check_known(table)
        return {test: table.entry(test).seconds() for test in self.suite.tests}

    def fingerprints(self) -> Fingerprints | None:
        if self.is_old:
            return self._old_fingerprints()
        if "environment" not in self._root.object():
            return None
        tests: dict[TestId, str] = {}
        known = iter(self.suite.tests)
        for group in self._suite.items():
            fingerprint = group.optional("fingerprint", "").text()
            for _ in group.member("tests").items():
                test = next(known)
                if fingerprint:
                    tests[test] = fingerprint
        return Fingerprints(self._root.member("environment").text(), tests)

    def _old_fingerprints(self) -> Fingerprints | None:
        if "fingerprints" not in self._root.object():
            return None
        table = self._root.member("fingerprints")
        tests = table.member("tests")
        self.check_known(tests)
        return Fingerprints(
            environment=table.member("environment").text(),
            tests={test: tests.entry(test).text() for test in self.suite.tests if test in tests.object()},
        )

    def need(self, item: Cursor) -> Need:
        dependent = self.id(item.member("dependent"))
        return Need(
            dependent=dependent,
            any_of=self.others(item.member("any_of"), dependent),
            proof=self.proof(item.member("proof"), dependent),
            complete=item.optional("complete", True).truth(),
            why=self.reasons(item),
        )

    def conflict(self, item: Cursor) -> Conflict:
        victim = self.id(item.member("victim"))
        return Conflict(
            victim=victim,
            polluters=self.others(item.member("polluters"), victim),
            cleaners=self.ids(item.member("cleaners")),
            proof=self.proof(item.member("proof"), victim),
            complete=item.optional("complete", True).truth(),
            why=self.reasons(item),
        )

    def reasons(self, item: Cursor) -> tuple[Reason, ...]:
        """Those of format 1 are sentences, which `--format json` accompanies by what they are made of."""
        why = item.member("why")
        if not self.is_old:
            return tuple(map(reason_from_json, why.items()))
        sentences = tuple(map(_old_reason, why.items()))
        return tuple(map(reason_from_json, item.member("reasons").items())) if "reasons" in item.object() else sentences

    def confidence(self, table: Cursor, flaky: Order) -> dict[TestId, Confidence]:
        known = table.object()
        for key in known:
            if key not in flaky:
                raise table.entry(key).fault("not among the flaky tests")
        return {test: _confidence(table.entry(test)) for test in self.suite.tests if test in known}

    def untried_rows(self, root: Cursor, untried: int) -> tuple[int, ...]:
        if "untried_pairs" not in root.object():
            return ()
        return rows_from(root.member("untried_pairs"), len(self.suite), untried)

    def proof(self, item: Cursor, test: TestId) -> Proof:
        return Proof(self.ending(item.member("passes"), test), self.ending(item.member("fails"), test))

    def ending(self, item: Cursor, test: TestId) -> Order:
        order = self.ids(item)
        if order[-1:] != (test,):
            raise item.fault(f"must end in {shown(test)}")
        return order

    def others(self, item: Cursor, test: TestId) -> Order:
        """At least one test, and not this one."""
        found = self.ids(item)
        if not found:
            raise item.fault("must name a test, is empty")
        if test in found:
            raise item.fault(f"names {shown(test)} itself")
        return found

    def ids(self, item: Cursor) -> Order:
        found = _distinct(item)
        for element in item.items():
            self.id(element)
        return found

    def id(self, item: Cursor) -> TestId:
        test = TestId(item.text())
        if test not in self.suite.index:
            raise item.fault(f"{_NO_SUCH_TEST}: {shown(test)}")
        return test


def _grouped_tests(suite: Cursor) -> Order:
    """The tests of all groups; a group may name the file that its ids begin with."""
    found: dict[TestId, None] = {}
    for group in suite.items():
        file = group.optional("file", "").text()
        for item in group.member("tests").items():
            test = TestId(f"{file}::{item.text()}" if file else item.text())
            if test in found:
                raise item.fault(f"duplicate test: {shown(test)}")
            found[test] = None
    return tuple(found)


def cost_from_json(item: Cursor) -> Cost:
    """Raises Fault."""
    return Cost(
        algorithm=item.member("algorithm").text(),
        orders=item.member("orders").count(),
        tests=item.member("tests").count(),
        seconds=item.member("seconds").seconds(),
        choice=item.optional("choice", "").text(),
    )


def _confidence(item: Cursor) -> Confidence:
    runs = item.member("runs").count()
    differed = item.member("differed").count()
    if differed > runs:
        raise item.member("differed").fault(f"more than the {runs} runs")
    return Confidence(item.member("sure").share(), differed, runs)


def _format(item: Cursor) -> int:
    number = item.count()
    if number > FORMAT:
        raise _Newer(item.where, f"{number} was written by a newer unknot; this one knows format {FORMAT}")
    if number not in (OLD_FORMAT, FORMAT):
        raise item.fault(f"{number} is unknown; this unknot knows format {FORMAT}")
    return number


def _distinct(item: Cursor) -> Order:
    found: dict[TestId, None] = {}
    for element in item.items():
        test = TestId(element.text())
        if test in found:
            raise element.fault(f"duplicate test: {shown(test)}")
        found[test] = None
    return tuple(found)


def _outcome(item: Cursor) -> Outcome:
    try:
        return Outcome(item.text())
    except ValueError:
        known = ", ".join(Outcome)
        raise item.fault(f"unknown outcome {shown(item.text())!r}; known are {known}") from None


def _old_reason(item: Cursor) -> Reason:
    """The sentence as it is. The one for nothing is recognised, so that it is not printed beside a reason."""
    text = item.text()
    return Reason(ReasonKind.NOTHING) if text == _OLD_NOTHING else Reason(ReasonKind.TEXT, shown=text)
