"""Browser suites among the examples, each in a copy of its own, and how a result compares with their truth."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True)
class Subject:
    """A suite: the example it belongs to, the directory of its tests there, and the file of its truth."""

    example: Path
    tests: str
    truth: str


SUBJECTS: Mapping[str, Subject] = {
    "playwright_suite": Subject(_EXAMPLES / "webapp", "playwright_suite", "playwright_suite/truth.json"),
    "selenium_suite": Subject(_EXAMPLES / "webapp", "selenium_suite", "selenium_suite/truth.json"),
    "ihatemoney": Subject(_EXAMPLES / "ihatemoney", "suite", "truth.json"),
}

OURS = ("playwright_suite", "selenium_suite")
"""Those that need no more than this project's own environment. For the others, install their requirements in it."""

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


def truth_document(suite: str) -> dict[str, Any]:
    subject = SUBJECTS[suite]
    document: dict[str, Any] = json.loads((subject.example / subject.truth).read_text(encoding="utf-8"))
    return document


def truth_of(suite: str, part: Sequence[str] = ()) -> Claims:
    """Of the whole suite, or of these files of it: then what is claimed about tests of these files only."""
    claims = read_claims(truth_document(suite))
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


def copy_into(directory: Path, suite: str) -> Path:
    """A copy of its example without anything that an earlier run has left."""
    left = shutil.ignore_patterns(".unknot", "unknot.lock.json", "__pycache__", ".pytest_cache")
    example = SUBJECTS[suite].example
    return Path(shutil.copytree(example, directory / example.name, ignore=left))
