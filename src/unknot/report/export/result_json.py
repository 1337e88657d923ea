"""The result of a detection for programs: what `--format json` prints. Documented in docs/reference/json.md.

This is format 1, which lock files had too until format 2. Unlike a lock file, it has times and costs, and each reason
as a sentence.
"""

import json
from typing import Any

from unknot import __version__
from unknot.model.cause import causes
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.outcome import Outcome
from unknot.report.reasons import sentences
from unknot.store.fingerprint import Fingerprints
from unknot.store.known_result import cost_to_json
from unknot.store.lock import (
    DIGITS,
    claim_to_json,
    confidence_to_json,
    escape_surrogates,
    list_if_any,
    suspected_to_json,
    untried_to_json,
)


def result_json(dependencies: Dependencies, fingerprints: Fingerprints | None = None) -> str:
    """The document as text. The same result gives the same text, which UTF-8 can hold, with a newline last."""
    document = result_document(dependencies, fingerprints)
    return escape_surrogates(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"


def result_document(dependencies: Dependencies, fingerprints: Fingerprints | None = None) -> dict[str, Any]:
    """The result as JSON values, keys and lists in a fixed order. A test that was never run has the outcome `not-run`
    and 0 seconds. Guarantee: `store.lock.from_json` gives an equal result back, but for seconds beyond a microsecond,
    and for which pairs are untried where that list would be long."""
    tests = dependencies.suite.tests
    return {
        "format": 1,
        "tool": f"unknot {__version__}",
        "suite": {
            "tests": list(tests),
            "outcomes": {test: dependencies.outcomes.get(test, Outcome.NOT_RUN).value for test in tests},
            "seconds": {test: round(dependencies.seconds.get(test, 0.0), DIGITS) for test in tests},
        },
        "needs": [_claim(need) for need in dependencies.needs],
        "conflicts": [_claim(conflict) for conflict in dependencies.conflicts],
        **list_if_any("conflicts_when_failing", map(_claim, dependencies.conflicts_when_failing)),
        **_causes(dependencies),
        "flaky": list(dependencies.flaky),
        **confidence_to_json(dependencies),
        "untried": dependencies.untried,
        **untried_to_json(dependencies),
        "only_in_company": dependencies.only_in_company,
        "complete": dependencies.complete,
        "sought": list(dependencies.sought),
        **suspected_to_json(dependencies),
        "cost": cost_to_json(dependencies.cost),
        **_fingerprints(dependencies, fingerprints),
    }


def _claim(claim: Need | Conflict) -> dict[str, Any]:
    """`why` has the sentences, as it always had; `reasons` what they are made of."""
    entry = claim_to_json(claim)
    reasons = entry["why"]
    entry["why"] = list(sentences(claim.why))
    return {**entry, **({"reasons": reasons} if reasons else {})}


def _causes(dependencies: Dependencies) -> dict[str, Any]:
    """Each cause with the places of its claims in `needs` and `conflicts`."""
    needs = {need: place for place, need in enumerate(dependencies.needs)}
    conflicts = {conflict: place for place, conflict in enumerate(dependencies.conflicts)}
    found = (
        {
            "location": {"kind": cause.location.kind, "name": cause.location.name},
            "dependencies": cause.dependencies,
            "tests": list(cause.tests),
            "needs": [needs[need] for need in cause.needs],
            "conflicts": [conflicts[conflict] for conflict in cause.conflicts],
        }
        for cause in causes(dependencies)
    )
    return list_if_any("causes", found)


def _fingerprints(dependencies: Dependencies, known: Fingerprints | None) -> dict[str, Any]:
    if known is None:
        return {}
    tests = {test: known.tests[test] for test in dependencies.suite.tests if test in known.tests}
    return {"fingerprints": {"environment": known.environment, "tests": tests}}
