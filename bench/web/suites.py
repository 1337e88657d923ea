"""The suites of `examples/webapp`, each in a copy of its own, and how a result compares with their truth."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "webapp"

NAMES = ("playwright_suite", "selenium_suite")

Need = tuple[str, frozenset[str]]
Conflict = tuple[str, frozenset[str], frozenset[str]]


@dataclass(frozen=True)
class Claims:
    """What a lock file or a truth says: needs with their alternatives, conflicts with polluters and cleaners."""

    needs: frozenset[Need]
    conflicts: frozenset[Conflict]


@dataclass(frozen=True)
class Agreement:
    """How much of the truth a result has, word for word, and how much it has besides."""

    needs: int
    conflicts: int
    others: int


def read_claims(document: dict[str, Any]) -> Claims:
    return Claims(
        frozenset((need["dependent"], frozenset(need["any_of"])) for need in document["needs"]),
        frozenset(
            (each["victim"], frozenset(each["polluters"]), frozenset(each["cleaners"]))
            for each in document["conflicts"]
        ),
    )


def truth_of(suite: str, part: Sequence[str] = ()) -> Claims:
    """Of the whole suite, or of these files of it: then what is claimed about tests of these files only."""
    claims = read_claims(json.loads((EXAMPLE / suite / "truth.json").read_text(encoding="utf-8")))
    if not part:
        return claims

    def there(tests: frozenset[str]) -> frozenset[str]:
        return frozenset(test for test in tests if test.partition("::")[0] in part)

    return Claims(
        frozenset(
            (test, some) for test, any_of in claims.needs if there(frozenset({test})) and (some := there(any_of))
        ),
        frozenset(
            (victim, polluters, there(cleaners))
            for victim, polluters, cleaners in claims.conflicts
            if there(polluters | {victim}) == polluters | {victim}
        ),
    )


def agreement(found: Claims, truth: Claims) -> Agreement:
    return Agreement(
        needs=len(found.needs & truth.needs),
        conflicts=len(found.conflicts & truth.conflicts),
        others=len(found.needs - truth.needs) + len(found.conflicts - truth.conflicts),
    )


def copy_into(directory: Path) -> Path:
    """A copy of the example without anything that an earlier run has left."""
    left = shutil.ignore_patterns(".unknot", "unknot.lock.json", "__pycache__", ".pytest_cache")
    return Path(shutil.copytree(EXAMPLE, directory / "webapp", ignore=left))
