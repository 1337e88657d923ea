"""The tests of a run, and its options: what was collected, what the chosen tests need in addition, one shard of it."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from unknot.app.configuration import PYTEST
from unknot.app.find_tests import first_few
from unknot.app.options import RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.recording.servers import users_of_servers
from unknot.app.run.options import RunOptions, Shard
from unknot.app.session.session import Session, open_session, settings_from
from unknot.model.dependencies import Dependencies
from unknot.model.errors import CollectionError, NoTestsError, UsageError
from unknot.model.suite import Order, Suite, TestId
from unknot.plan.constraints.subset import MatchedSuite, close_tests, match_suite, restrict
from unknot.plan.fixed_order import with_fixed_order
from unknot.plan.partial import shard_of
from unknot.report.wording import counted
from unknot.runners.protocol import Listing, Runner
from unknot.runners.settings import Settings

_NO_FILTER = ("-k", "", "-m", "")
"""The last `-k` and `-m` count for pytest, so that these undo the user's: the tests are named one by one instead."""


@dataclass(frozen=True)
class RunScope:
    """`dependencies` are of the tests to plan for, `unknown` the others to run; `suite` is all that was collected.
    `lines` describe how this differs from the lock file; `details` are those of the listing of the chosen tests."""

    runner: Runner
    settings: Settings
    suite: Suite
    dependencies: Dependencies
    unknown: Order
    lines: tuple[str, ...]
    details: str = ""
    collecting: float = 0.0
    """Seconds, if they were measured."""

    @property
    def tests(self) -> Order:
        """The tests of the run, in the sequence of the suite."""
        return tuple(test for test in self.suite.tests if test in self.dependencies.suite.index or test in self.unknown)


def open_scope(
    options: RunOptions, planned: Dependencies, listener: ProgressListener, resources: ExitStack
) -> RunScope:
    """Starts the workers, which end with `resources`. `planned` is what to plan by. Tests that the chosen ones need are
    collected too, if they exist."""
    chosen = replace(
        settings_from(options.runner, listener),
        reports=options.reports,
        selects=options.reports,
        measure=options.measure,
    )
    # More workers than tests would only be started and stopped.
    chosen = replace(chosen, workers=min(chosen.workers, max(1, len(planned.suite))))
    is_choice = bool(chosen.paths or chosen.options)
    wanted = with_fixed_order(planned) if options.fix_order else planned
    session, added, details = _open_with_prerequisites(
        chosen, options.runner, wanted, listener, resources, is_choice=is_choice
    )
    session.runner.keep_apart(users_of_servers(options.files.state_dir))
    suite = session.listing.suite
    known = match_suite(planned, suite)
    lines = [
        *_additions(added),
        *_differences(known, "recording" if options.from_recording else "lock file", is_choice=is_choice),
    ]
    if options.fix_order:
        known = replace(known, dependencies=with_fixed_order(known.dependencies))
    dependencies, unknown = known.dependencies, known.unknown
    if options.shard is not None:
        dependencies, unknown = _part(known, options.shard)
    return RunScope(
        session.runner,
        session.settings,
        suite,
        dependencies,
        unknown,
        tuple(lines),
        details,
        session.listing.seconds,
    )


def _open_with_prerequisites(
    settings: Settings,
    options: RunnerOptions,
    locked: Dependencies,
    listener: ProgressListener,
    resources: ExitStack,
    *,
    is_choice: bool,
) -> tuple[Session, Order, str]:
    """A session, the tests that were added to the chosen ones, and the details of the listing of these."""
    session = open_session(settings, options, listener, all_workers=True)
    details = session.listing.details
    wanted = _missing(locked, session.listing.suite) if is_choice else ()
    if not wanted:
        return resources.enter_context(session), (), details
    with session:
        settings = session.settings
        if session.kind == PYTEST:
            more = _naming(settings, session.listing, locked, wanted)
        else:
            more = replace(settings, paths=(*settings.paths, *wanted))
    try:
        return resources.enter_context(open_session(more, options, listener, all_workers=True)), wanted, details
    except (UsageError, CollectionError, NoTestsError):
        # They no longer exist. The chosen tests run without them, and that is reported.
        return resources.enter_context(open_session(settings, options, listener, all_workers=True)), (), details


def _part(known: MatchedSuite, part: Shard) -> tuple[Dependencies, Order]:
    """Neither the time of unknown tests is known nor what they need: they stay together, in the last shard."""
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
    options = (*_without_paths(settings.options, settings.directory), *_NO_FILTER)
    paths = tuple(test if to_root == "." else f"{to_root}/{test}" for test in tests)
    return replace(settings, paths=paths, options=options, selects=False)


def _without_paths(options: Sequence[str], directory: Path) -> Iterator[str]:
    """pytest's options without the tests that are named among them. A word after an option is taken for its value; at
    worst pytest then rejects the line, or collects more than was chosen, which is reported."""
    before = ""
    for word in options:
        file = word.removeprefix("@").partition("::")[0]
        is_value = before.startswith("-") and "=" not in before and "::" not in word and not word.startswith("@")
        if word.startswith("-") or is_value or not (directory / file).exists():
            yield word
        before = word


def _additions(added: Sequence[TestId]) -> Iterator[str]:
    if added:
        verb = "was" if len(added) == 1 else "were"
        yield f"{counted(len(added), 'test')} {verb} added as prerequisites: {first_few(added)}"


def _differences(known: MatchedSuite, source: str, *, is_choice: bool) -> Iterator[str]:
    """Tests that a choice of tests leaves out are not mentioned."""
    for tests, text in (
        (known.new, f"not in the {source}, run last in suite order"),
        (known.orphaned, "whose prerequisites no longer exist, run last in suite order"),
        (() if is_choice else known.gone, f"of the {source}, not collected now"),
    ):
        if tests:
            yield f"{counted(len(tests), 'test')} {text}: {first_few(tests)}"
