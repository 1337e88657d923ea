"""Whether a detection can build on the lock file, and what has changed since it was written."""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError
from unknot.model.suite import Suite, TestId
from unknot.runners.protocol import Listing
from unknot.store.fingerprint import environment_fingerprint, file_digest, test_fingerprints
from unknot.store.lock import read_fingerprints, read_lock
from unknot.store.test_fingerprints import Fingerprints


# What must stay the same for an old answer to stay true, taken from the files of a collected suite.
def taken_from(listing: Listing, options: tuple[str, ...]) -> Fingerprints:
    """For a test its file and the conftest files on its way; for all of them the project's own modules, the plugins,
    the interpreter and the options. Paths count from the project's root: another checkout has the same."""
    own_files = set(listing.files)
    shared = [path for path in listing.modules if path not in own_files and path.name != "conftest.py"]
    environment = environment_fingerprint(
        [
            *listing.plugins,
            *options,
            *(f"{_from_root(path, listing.root)}:{file_digest(path)}" for path in shared),
        ]
    )
    by_file = {path: [path, *_conftests(path, listing.root)] for path in own_files}
    sources: dict[TestId, list[Path]] = {
        test: by_file[path] for test, path in zip(listing.suite.tests, listing.files, strict=True)
    }
    return Fingerprints(environment, test_fingerprints(sources))


def _from_root(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _conftests(path: Path, root: Path) -> list[Path]:
    parents = [parent for parent in path.parents if parent.is_relative_to(root)]
    return [parent / "conftest.py" for parent in parents if (parent / "conftest.py").exists()]


_GROWING = ("auto", "sieve")
"""Whoever names a published algorithm wants to see it at work."""

_MOSTLY = 0.5
"""If fewer of today's tests than this share are known and as they were, a detection from nothing costs no more."""


@dataclass(frozen=True)
class Growth:
    """What to build on, and which of its tests are not what they were."""

    previous: Dependencies
    changed: frozenset[TestId]

    def told(self, suite: Suite) -> str:
        """What is different, for people; empty if nothing is."""
        before = self.previous.suite.index
        new = sum(test not in before for test in suite.tests)
        gone = sum(test not in suite.index for test in before)
        counts = {"new": new, "changed": len(self.changed), "gone": gone}
        different = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        return f"asking only what could have changed: {different} (--anew asks everything)" if different else ""


def sought(fingerprints: Fingerprints, options: argparse.Namespace) -> Fingerprints:
    """The fingerprints of a result: what was looked for is as much a part of it as where."""
    looked_for = [options.algorithm, options.orders, str(options.thorough), str(options.seed), str(options.bound)]
    return replace(fingerprints, environment=environment_fingerprint([fingerprints.environment, *looked_for]))


def growth(options: argparse.Namespace, suite: Suite, today: Fingerprints) -> Growth | None:
    """None if everything has to be asked: there is no complete result of the same search in the same environment, or
    it is of another suite, or the user wants so."""
    if options.anew or options.forget or options.algorithm not in _GROWING or not options.lock.exists():
        return None
    try:
        previous, before = read_lock(options.lock), read_fingerprints(options.lock)
    except StorageError:
        # The user was told already; it will be written anew.
        return None
    if before is None or before.environment != today.environment or not previous.complete:
        return None
    same = {test for test in suite.tests if before.tests.get(test) == today.tests[test]}
    if len(same) < _MOSTLY * len(suite):
        return None
    return Growth(previous, frozenset(test for test in suite.tests if test in previous.suite.index) - same)


def brittle_yesterday(options: argparse.Namespace) -> float | None:
    """The share of tests that needed others when the lock file was written; None if that is not known."""
    if options.forget or not options.lock.exists():
        return None
    try:
        previous = read_lock(options.lock)
    except StorageError:
        return None
    return len(previous.needs_of) / len(previous.suite) if previous.complete and len(previous.suite) else None
