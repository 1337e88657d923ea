"""Which tests a run is about: what was collected, what the chosen tests need beside, one shard of it."""

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from rich.console import Console

from unknot.app.configuration import PYTEST
from unknot.app.recording.trace import touched_outside
from unknot.app.session.session import settings_from, workplace
from unknot.app.test_names import first_few
from unknot.model.dependencies import Dependencies
from unknot.model.errors import CollectionError, NoTestsError, UsageError
from unknot.model.suite import Order, Suite, TestId
from unknot.plan.constraints.subset import MatchedSuite, close_tests, match_suite, restrict
from unknot.plan.partial import shard_of
from unknot.report.wording import counted
from unknot.runners.protocol import Listing, Runner
from unknot.runners.settings import Settings

_NO_FILTER = ("-k", "", "-m", "")
"""The last `-k` and `-m` count for pytest, so that these undo the user's: the tests are named one by one instead."""


@dataclass(frozen=True)
class Scope:
    """`dependencies` are of the tests to plan for, `unknown` the others to run; `suite` is all that was collected.
    `lines` tell where this differs from the lock file."""

    runner: Runner
    settings: Settings
    suite: Suite
    dependencies: Dependencies
    unknown: Order
    lines: tuple[str, ...]

    @property
    def tests(self) -> Order:
        """What the run is about, in the sequence of the suite."""
        return tuple(test for test in self.suite.tests if test in self.dependencies.suite.index or test in self.unknown)


Shard = tuple[int, int]


def shard(text: str) -> Shard:
    """`2/6` for the second of six."""
    number, slash, count = text.partition("/")
    if not (slash and number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"must be like 2/6, the second of six, not {text!r}")
    return int(number), int(count)


@contextmanager
def scope(options: argparse.Namespace, locked: Dependencies, console: Console) -> Iterator[Scope]:
    """Starts the workers. What the chosen tests need and was not chosen is collected too, if it is there."""
    chosen = settings_from(options, console)
    # More workers than tests would only be started and stopped.
    chosen = replace(chosen, workers=min(chosen.workers, max(1, len(locked.suite))))
    is_choice = bool(chosen.paths or chosen.options)
    with ExitStack() as stack:
        place = stack.enter_context(workplace(chosen, options, console, at_once=True))
        added: Order = ()
        if is_choice and (wanted := _missing(locked, place.listing.suite)):
            stack.close()
            settings = place.settings
            naming = _naming(settings, place.listing, locked, wanted)
            more = naming if place.kind == PYTEST else replace(settings, paths=(*settings.paths, *wanted))
            try:
                place = stack.enter_context(workplace(more, options, console, at_once=True))
                added = wanted
            except (UsageError, CollectionError, NoTestsError):
                # It is not there any more. Then the chosen ones are run without, and told.
                place = stack.enter_context(workplace(settings, options, console, at_once=True))
        place.runner.keep_apart(touched_outside(options.state_dir))
        suite = place.listing.suite
        known = match_suite(locked, suite)
        lines = [*_additions(added), *_differences(known, is_choice=is_choice)]
        dependencies, unknown = known.dependencies, known.unknown
        if options.shard is not None:
            dependencies, unknown = _part(known, options.shard)
        yield Scope(place.runner, place.settings, suite, dependencies, unknown, tuple(lines))


def _part(known: MatchedSuite, part: Shard) -> tuple[Dependencies, Order]:
    """Of unknown tests nobody knows the seconds nor what they need: they stay together, in the last shard."""
    number, count = part
    dependencies = restrict(known.dependencies, shard_of(known.dependencies, number, count))
    return dependencies, known.unknown if number == count else ()


def _missing(locked: Dependencies, suite: Suite) -> Order:
    wanted = close_tests(locked, [test for test in suite.tests if test in locked.suite.index])
    return tuple(test for test in wanted if test not in suite.index)


def _naming(settings: Settings, collected: Listing, locked: Dependencies, wanted: Order) -> Settings:
    """Settings that collect the chosen tests and the wanted ones, in the suite's order, and nothing else."""
    tests = list(collected.suite.tests)
    place = locked.suite.index
    for test in wanted:
        later = (at for at, other in enumerate(tests) if other in place and place[other] > place[test])
        tests.insert(next(later, len(tests)), test)
    # Ids begin at pytest's root, arguments at the directory it is started in.
    to_root = os.path.relpath(collected.root, settings.directory)
    paths = tuple(test if to_root == "." else f"{to_root}/{test}" for test in tests)
    return replace(settings, paths=paths, options=(*_without_paths(settings.options), *_NO_FILTER))


def _without_paths(options: Sequence[str]) -> Iterator[str]:
    """pytest's options less the tests that are named among them. What follows an option is taken for its value; at
    worst pytest then rejects the line, or collects more than was chosen, which is told."""
    before = ""
    for word in options:
        file = word.removeprefix("@").partition("::")[0]
        is_value = before.startswith("-") and "=" not in before and "::" not in word and not word.startswith("@")
        if word.startswith("-") or is_value or not os.path.exists(file):
            yield word
        before = word


def _additions(added: Sequence[TestId]) -> Iterator[str]:
    if added:
        verb = "was" if len(added) == 1 else "were"
        yield f"{counted(len(added), 'test')} {verb} added that the chosen ones need: {first_few(added)}"


def _differences(known: MatchedSuite, *, is_choice: bool) -> Iterator[str]:
    """What a run that was given a choice leaves out is no news."""
    for tests, told in (
        (known.new, "not in the lock file, run last in the suite's own sequence"),
        (known.orphaned, "in need of what is no longer there, run last in the suite's own sequence"),
        (() if is_choice else known.gone, "of the lock file but not collected now"),
    ):
        if tests:
            yield f"{counted(len(tests), 'test')} {told}: {first_few(tests)}"
