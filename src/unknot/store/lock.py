"""JSON format 1: the lock file and `--format json`. Documented for users in docs/reference/json.md."""

import json
import re
from pathlib import Path
from typing import Any

from unknot import __version__
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.store.atomic import write_atomically
from unknot.store.lock_reader import FORMAT, fingerprints_from_json, from_json, read_fingerprints, read_lock
from unknot.store.test_fingerprints import Fingerprints
from unknot.store.untried_text import untried_texts

__all__ = [
    "FORMAT",
    "dumps",
    "fingerprints_from_json",
    "from_json",
    "read_fingerprints",
    "read_lock",
    "to_json",
    "write_lock",
]

DIGITS = 6
"""Of seconds: a microsecond is less than any clock of a test is worth, and fewer digits make smaller differences."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json(dependencies: Dependencies, fingerprints: Fingerprints | None = None) -> dict[str, Any]:
    """The result as JSON values, keys and lists in a fixed order. A test that was never run has the outcome `not-run`
    and 0 seconds. Guarantee: `from_json` gives an equal result back, but for seconds beyond a microsecond, and for
    which pairs are untried where that would be long; `fingerprints_from_json` gives the same fingerprints."""
    tests = dependencies.suite.tests
    return {
        "format": FORMAT,
        "tool": f"unknot {__version__}",
        "suite": {
            "tests": list(tests),
            "outcomes": {test: dependencies.outcomes.get(test, Outcome.NOT_RUN).value for test in tests},
            "seconds": {test: round(dependencies.seconds.get(test, 0.0), DIGITS) for test in tests},
        },
        "needs": [_need(need) for need in dependencies.needs],
        "conflicts": [_conflict(conflict) for conflict in dependencies.conflicts],
        "flaky": list(dependencies.flaky),
        **_confidence(dependencies),
        "untried": dependencies.untried,
        **_untried_pairs(dependencies),
        "complete": dependencies.complete,
        "cost": {
            "algorithm": dependencies.cost.algorithm,
            "orders": dependencies.cost.orders,
            "tests": dependencies.cost.tests,
            "seconds": round(dependencies.cost.seconds, DIGITS),
            **({"choice": dependencies.cost.choice} if dependencies.cost.choice else {}),
        },
        **_fingerprints(dependencies, fingerprints),
    }


def dumps(dependencies: Dependencies, fingerprints: Fingerprints | None = None) -> str:
    """The text of the lock file: the same result gives the same text, which UTF-8 can hold, with a newline last."""
    text = json.dumps(to_json(dependencies, fingerprints), ensure_ascii=False, indent=1, allow_nan=False)
    # A byte of a file name that is not UTF-8 is a lone surrogate in Python: JSON can say it, UTF-8 cannot.
    return _LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def write_lock(path: Path, dependencies: Dependencies, fingerprints: Fingerprints | None = None) -> None:
    """Replace the lock file whole or not at all. Raises StorageError."""
    write_atomically(path, dumps(dependencies, fingerprints))


def _need(need: Need) -> dict[str, Any]:
    return {
        "dependent": need.dependent,
        "any_of": list(need.any_of),
        "proof": _proof(need.proof),
        "why": list(need.why),
        **_unless_complete(need.complete),
    }


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {
        "victim": conflict.victim,
        "polluters": list(conflict.polluters),
        "cleaners": list(conflict.cleaners),
        "proof": _proof(conflict.proof),
        "why": list(conflict.why),
        **_unless_complete(conflict.complete),
    }


def _proof(proof: Proof) -> dict[str, Any]:
    return {"passes": list(proof.passes), "fails": list(proof.fails)}


def _confidence(dependencies: Dependencies) -> dict[str, Any]:
    said = {
        test: {"sure": round(known.sure, DIGITS), "differed": known.differed, "runs": known.runs}
        for test in dependencies.suite.tests
        if (known := dependencies.confidence.get(test))
    }
    return {"confidence": said} if said else {}


def _untried_pairs(dependencies: Dependencies) -> dict[str, Any]:
    texts = untried_texts(dependencies.untried_rows) if dependencies.untried_rows else None
    return {"untried_pairs": texts} if texts else {}


def _fingerprints(dependencies: Dependencies, known: Fingerprints | None) -> dict[str, Any]:
    if known is None:
        return {}
    tests = {test: known.tests[test] for test in dependencies.suite.tests if test in known.tests}
    return {"fingerprints": {"environment": known.environment, "tests": tests}}


def _unless_complete(complete: bool) -> dict[str, Any]:
    return {} if complete else {"complete": False}
