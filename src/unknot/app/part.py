"""A detection of a part of the suite: which part was asked for, and what it leaves of an earlier result."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.app.options import RunnerOptions
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UsageError
from unknot.model.partial import depending_on_others, merge_part
from unknot.model.suite import Suite, TestId
from unknot.report.wording import counted
from unknot.runners.protocol import Listing
from unknot.store.fingerprint import Fingerprints
from unknot.store.lock import LockContent

_WITH_VALUE = ("-k", "-m", "--deselect", "--ignore", "--ignore-glob")
_ALONE = ("--lf", "--last-failed", "--sw", "--stepwise")
"""Options of pytest that select tests."""


@dataclass(frozen=True)
class KnownWhole:
    """An earlier result with tests that this detection does not look at. `gone` are tests that it would look at if they
    still existed."""

    dependencies: Dependencies
    fingerprints: Fingerprints | None
    gone: frozenset[TestId]

    def describe(self, part: Suite, lock: Path) -> str:
        """What is not looked at, in a line."""
        others = sum(test not in part.index for test in self.dependencies.suite.tests) - len(self.gone)
        undecided = len(depending_on_others(self.dependencies, part.tests))
        text = f"{lock.name} keeps what it says about {counted(others, 'other test')}"
        return f"{text}, and about {undecided} of these, which depend on others" if undecided else text

    def merged(self, part: Dependencies, now: Fingerprints) -> tuple[Dependencies, Fingerprints]:
        """The whole result, and its fingerprints: none of tests that are new or changed, so that the next detection of
        the whole suite looks at them among all others."""
        merged = merge_part(self.dependencies, part, self.gone)
        if self.fingerprints is None:
            return merged, Fingerprints("", {})
        before = self.fingerprints.tests
        unchanged = {test: before[test] for test in merged.suite.tests if test in before}
        kept = {test: digest for test, digest in unchanged.items() if now.tests.get(test, digest) == digest}
        return merged, Fingerprints(self.fingerprints.environment, kept)


def find_known_whole(options: RunnerOptions, known: LockContent | None, listing: Listing) -> KnownWhole | None:
    """None if the detection is of the whole suite, or nothing is known of other tests."""
    is_narrowed = without_selection(options.pytest_options) != options.pytest_options
    if not (options.paths or is_narrowed) or known is None:
        return None
    before = known.dependencies
    others = [test for test in before.suite.tests if test not in listing.suite.index]
    asked_for = [] if is_narrowed else [options.directory / path for path in options.paths]
    gone = frozenset(test for test in others if _is_asked_for(test, listing.root, asked_for))
    return KnownWhole(before, known.fingerprints, gone) if len(gone) < len(others) else None


def without_selection(words: Sequence[str]) -> tuple[str, ...]:
    """A command line of pytest without the options that select tests."""
    return tuple(_without_selection(words))


def require_same_options(before: Sequence[str], now: Sequence[str], lock: Path) -> None:
    """Proofs are repeated with one command line, so the lock file must not mix those of several. Raises UsageError."""
    if without_selection(before) != without_selection(now):
        raise UsageError(
            f"{lock.name} holds the result of `{' '.join(before)}`, and this part is run with `{' '.join(now)}`",
            hint="Use the same options for pytest, or write this result to another file with the option `lock`.",
            slug="options-conflict",
        )


def _without_selection(words: Sequence[str]) -> Iterator[str]:
    is_value = False
    for place, word in enumerate(words):
        name = word.partition("=")[0]
        if is_value:
            is_value = False
        elif word in _WITH_VALUE and words[place + 1 : place + 2] != ["pytest"]:
            is_value = True
        elif name not in (*_WITH_VALUE, *_ALONE) and not (word.startswith(("-k", "-m")) and len(word) > len("-k")):
            yield word


def _is_asked_for(test: TestId, root: Path, paths: Collection[Path]) -> bool:
    file = root / test.partition("::")[0]
    return any(file.is_relative_to(path) if "::" not in path.name else _is_node(root / test, path) for path in paths)


def _is_node(test: Path, node: Path) -> bool:
    return test == node or str(test).startswith((f"{node}::", f"{node}["))
