"""Reading JSON format 1, trusting nothing: the file is committed, merged and edited by people."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from unknot.model.dependencies import Confidence, Conflict, Cost, Dependencies, Need, Proof
from unknot.model.errors import NewerFormatError, StorageError
from unknot.model.outcome import Outcome
from unknot.model.sanitise import shown
from unknot.model.suite import Order, Suite, TestId
from unknot.store.cursor import Cursor, Fault
from unknot.store.json_document import parsed
from unknot.store.test_fingerprints import Fingerprints
from unknot.store.untried_text import rows_from

FORMAT = 1

Found = TypeVar("Found")

_AGAIN = "run unknot detect again"


def read_lock(path: Path) -> Dependencies:
    """The result that the lock file holds, checked through and through.

    Raises StorageError, which names the file, the JSON path of the first fault and what to do. Nothing is written.
    """
    return _read(path, from_json)


def read_fingerprints(path: Path) -> Fingerprints | None:
    """By what the tests of the lock file are known again; None where it does not say. Raises StorageError."""
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
    """The result in these JSON values. Members that format 1 does not know are passed over. Raises Fault.

    Guarantee: every id in the result is in its suite, every test has an outcome and seconds, no list of ids holds
    one twice, no test needs or breaks itself, and both orders of a proof end in the test that they are about.
    """
    root = Cursor(document)
    _check_format(root.member("format"))
    root.member("tool").text()
    suite = root.member("suite")
    reading = _Reading(Suite(_distinct(suite.member("tests"))))
    cost = root.member("cost")
    outcomes = {test: _outcome(value) for test, value in reading.per_test(suite.member("outcomes"))}
    seconds = {test: value.seconds() for test, value in reading.per_test(suite.member("seconds"))}
    flaky = reading.ids(root.member("flaky"))
    untried = root.member("untried").count()
    # No part of the result, but a document is read as a whole or not at all.
    reading.fingerprints(root)
    return Dependencies(
        suite=reading.suite,
        outcomes=outcomes,
        seconds=seconds,
        needs=tuple(reading.need(item) for item in root.member("needs").items()),
        conflicts=tuple(reading.conflict(item) for item in root.member("conflicts").items()),
        flaky=flaky,
        untried=untried,
        complete=root.member("complete").truth(),
        cost=Cost(
            algorithm=cost.member("algorithm").text(),
            orders=cost.member("orders").count(),
            tests=cost.member("tests").count(),
            seconds=cost.member("seconds").seconds(),
            choice=cost.optional("choice", "").text(),
        ),
        confidence=reading.confidence(root.optional("confidence", {}), flaky),
        untried_rows=reading.untried_rows(root, untried),
    )


def fingerprints_from_json(document: object) -> Fingerprints | None:
    """Those in these JSON values, if there are any: they may be left out, also for single tests. Raises Fault."""
    root = Cursor(document)
    return _Reading(Suite(_distinct(root.member("suite").member("tests")))).fingerprints(root)


class _Newer(Fault):
    """Not damaged: only beyond us."""


class _Reading:
    """The parts of the document that name tests, read against the suite that it lists."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite

    def check_known(self, table: Cursor) -> None:
        for key in table.object():
            if key not in self.suite.index:
                raise table.entry(key).fault("no such test in suite.tests")

    def per_test(self, table: Cursor) -> list[tuple[TestId, Cursor]]:
        self.check_known(table)
        return [(test, table.entry(test)) for test in self.suite.tests]

    def need(self, item: Cursor) -> Need:
        dependent = self.id(item.member("dependent"))
        return Need(
            dependent=dependent,
            any_of=self.others(item.member("any_of"), dependent),
            proof=self.proof(item.member("proof"), dependent),
            complete=item.optional("complete", True).truth(),
            why=_texts(item.member("why")),
        )

    def conflict(self, item: Cursor) -> Conflict:
        victim = self.id(item.member("victim"))
        return Conflict(
            victim=victim,
            polluters=self.others(item.member("polluters"), victim),
            cleaners=self.ids(item.member("cleaners")),
            proof=self.proof(item.member("proof"), victim),
            complete=item.optional("complete", True).truth(),
            why=_texts(item.member("why")),
        )

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

    def fingerprints(self, root: Cursor) -> Fingerprints | None:
        if "fingerprints" not in root.object():
            return None
        table = root.member("fingerprints")
        tests = table.member("tests")
        self.check_known(tests)
        return Fingerprints(
            environment=table.member("environment").text(),
            tests={test: tests.entry(test).text() for test in self.suite.tests if test in tests.object()},
        )

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
            raise item.fault(f"no such test in suite.tests: {shown(test)}")
        return test


def _confidence(item: Cursor) -> Confidence:
    runs = item.member("runs").count()
    differed = item.member("differed").count()
    if differed > runs:
        raise item.member("differed").fault(f"more than the {runs} runs")
    return Confidence(item.member("sure").share(), differed, runs)


def _check_format(item: Cursor) -> None:
    number = item.count()
    if number > FORMAT:
        raise _Newer(item.where, f"{number} was written by a newer unknot; this one knows format {FORMAT}")
    if number != FORMAT:
        raise item.fault(f"{number} is unknown; this unknot knows format {FORMAT}")


def _distinct(item: Cursor) -> Order:
    found: dict[TestId, None] = {}
    for element in item.items():
        test = TestId(element.text())
        if test in found:
            raise element.fault(f"stands twice: {shown(test)}")
        found[test] = None
    return tuple(found)


def _outcome(item: Cursor) -> Outcome:
    try:
        return Outcome(item.text())
    except ValueError:
        known = ", ".join(Outcome)
        raise item.fault(f"unknown outcome {shown(item.text())!r}; known are {known}") from None


def _texts(item: Cursor) -> tuple[str, ...]:
    return tuple(element.text() for element in item.items())
