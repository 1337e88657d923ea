"""What a detection can build on: the lock file of an earlier one, and fingerprints that say what has changed since."""

from dataclasses import dataclass
from pathlib import Path

from unknot.detect.algorithms import DEFAULT
from unknot.model.dependencies import Dependencies
from unknot.model.suite import Suite, TestId
from unknot.runners.protocol import Listing
from unknot.store.fingerprint import Fingerprints, environment_fingerprint, file_digest, test_fingerprints
from unknot.store.lock import LockContent

_MOSTLY = 0.5
"""If a smaller share of the tests than this is known and unchanged, a detection from scratch costs no more."""


@dataclass(frozen=True)
class Baseline:
    """An earlier result, and the tests that have changed since. `is_of_more`: it has tests that were not asked for."""

    previous: Dependencies
    changed: frozenset[TestId]
    is_of_more: bool = False

    def is_extended(self, suite: Suite) -> bool:
        """Whether there are new or changed tests."""
        return bool(self.changed) or any(test not in self.previous.suite.index for test in suite.tests)

    def differences(self, suite: Suite) -> str:
        """What is different now; empty if nothing is."""
        before = self.previous.suite.index
        new = sum(test not in before for test in suite.tests)
        gone = 0 if self.is_of_more else sum(test not in suite.index for test in before)
        counts = {"new": new, "changed": len(self.changed), "gone": gone}
        return ", ".join(f"{count} {word}" for word, count in counts.items() if count)


def find_baseline(known: LockContent | None, suite: Suite, now: Fingerprints, algorithm: str) -> Baseline | None:
    """None if the search has to start from scratch: there is no complete result of the same search in the same
    environment, or too little of the suite is unchanged."""
    # A published algorithm is chosen to be compared, so it always searches from scratch.
    if algorithm != DEFAULT or known is None:
        return None
    previous, before = known.dependencies, known.fingerprints
    if before is None or before.environment != now.environment or not previous.complete:
        return None
    same = {test for test in suite.tests if before.tests.get(test) == now.tests[test]}
    if len(same) < _MOSTLY * len(suite):
        return None
    return Baseline(previous, frozenset(test for test in suite.tests if test in previous.suite.index) - same)


def fingerprints_of(listing: Listing, options: tuple[str, ...]) -> Fingerprints:
    """What must stay the same for an earlier run to stay valid. For a test: its file and the conftest files above it;
    for all tests: the project's own modules, the plugins, the interpreter and the options. Paths count from the
    project's root, so that another checkout has the same fingerprints."""
    own_files = set(listing.files)
    shared = [path for path in listing.modules if path not in own_files and path.name != "conftest.py"]
    environment = environment_fingerprint(
        [
            *listing.plugins,
            *options,
            *(f"{from_root(path, listing.root)}:{file_digest(path)}" for path in shared),
        ]
    )
    by_file = {path: [path, *_conftests(path, listing.root)] for path in own_files}
    sources: dict[TestId, list[Path]] = {
        test: by_file[path] for test, path in zip(listing.suite.tests, listing.files, strict=True)
    }
    return Fingerprints(environment, test_fingerprints(sources))


def from_root(path: Path, root: Path) -> str:
    """How messages and files name it."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _conftests(path: Path, root: Path) -> list[Path]:
    parents = [parent for parent in path.parents if parent.is_relative_to(root)]
    return [parent / "conftest.py" for parent in parents if (parent / "conftest.py").exists()]
