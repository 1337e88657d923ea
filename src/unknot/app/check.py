"""The gate for CI: is there a dependency that the committed lock file does not have?"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from unknot.app.detect import Detection, DetectOptions, detect
from unknot.app.known_result import known_lock
from unknot.app.progress import ProgressListener
from unknot.model.comparison import Comparison, compare, renamed_tests
from unknot.model.errors import UsageError
from unknot.model.suite import TestId


@dataclass(frozen=True)
class CheckOptions:
    """`baseline`: compare with the lock file, or write what was found to it."""

    detect: DetectOptions
    baseline: Literal["compare", "update"] = "compare"


@dataclass(frozen=True)
class CheckResult:
    """`lines` has the place of each test in its file, as far as it is known."""

    comparison: Comparison
    detection: Detection
    lines: Mapping[TestId, int] = field(default_factory=dict)


def check(options: CheckOptions, listener: ProgressListener) -> CheckResult:
    """Runs what may be different since the lock file was written, and compares. The lock file is written only to update
    it. Raises UsageError if there is none, StorageError if it cannot be read, and what `detect` raises."""
    files = options.detect.files
    if not files.lock.exists():
        raise UsageError(
            f"there is no lock file to compare with: {files.lock} does not exist",
            hint="Run `unknot detect` once and commit the lock file that it writes.",
            slug="check-no-lock",
        )
    before = known_lock(files)
    detection = detect(options.detect, listener, writes_lock=options.baseline == "update")
    now = detection.dependencies
    fingerprints = before.fingerprints.tests if before.fingerprints else {}
    renamed = renamed_tests(fingerprints, detection.fingerprints.tests, now.suite.tests)
    found = compare(before.dependencies, now, renamed)
    tests = [*now.needs_of, *now.conflicts_of]
    return CheckResult(found, detection, lines_of(options.detect.runner.directory, tests))


def lines_of(directory: Path, tests: Iterable[TestId]) -> dict[TestId, int]:
    """The line on which each test begins, decorators not counted; without tests that a file does not define by name.
    Cost: reads and parses each file once."""
    trees: dict[str, ast.AST | None] = {}
    found: dict[TestId, int] = {}
    for test in tests:
        file, *names = test.partition("[")[0].split("::")
        if file not in trees:
            trees[file] = _parsed(directory / file)
        node = trees[file]
        for name in names:
            children = getattr(node, "body", ())
            node = next((child for child in reversed(children) if getattr(child, "name", None) == name), None)
        if names and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[test] = node.lineno
    return found


def _parsed(path: Path) -> ast.AST | None:
    try:
        return ast.parse(path.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError):
        return None
