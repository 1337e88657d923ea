"""Reading lock files, format 2 and 1. Nothing is trusted: the file is committed, merged and edited by hand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from unknot.model.dependencies import Confidence, Conflict, Cost, Dependencies, Need, Proof, Suspicion
from unknot.model.errors import NewerFormatError
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.sanitise import shown
from unknot.model.suite import Order, Suite, TestId
from unknot.store.claims_digest import ClaimsDigests
from unknot.store.fingerprint import OWN_PART, Fingerprints, name_of_function
from unknot.store.typed_json import (
    PLAIN,
    ErrorTemplate,
    Fault,
    JsonReader,
    Problem,
    at,
    entry,
    expected,
    explained,
    load,
)
from unknot.store.untried_text import rows_from

FORMAT = 2
OLD_FORMAT = 1
"""Read as well: it has times and costs, and its reasons are sentences. `--format json` still prints it."""

Found = TypeVar("Found")
_Claim = TypeVar("_Claim", Need, Conflict)

_OLD_NOTHING = (
    "nothing was seen to flow: what passes between them may be held by C code, by a service outside, by another"
    " process, or by the clock"
)

_REQUIRED = {"needs", "conflicts", "flaky", "untried", "complete"}

_ERRORS: Mapping[Problem, ErrorTemplate] = {
    "missing": ErrorTemplate(slug="lock-missing", hint="run unknot detect first"),
    "other format": ErrorTemplate(slug="lock-newer", hint="upgrade unknot", error=NewerFormatError),
    "damaged": ErrorTemplate(slug="lock-damaged", hint="run unknot detect again"),
}


@dataclass(frozen=True)
class LockContent:
    """All of a lock file. `fingerprints` are None if it has none. `altered` are tests about which it no longer says
    what was written, after a merge for example: they have no fingerprint, and count as changed. If tests were added,
    removed or moved too, all are: each part may be right, and the parts were never tried together."""

    dependencies: Dependencies
    fingerprints: Fingerprints | None
    altered: frozenset[TestId] = frozenset()


def read_lock_content(path: Path) -> LockContent:
    """All of it, with one reading. Raises StorageError."""
    return _read(path, content_from_json)


def read_lock(path: Path) -> Dependencies:
    """The result in the lock file, fully checked. Raises StorageError, which names the file, the JSON path of the first
    fault and what to do."""
    return _read(path, from_json)


def read_fingerprints(path: Path) -> Fingerprints | None:
    """The fingerprints in the lock file; None if it has none. Raises StorageError."""
    return read_lock_content(path).fingerprints


def _read(path: Path, of: Callable[[object], Found]) -> Found:
    with explained(path, _ERRORS):
        return of(load(path))


def from_json(document: object) -> Dependencies:
    """The result in these JSON values: a lock file of format 2, or a document of format 1. Unknown members are ignored.
    Seconds are empty and the cost is unknown where the document has none. Raises Fault.

    Guarantee: every id in the result is in its suite, every test has an outcome, no list of ids holds one twice, no
    test needs or breaks itself, and both orders of a proof end in the test that they are about.
    """
    return _Reading(document).dependencies()


def content_from_json(document: object) -> LockContent:
    """All of these JSON values. Raises Fault."""
    return _Reading(document).content()


def fingerprints_from_json(document: object) -> Fingerprints | None:
    """Those in these JSON values, if there are any: they may be left out, also for single tests. Raises Fault."""
    return _Reading(document).content().fingerprints


@dataclass(frozen=True)
class _Group:
    """Tests of one file, whose ids begin with its name, if there is one."""

    tests: tuple[str, ...]
    file: str = ""
    fingerprint: str = ""
    own: Mapping[str, str] = field(default_factory=dict)
    claims: str = ""

    @property
    def ids(self) -> Order:
        return tuple(TestId(f"{self.file}::{name}" if self.file else name) for name in self.tests)

    @property
    def fingerprints(self) -> list[str]:
        """Of each test; empty where there is none."""
        parts = (self.own.get(name_of_function(name)) for name in self.tests)
        return [f"{self.fingerprint}{OWN_PART}{own}" if own else self.fingerprint for own in parts]


class _Reading:
    """Reads the tests of the document first, then the parts that name tests."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._is_old = _format(document) == OLD_FORMAT
        PLAIN.read(str, document, "tool")
        self._groups: tuple[_Group, ...] = ()
        if self._is_old:
            tests = JsonReader(checks={Order: _check_distinct}).read(Order, document, "suite", "tests")
        else:
            self._groups = PLAIN.read(tuple[_Group, ...], document, "suite")
            tests = _grouped_tests(self._groups)
        self._suite = Suite(tests)
        self._reader = JsonReader(
            special={Suite: lambda _: self._suite, Reason: _old_reason if self._is_old else _reason},
            checks={
                TestId: self._check_known,
                Order: _check_distinct,
                Need: _check_need,
                Conflict: _check_conflict,
                Confidence: _check_confidence,
                Suspicion: lambda one: _check_others(one.others, one.test, ".others", at_least_one=False),
            },
            required={
                Dependencies: _REQUIRED | ({"cost"} if self._is_old else set()),
                Need: ("why",),
                Conflict: ("why",),
                Cost: ("algorithm", "orders", "tests", "seconds"),
            },
        )

    def content(self) -> LockContent:
        found, fingerprints = self.dependencies(), self.fingerprints()
        altered = self._altered(found)
        if fingerprints is not None and altered:
            kept = {test: known for test, known in fingerprints.tests.items() if test not in altered}
            fingerprints = Fingerprints(fingerprints.environment, kept)
        return LockContent(found, fingerprints, altered)

    def _altered(self, found: Dependencies) -> frozenset[TestId]:
        """Files of earlier versions have no digests: their claims count as written."""
        if "digest" not in self._document:
            return frozenset()
        digests = ClaimsDigests(found)
        if PLAIN.read(str, self._document, "digest") == digests.of_all(self._suite.tests):
            return frozenset()
        groups = [group for group in self._groups if group.claims != digests.of(group.ids)]
        return frozenset(test for group in groups for test in group.ids) or frozenset(self._suite.tests)

    def dependencies(self) -> Dependencies:
        # Not a part of the result, but a document is read as a whole or not at all.
        self.fingerprints()
        # Members that are elsewhere in the document, or in another form.
        document = {**self._document, "seconds": {}, "untried_rows": []}
        if self._is_old:
            found = self._reader.read(Dependencies, {**document, "outcomes": {}})
            outcomes = self._reader.read(dict[TestId, Outcome], document, "suite", "outcomes")
            seconds = self._reader.read(dict[TestId, float], document, "suite", "seconds")
            found = replace(
                found,
                outcomes=self._complete("outcomes", outcomes),
                seconds=self._complete("seconds", seconds),
                needs=_with_reasons(found.needs, document, "needs"),
                conflicts=_with_reasons(found.conflicts, document, "conflicts"),
                conflicts_when_failing=_with_reasons(found.conflicts_when_failing, document, "conflicts_when_failing"),
            )
        else:
            document.pop("cost", None)
            found = self._reader.read(Dependencies, document)
            # The outcomes of tests that passed are left out.
            outcomes = {test: found.outcomes.get(test, Outcome.PASSED) for test in self._suite.tests}
            found = replace(found, outcomes=outcomes)
        for test in found.confidence:
            if test not in found.flaky:
                raise Fault("not among the flaky tests", f".confidence{entry(test)}")
        if "untried_pairs" not in document:
            return found
        texts = PLAIN.read(tuple[str, ...], document, "untried_pairs")
        with at(".untried_pairs"):
            return replace(found, untried_rows=rows_from(texts, len(self._suite), found.untried))

    def fingerprints(self) -> Fingerprints | None:
        if self._is_old:
            has_any = "fingerprints" in self._document
            return self._reader.read(Fingerprints, self._document, "fingerprints") if has_any else None
        if "environment" not in self._document:
            return None
        each = [fingerprint for group in self._groups for fingerprint in group.fingerprints]
        known = {test: found for test, found in zip(self._suite.tests, each, strict=True) if found}
        return Fingerprints(PLAIN.read(str, self._document, "environment"), known)

    def _complete(self, name: str, table: dict[TestId, Found]) -> dict[TestId, Found]:
        for test in self._suite.tests:
            if test not in table:
                raise Fault("missing", f".suite.{name}{entry(test)}")
        return table

    def _check_known(self, test: TestId) -> None:
        if test not in self._suite.index:
            raise Fault(f"no such test in the suite: {shown(test)}")


