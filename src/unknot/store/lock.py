"""The lock file, format 2. Documented for users in docs/reference/json.md."""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

from unknot import __version__
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.outcome import Outcome
from unknot.model.reason import NOWHERE, Reason
from unknot.model.recording import Stack
from unknot.model.suite import TestId
from unknot.store.atomic import write_atomically
from unknot.store.claims_digest import ClaimsDigests
from unknot.store.fingerprint import OWN_PART, Fingerprints, name_of_function
from unknot.store.lock_reader import (
    FORMAT,
    LockContent,
    content_from_json,
    fingerprints_from_json,
    from_json,
    read_fingerprints,
    read_lock,
    read_lock_content,
)
from unknot.store.untried_text import untried_texts

__all__ = [
    "FORMAT",
    "LockContent",
    "content_from_json",
    "dumps",
    "fingerprints_from_json",
    "from_json",
    "read_fingerprints",
    "read_lock",
    "read_lock_content",
    "to_json",
    "write_lock",
]

DIGITS = 6
"""Of seconds: a microsecond is less than any clock of a test is worth, and fewer digits make smaller differences."""

_REASON_TEXTS = ("writer", "reader", "setter", "cleaner", "shown", "writing", "reading", "unseen")

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json(dependencies: Dependencies, fingerprints: Fingerprints | None = None) -> dict[str, Any]:
    """The lock file as JSON values, keys and lists in a fixed order, without times and costs.

    Guarantee: `from_json` gives an equal result back, but for seconds and cost, and for which pairs are untried where
    that list would be long; `fingerprints_from_json` gives the same fingerprints.
    """
    outcomes = {test: dependencies.outcomes.get(test, Outcome.NOT_RUN) for test in dependencies.suite.tests}
    digests = ClaimsDigests(replace(dependencies, outcomes=outcomes))
    return {
        "format": FORMAT,
        "tool": f"unknot {__version__}",
        **({"environment": fingerprints.environment} if fingerprints is not None else {}),
        "digest": digests.of_all(dependencies.suite.tests),
        "suite": _groups(dependencies, fingerprints, digests),
        "outcomes": {test: outcome.value for test, outcome in outcomes.items() if outcome is not Outcome.PASSED},
        "needs": [claim_to_json(need) for need in dependencies.needs],
        "conflicts": [claim_to_json(conflict) for conflict in dependencies.conflicts],
        **list_if_any("conflicts_when_failing", map(claim_to_json, dependencies.conflicts_when_failing)),
        "flaky": list(dependencies.flaky),
        **confidence_to_json(dependencies),
        "untried": dependencies.untried,
        **untried_to_json(dependencies),
        "only_in_company": dependencies.only_in_company,
        "complete": dependencies.complete,
        "sought": list(dependencies.sought),
        **suspected_to_json(dependencies),
    }


def dumps(dependencies: Dependencies, fingerprints: Fingerprints | None = None) -> str:
    """The text of the lock file: the same result gives the same text, which UTF-8 can hold, with a newline last."""
    text = json.dumps(to_json(dependencies, fingerprints), ensure_ascii=False, indent=1, allow_nan=False)
    return escape_surrogates(text) + "\n"


def escape_surrogates(text: str) -> str:
    """JSON that UTF-8 can hold: a byte of a file name that is not UTF-8 is a lone surrogate in Python."""
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def write_lock(path: Path, dependencies: Dependencies, fingerprints: Fingerprints | None = None) -> None:
    """Replace the lock file whole or not at all. Raises StorageError."""
    write_atomically(path, dumps(dependencies, fingerprints))


def claim_to_json(claim: Need | Conflict) -> dict[str, Any]:
    tests = (
        {"dependent": claim.dependent, "any_of": list(claim.any_of)}
        if isinstance(claim, Need)
        else {"victim": claim.victim, "polluters": list(claim.polluters), "cleaners": list(claim.cleaners)}
    )
    return {
        **tests,
        "proof": {"passes": list(claim.proof.passes), "fails": list(claim.proof.fails)},
        "why": [reason_to_json(reason) for reason in claim.why],
        **({} if claim.complete else {"complete": False}),
    }


def reason_to_json(reason: Reason) -> dict[str, Any]:
    """Members that are empty are left out. Guarantee: read as a Reason it is equal."""
    texts = {key: getattr(reason, key) for key in _REASON_TEXTS if getattr(reason, key)}
    location = reason.location
    return {
        "kind": reason.kind.value,
        **({"location": {"kind": location.kind, "name": location.name}} if location != NOWHERE else {}),
        **texts,
        **({"written": stack_to_json(reason.written)} if reason.written else {}),
        **({"read": stack_to_json(reason.read)} if reason.read else {}),
        **({} if reason.sure else {"sure": False}),
    }


def stack_to_json(stack: Stack) -> list[dict[str, Any]]:
    return [{"file": frame.file, "line": frame.line, "function": frame.function} for frame in stack]


def list_if_any(name: str, items: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """A member that is left out if it has nothing."""
    return {name: found} if (found := list(items)) else {}


def confidence_to_json(dependencies: Dependencies) -> dict[str, Any]:
    found = {
        test: {"sure": round(known.sure, DIGITS), "differed": known.differed, "runs": known.runs}
        for test in dependencies.suite.tests
        if (known := dependencies.confidence.get(test))
    }
    return {"confidence": found} if found else {}


def suspected_to_json(dependencies: Dependencies) -> dict[str, Any]:
    found = (
        {"test": one.test, "kind": one.kind.value, **({"others": list(one.others)} if one.others else {})}
        for one in dependencies.suspected
    )
    return list_if_any("suspected", found)


def untried_to_json(dependencies: Dependencies) -> dict[str, Any]:
    texts = untried_texts(dependencies.untried_rows) if dependencies.untried_rows else None
    return {"untried_pairs": texts} if texts else {}


def _groups(
    dependencies: Dependencies, fingerprints: Fingerprints | None, digests: ClaimsDigests
) -> list[dict[str, Any]]:
    """Consecutive tests of one file whose fingerprints have one shared part, the file and this part once for all of
    them, the other parts by the name of the function, and the digest of what is claimed about them."""
    known = fingerprints.tests if fingerprints is not None else {}

    def shared(test: TestId) -> tuple[str, str]:
        file, separator, _ = test.partition("::")
        return file if separator else "", known.get(test, "").partition(OWN_PART)[0]

    grouped = ((key, list(tests)) for key, tests in groupby(dependencies.suite.tests, shared))
    groups = []
    for (file, fingerprint), tests in grouped:
        names = [test.removeprefix(f"{file}::") if file else test for test in tests]
        parts = ((name_of_function(name), known.get(test, "")) for name, test in zip(names, tests, strict=True))
        own = {name: part.partition(OWN_PART)[2] for name, part in parts if OWN_PART in part}
        groups.append(
            {
                **({"file": file} if file else {}),
                **({"fingerprint": fingerprint} if fingerprint else {}),
                **({"own": own} if own else {}),
                **({"claims": claims} if (claims := digests.of(tests)) else {}),
                "tests": names,
            }
        )
    return groups
