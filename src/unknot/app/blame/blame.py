"""Finds out what breaks one test, why, and which change helps."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from unknot.app.baseline import fingerprints_of
from unknot.app.blame.failed_run import FailedRun, orders_of
from unknot.app.configuration import PYTEST
from unknot.app.find_tests import find_in_suite
from unknot.app.fix.edges import edges_of
from unknot.app.fix.trial import Cut
from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.app.progress import ProgressListener
from unknot.app.session.session import Session, open_session, settings_from
from unknot.detect.blame.blame import blame as search
from unknot.detect.plan_failures.lock_updates import LockUpdate, apply_updates, names_known_tests
from unknot.model.blame import Blame, BlameVerdict, NamedOrder
from unknot.model.dependencies import Dependencies
from unknot.model.errors import UnknotError, UsageError
from unknot.model.outcome import Outcome
from unknot.model.recording import Recording
from unknot.model.sanitise import shown
from unknot.model.suite import Suite, TestId
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.memo import MemoOracle
from unknot.recorder.reasons import with_reasons
from unknot.store.journal.journal import Journal
from unknot.store.lock import read_fingerprints, write_lock
from unknot.store.state_directory import StateDirectory

TRIAL_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class BlameOptions:
    """`reason`: record the tests concerned, to say why. `fix`: try changes that remove the dependency. `save`: add what
    was found to the lock file."""

    runner: RunnerOptions
    files: ProjectFiles = field(default_factory=ProjectFiles)
    failed_run: FailedRun = field(default_factory=FailedRun)
    reason: bool = True
    fix: bool = True
    save: bool = False
    no_cache: bool = False
    max_seconds: float | None = None
    seconds: float = TRIAL_SECONDS


@dataclass(frozen=True)
class BlameResult:
    """`blame.dependencies` have reasons, and the whole suite. `cuts` are the claims about the test, each with its
    reasons and the change that removes it; `recording` is of the tests concerned only."""

    blame: Blame
    cuts: tuple[Cut, ...]
    recording: Recording | None
    invocation: tuple[str, ...]
    orders: int
    seconds: float
    saved: bool = False

    @property
    def test(self) -> TestId:
        return self.blame.test

    @property
    def verdict(self) -> BlameVerdict:
        return self.blame.verdict

    @property
    def dependencies(self) -> Dependencies:
        return self.blame.dependencies


def blame(test: str, options: BlameOptions, listener: ProgressListener) -> BlameResult:
    """Raises UsageError for a test that the suite does not have, for an order without it, and with `save` if there is
    no lock file; and what running the suite raises. Writes the journal, and with `save` the lock file."""
    started = time.monotonic()
    locked = _lock_to_save_to(options, listener)
    settings = settings_from(options.runner, listener)
    state = StateDirectory(options.files.state_dir)
    state.prepare()
    with open_session(settings, options.runner, listener) as session:
        suite = session.listing.suite
        wanted = _test(test, suite)
        _check_kind(session, options.failed_run)
        orders = orders_of(options.failed_run, wanted, suite, session.settings)
        session.runner.listener = listener.after_test
        found = _search(wanted, orders, session, options, state, listener)
    ran = found.dependencies.cost.orders
    found = replace(found, dependencies=_in_whole_suite(found.dependencies, suite))
    recording = None
    if found.verdict is BlameVerdict.DEPENDENT and options.reason and session.kind == PYTEST:
        recording = _recording(found, session, listener)
    if recording is not None:
        found = replace(found, dependencies=with_reasons(found.dependencies, recording))
    saved = locked is not None and _save(found, locked, options.files)
    cuts = _cuts(found, recording, session, options, listener)
    return BlameResult(found, cuts, recording, session.invocation, ran, time.monotonic() - started, saved)


def _lock_to_save_to(options: BlameOptions, listener: ProgressListener) -> Dependencies | None:
    if not options.save:
        return None
    # The planners take a while to import.
    from unknot.app.plan import require_lock

    return require_lock(options.files, listener)


def _test(name: str, suite: Suite) -> TestId:
    test = find_in_suite(suite, name)
    if test not in suite.index:
        raise UsageError(
            f"no such test: {shown(name)}",
            hint=f"Give the id of one of the {len(suite)} tests that are collected, or a part of it.",
            slug="no-such-test",
        )
    return test


def _check_kind(session: Session, failed: FailedRun) -> None:
    if session.kind != PYTEST and (failed.seed is not None or failed.random_order_seed is not None):
        raise UsageError(
            f"a seed of a pytest plugin is given, and this suite is run by {session.kind}",
            hint="Write the order of the failed run into a file, and name it with --order.",
            slug="option-not-applicable",
        )


def _search(
    test: TestId,
    orders: Sequence[NamedOrder],
    session: Session,
    options: BlameOptions,
    state: StateDirectory,
    listener: ProgressListener,
) -> Blame:
    listing = session.listing
    fingerprints = fingerprints_of(listing, session.settings.options)
    files = dict(zip(listing.suite.tests, map(str, listing.files), strict=True))
    journal = Journal.open(state.journal, fingerprints=fingerprints.tests, environment=fingerprints.environment)
    with journal:
        if options.no_cache:
            journal.forget()
        limited = BudgetOracle(session.runner, Budget(seconds=options.max_seconds), time.monotonic)
        try:
            return search(
                _part(listing.suite, test, orders),
                MemoOracle(limited, journal),
                test,
                orders,
                file_of=files.__getitem__,
                on_progress=listener.search,
            )
        finally:
            listener.search_finished()


def _part(suite: Suite, test: TestId, orders: Sequence[NamedOrder]) -> Suite:
    """The tests that ran before the test, and those before it in the suite: no other can have broken it."""
    if not orders:
        return suite
    before = {other for named in orders for other in named.order}
    place = suite.index[test]
    return Suite(tuple(other for number, other in enumerate(suite.tests) if number <= place or other in before))


def _in_whole_suite(found: Dependencies, suite: Suite) -> Dependencies:
    return replace(
        found,
        suite=suite,
        outcomes={other: found.outcomes.get(other, Outcome.NOT_RUN) for other in suite.tests},
        seconds={other: found.seconds.get(other, 0.0) for other in suite.tests},
        untried=0,
        untried_rows=(),
    )


def _recording(found: Blame, session: Session, listener: ProgressListener) -> Recording | None:
    """Of the tests in the proofs only."""
    # It takes a while to import, and `reason` may be off.
    from unknot.app.recording.concerned import record_concerned

    claims: tuple[LockUpdate, ...] = (*found.dependencies.needs, *found.dependencies.conflicts)
    recorded = record_concerned(claims, session.listing.suite, session.settings, listener)
    if recorded is None:
        return None
    # That they were left out is no news.
    return replace(recorded, notes=())


def _cuts(
    found: Blame, recording: Recording | None, session: Session, options: BlameOptions, listener: ProgressListener
) -> tuple[Cut, ...]:
    edges = edges_of(found.dependencies, found.test)
    if recording is None:
        return tuple(map(Cut, edges))
    known = tuple(Cut(edge, edge.reasons(recording)) for edge in edges)
    if not options.fix or not any(cut.reasons for cut in known) or listener.is_interrupted():
        return known
    from unknot.app.fix.trial import FixTrial
    from unknot.app.fix.workspace import open_workspace

    try:
        with open_workspace(session.settings, options.runner.runner) as workspace:
            trial = FixTrial(
                workspace,
                found.dependencies,
                recording,
                options.seconds,
                lambda text: listener.status(shown(text)),
            )
            return tuple(trial.cut_all(edges))
    except UnknotError as problem:
        note = f"no change could be tried: {problem.message.splitlines()[0]}"
        return tuple(replace(cut, note=note) for cut in known)


def _save(found: Blame, locked: Dependencies, files: ProjectFiles) -> bool:
    """Returns whether there was something to add."""
    claims: tuple[LockUpdate, ...] = (*found.dependencies.needs, *found.dependencies.conflicts)
    known = [claim for claim in claims if names_known_tests(claim, locked)]
    if not known:
        return False
    write_lock(files.lock, apply_updates(locked, known), read_fingerprints(files.lock))
    return True