def _format(document: object) -> int:
    number = PLAIN.read(int, document, "format")
    if number > FORMAT:
        what = f"{number} was written by a newer unknot; this one knows format {FORMAT}"
        raise Fault(what, ".format", "other format")
    if number < OLD_FORMAT:
        raise Fault(f"{number} is unknown; this unknot knows format {FORMAT}", ".format")
    return number


def _grouped_tests(groups: tuple[_Group, ...]) -> Order:
    found: dict[TestId, None] = {}
    for number, group in enumerate(groups):
        for place, test in enumerate(group.ids):
            if test in found:
                raise Fault(f"duplicate test: {shown(test)}", f".suite[{number}].tests[{place}]")
            found[test] = None
    return tuple(found)


def _with_reasons(claims: tuple[_Claim, ...], document: Any, member: str) -> tuple[_Claim, ...]:
    """In format 1 `why` has sentences; newer documents have what they are made of beside them, in `reasons`."""
    found = []
    for number, (claim, item) in enumerate(zip(claims, document.get(member, ()), strict=True)):
        if "reasons" in item:
            with at(f".{member}[{number}]"):
                claim = replace(claim, why=PLAIN.read(tuple[Reason, ...], item, "reasons"))
        found.append(claim)
    return tuple(found)


def _check_distinct(tests: Order) -> None:
    if len(set(tests)) == len(tests):
        return
    seen = set()
    for place, test in enumerate(tests):
        if test in seen:
            raise Fault(f"duplicate test: {shown(test)}", f"[{place}]")
        seen.add(test)


def _check_need(need: Need) -> None:
    _check_others(need.any_of, need.dependent, ".any_of")
    _check_proof(need.proof, need.dependent)


def _check_conflict(conflict: Conflict) -> None:
    _check_others(conflict.polluters, conflict.victim, ".polluters")
    _check_proof(conflict.proof, conflict.victim)


def _check_others(others: Order, test: TestId, where: str, *, at_least_one: bool = True) -> None:
    if at_least_one and not others:
        raise Fault("must name a test, is empty", where)
    if test in others:
        raise Fault(f"names {shown(test)} itself", where)


def _check_proof(proof: Proof, test: TestId) -> None:
    for order, where in ((proof.passes, ".proof.passes"), (proof.fails, ".proof.fails")):
        if order[-1:] != (test,):
            raise Fault(f"must end in {shown(test)}", where)


def _check_confidence(known: Confidence) -> None:
    if known.sure > 1:
        raise expected("a number from 0 to 1", known.sure).inside(".sure")
    if known.differed > known.runs:
        raise Fault(f"more than the {known.runs} runs", ".differed")


def _reason(value: object) -> Reason:
    """The tests in it need not be in the suite any more."""
    return PLAIN.read(Reason, value)


def _old_reason(value: object) -> Reason:
    """A sentence as it is. The one for nothing is recognised, so that it is not printed beside a reason."""
    if not isinstance(value, str):
        return _reason(value)
    return Reason(ReasonKind.NOTHING) if value == _OLD_NOTHING else Reason(ReasonKind.TEXT, shown=value)
