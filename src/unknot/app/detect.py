"""Finds the dependencies of a suite, proves them, and writes them to the lock file."""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal

from unknot.app.baseline import Baseline, find_baseline, fingerprints_of
from unknot.app.candidates.sources import HintOptions, candidates_for_detection
from unknot.app.configuration import PYTEST, require_pytest
from unknot.app.find_tests import first_and_count
from unknot.app.forecast import CostNote
from unknot.app.known_result import known_lock
from unknot.app.options import ProjectFiles, RunnerOptions
from unknot.app.part import KnownWhole, find_known_whole, require_same_options
from unknot.app.progress import ProgressListener
from unknot.app.recording.coverage import check_coverage_installed, record_coverage
from unknot.app.recording.servers import users_of_servers
from unknot.app.recording.trace import TraceOptions, Tracing
from unknot.app.report import last_invocation, remember_invocation
from unknot.app.session.session import Session, open_session, settings_from
from unknot.detect.algorithms import ALGORITHMS, DEFAULT, current_name
from unknot.detect.engine.options import Options
from unknot.detect.engine.session import Progress
from unknot.detect.incremental.detector import detect_incrementally
from unknot.hints.recording import RecordedFlows, combine_flows, flows_from_candidates
from unknot.model.candidates import Candidates
from unknot.model.comparison import compare
from unknot.model.dependencies import Dependencies, Proof
from unknot.model.errors import NewerFormatError, RunnerError, StorageError, UsageError
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.recording import Recording
from unknot.model.run import OrderRequest, Run
from unknot.model.sanitise import shown
from unknot.model.suite import Order, Suite
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.memo import MemoOracle
from unknot.oracle.protocol import Oracle
from unknot.oracle.recorded_reference import RecordedReferenceOracle
from unknot.report.wording import counted
from unknot.runners.settings import Settings
from unknot.store.atomic import check_link
from unknot.store.durations import write_durations
from unknot.store.fingerprint import Fingerprints, environment_fingerprint
from unknot.store.journal.journal import Journal
from unknot.store.known_result import is_explained, is_written_here, write_cost, write_explained
from unknot.store.lock import LockContent, dumps, write_lock
from unknot.store.start_up import update_start_up
from unknot.store.state_directory import StateDirectory
from unknot.web.hints.configurations import parse_configuration, with_candidate_reasons

_KEPT_DAYS = 180.0
"""Older runs are deleted: the journal would grow for ever, and most of them are of code that no longer exists."""


_ATTEMPTS = 3
"""A proof is run up to so many times."""


@dataclass(frozen=True, kw_only=True)
class DetectOptions:
    """`orders`: look for problems in any order, or only among tests that keep the reference order. `full`: search all
    tests, not only what changed since the lock file was written. `no_cache`: drop the runs of the journal."""

    runner: RunnerOptions
    files: ProjectFiles = field(default_factory=ProjectFiles)
    tracing: TraceOptions = field(default_factory=TraceOptions)
    hints: HintOptions = field(default_factory=HintOptions)
    algorithm: str = DEFAULT
    bound: int = 2
    orders: Literal["any", "reference"] = "any"
    thorough: bool = False
    seed: int = 0
    full: bool = False
    no_cache: bool = False
    coverage: bool = False
    max_orders: int | None = None
    max_tests: int | None = None
    max_seconds: float | None = None


@dataclass(frozen=True)
class Detection:
    """`dependencies` with what a report on them needs. `interrupted`: the search was stopped by the user.
    `not_restored` names, in a sentence, files that orders may have seen of each other."""

    dependencies: Dependencies
    fingerprints: Fingerprints
    settings: Settings
    invocation: tuple[str, ...]
    notes: tuple[str, ...] = ()
    not_restored: str = ""
    recording: Recording | None = None
    interrupted: bool = False


class _RunnerOracle(CountingOracle):
    """Also notes an interruption, which detectors take for the end of their time."""

    interrupted = False

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        try:
            yield from super().run_orders(requests)
        except KeyboardInterrupt:
            self.interrupted = True
            raise


@dataclass
class _Search:
    """One detection while it runs."""

    options: DetectOptions
    session: Session
    listener: ProgressListener
    tracing: Tracing
    cost_note: CostNote
    counting: _RunnerOracle = field(init=False)

    def __post_init__(self) -> None:
        oracle: Oracle = self.session.runner
        if self.tracing.is_under_way:
            oracle = RecordedReferenceOracle(oracle, self.suite, partial(self.tracing.first_outcomes, self.suite))
        self.counting = _RunnerOracle(oracle)

    @property
    def suite(self) -> Suite:
        return self.session.listing.suite

    def check_reset(self, journal: Journal) -> None:
        """Raises RunnerError if resets do not restore the clean state. Checked once for each state of the suite."""
        from unknot.app.resets import check_reset
        from unknot.runners.dispatch.slot_runner import SlotRunner

        runner = self.session.runner
        assert isinstance(runner, SlotRunner)
        if journal.recall(OrderRequest(self.suite.tests)) is not None:
            return
        pairs = len(self.suite) * (len(self.suite) - 1)
        self.listener.search(Progress("checking that the reset works", 0, 0, lambda: pairs))
        try:
            check_reset(runner, self.suite, self.session.reset_by, journal, self.counting, self.listener)
        finally:
            self.listener.search_finished()

    def run(
        self,
        journal: Journal,
        baseline: Baseline | None,
        candidates: Candidates | None,
        on_claims: Callable[[Dependencies], None],
    ) -> Dependencies:
        """What was found until the end, a limit or an interruption. `on_claims` gets what is proved meanwhile."""
        options = self.options
        budget = Budget(options.max_orders, options.max_tests, options.max_seconds)
        oracle = MemoOracle(BudgetOracle(self.counting, budget, time.monotonic), journal)
        chosen = self._detector_options(candidates, on_claims, looks_twice=baseline is None)
        if baseline is not None and (differences := baseline.differences(self.suite)):
            self.listener.status(
                f"searching only what could have changed: {differences} (the option `full` searches everything)"
            )
        try:
            if baseline is not None:
                return detect_incrementally(
                    self.suite,
                    oracle,
                    baseline.previous,
                    baseline.changed,
                    chosen,
                    self.listener.search,
                    self._has_runs(journal),
                )
            return ALGORITHMS[current_name(options.algorithm)](self.suite, oracle, chosen, self.listener.search)
        finally:
            self.listener.search_finished()

    def _has_runs(self, journal: Journal) -> Callable[[Proof], bool]:
        """Whether the journal has the two runs of a proof. All of them were run here if the lock file was written
        here; it may show them with shorter orders than those that were run."""
        files = self.options.files
        if is_written_here(files.lock, StateDirectory(files.state_dir)):
            return lambda _: True

        def last_outcomes(order: Order) -> set[Outcome]:
            runs = (journal.recall(OrderRequest(order, attempt)) for attempt in range(_ATTEMPTS))
            return {run.last for run in runs if run is not None}

        def has_runs(proof: Proof) -> bool:
            passes, fails = last_outcomes(proof.passes), last_outcomes(proof.fails)
            return bool(passes and fails) and passes.isdisjoint(fails)

        return has_runs

    def _detector_options(
        self, candidates: Candidates | None, on_claims: Callable[[Dependencies], None], *, looks_twice: bool
    ) -> Options:
        options, suite, tracing = self.options, self.suite, self.tracing
        recording = tracing.recording
        hints = flows_from_candidates(candidates) if candidates else None

        def flows_seen_meanwhile(is_suspicious: bool) -> RecordedFlows | None:
            found = tracing.first_look()
            if found is not None and (is_suspicious or found.has_cleaners):
                found = tracing.second_look(only_reads=not is_suspicious)
            return flows_in(found)

        def flows_in(found: Recording | None) -> RecordedFlows | None:
            if found is None:
                return hints
            self.session.runner.keep_apart(found.users_of_servers)
            return combine_flows(RecordedFlows.of(found, suite), hints)

        def flows_seen_so_far() -> RecordedFlows | None:
            found = tracing.first_look()
            if looks_twice and self.session.is_warm:
                tracing.begin_second_look()
            return flows_in(found)

        def claims_found(found: Dependencies) -> None:
            on_claims(found)
            # Not before, where every order needs a process: it would delay the first claim.
            if looks_twice:
                tracing.begin_second_look()

        files = dict(zip(suite.tests, map(str, self.session.listing.files), strict=True))
        return Options(
            reorders=options.orders == "any",
            thorough=options.thorough,
            seed=options.seed,
            file_of=files.__getitem__,
            bound=options.bound,
            candidates=_candidate_graph(suite, recording, candidates),
            recorded=combine_flows(RecordedFlows.of(recording, suite) if recording else None, hints),
            recorded_meanwhile=None if recording else flows_seen_meanwhile,
            recorded_so_far=flows_seen_so_far,
            records_reference=tracing.is_under_way,
            on_claims=claims_found,
            on_forecast=self.cost_note.say,
            # Without a recording there are only hints, which are never trusted.
            trusts_recording=options.tracing.trust_trace and recording is not None,
        )


def detect(options: DetectOptions, listener: ProgressListener, *, writes_lock: bool = True) -> Detection:
    """Writes the lock file, unless told otherwise, the journal and, where the suite was recorded, the recording. If it
    is interrupted, or a limit is reached, the result is what was found until then. Coverage is not recorded: see
    `record_detection_coverage`. Raises UsageError, StorageError, and what running the suite raises."""
    started = time.monotonic()
    _check_options(options)
    lock, state = options.files.lock, options.files.state_dir
    settings = settings_from(options.runner, listener)
    kept = StateDirectory(state)
    kept.prepare()
    if writes_lock:
        _check_writable(lock)
    known = _read_lock(options.files, kept, listener)
    with ExitStack() as resources:
        tracing = resources.enter_context(Tracing(options.tracing, settings, state, listener, options.max_seconds))
        if _will_be_recorded(options, known):
            tracing.start()
        session = resources.enter_context(open_session(settings, options.runner, listener))
        tracing.settle(session.settings)
        session.runner.listener = listener.after_test
        fingerprints = fingerprints_of(session.listing, session.settings.options)
        found_by = _with_search(fingerprints, options)
        suite = session.listing.suite
        whole = find_known_whole(options.runner, known, session.listing)
        if whole is not None:
            if kept.invocation.exists():
                require_same_options(last_invocation(state), session.invocation, lock)
            listener.note(whole.describe(suite, lock))
        baseline = None
        if not (options.full or options.no_cache):
            baseline = find_baseline(known, suite, found_by, options.algorithm)
            baseline = baseline and replace(baseline, is_of_more=whole is not None)
        is_recorded = _is_recorded(session, options)
        is_extended = baseline is not None and baseline.is_extended(suite)
        # Only one look beside the search for what has changed: a complete one of the whole suite is worth more.
        has_one_look = is_extended and not options.tracing.is_wanted
        tracing.is_kept = not kept.recording.exists() or (whole is None and not has_one_look)
        cost_note = CostNote(listener, options.max_seconds)
        if baseline is None and options.algorithm == DEFAULT:
            price = session.runner.price
            cost_note.say_if_known(suite, price, kept.durations, thorough=options.thorough, is_recorded=is_recorded)
        if is_recorded and options.tracing.is_wanted:
            tracing.both_looks()
        elif is_recorded and (baseline is None or is_extended):
            tracing.start()
        search = _Search(options, session, listener, tracing, cost_note)

        def write(found: Dependencies) -> None:
            if writes_lock:
                _write(lock, kept, found, found_by, whole)
                update_start_up(kept.start_up, collecting=session.listing.seconds)

        with _journal(kept, fingerprints, no_cache=options.no_cache) as journal:
            candidates = None
            if options.hints.hints:
                candidates = candidates_for_detection(session, options.hints, state, listener, options.max_seconds)
            session.runner.keep_apart(
                tracing.recording.users_of_servers if tracing.recording else users_of_servers(state)
            )
            if session.reset_by:
                search.check_reset(journal)
            dependencies = search.run(journal, baseline, candidates, write)
        _check_any_ran(dependencies)
        beyond = session.runner.beyond
        counting = search.counting
        interrupted = counting.interrupted or listener.is_interrupted()
        seconds = round(time.monotonic() - started, 3)
        cost = replace(dependencies.cost, orders=counting.orders, tests=counting.tests, seconds=seconds)
        dependencies = replace(dependencies, cost=cost)
        if counting.orders:
            # Before the suite is recorded for reasons, which takes a while: what was found must not be lost.
            write(dependencies)
        if is_recorded and (candidates is None or tracing.recording is not None):
            # A detection that was killed while it recorded has left claims without reasons.
            is_new = (counting.orders > 0 or not is_explained(lock, kept)) and not interrupted
            if known is not None and not writes_lock:
                # Without a lock file to keep them in, reasons of what is known are of no use.
                is_new = is_new and bool(compare(known.dependencies, dependencies).new)
            if baseline is None or options.tracing.is_wanted:
                dependencies = tracing.explained(dependencies, is_new=is_new)
            else:
                dependencies = tracing.news_explained(dependencies, is_new=is_new)
    if candidates is not None:
        dependencies = with_candidate_reasons(dependencies, candidates, beside_known=tracing.recording is not None)
    if whole is None and writes_lock:
        remember_invocation(state, session.invocation)
    write(dependencies)
    if writes_lock and is_recorded and options.tracing.trace is not False and not interrupted:
        write_explained(lock, kept)
    return Detection(
        dependencies,
        found_by,
        session.settings,
        session.invocation,
        _notes(beyond),
        _not_restored(beyond),
        None if has_one_look else tracing.recording,
        interrupted,
    )


def record_detection_coverage(detection: Detection, options: DetectOptions, listener: ProgressListener) -> None:
    """One more run of the suite, if the options ask for it. Raises RunnerError if it does not finish."""
    if options.coverage and not (detection.interrupted or listener.is_interrupted()):
        record_coverage(detection.settings, detection.dependencies, options.files.state_dir, listener)


def _check_any_ran(found: Dependencies) -> None:
    """Raises RunnerError if no test reached its end: then nothing was learned, and all of it would be called clean."""
    if found.outcomes and all(outcome.ends_process for outcome in found.outcomes.values()):
        first = found.suite.tests[0]
        raise RunnerError(
            f"every test ended its process, {shown(first)} first",
            hint=f"Run `pytest {first}`: a conftest.py or a plugin may fail outside of the tests.",
            slug="all-crashed",
        )


def _will_be_recorded(options: DetectOptions, known: LockContent | None) -> bool:
    """Whether it is certain, before the suite is listed, that it will be recorded beside the search."""
    is_from_scratch = known is None or options.full or options.no_cache
    runner = options.runner
    return is_from_scratch and runner.kind == PYTEST and runner.instance is None and not runner.cluster


def _is_recorded(session: Session, options: DetectOptions) -> bool:
    """The state of a system under test is in its own processes, which are not recorded: only on request then."""
    return session.kind == PYTEST and (options.tracing.is_wanted or session.settings.instance is None)


def _candidate_graph(
    suite: Suite, recording: Recording | None, candidates: Candidates | None
) -> DependencyGraph | None:
    """What refining detectors start from: all candidates; None if there was no source for them."""
    graphs = [*([recording.may_need(suite)] if recording else []), *([candidates.graph] if candidates else [])]
    return DependencyGraph(len(suite), (edge for graph in graphs for edge in graph.edges())) if graphs else None


def _with_search(fingerprints: Fingerprints, options: DetectOptions) -> Fingerprints:
    """The fingerprints of a result: what was searched for is as much a part of it as where."""
    searched = [options.algorithm, options.orders, str(options.thorough), str(options.seed), str(options.bound)]
    return replace(fingerprints, environment=environment_fingerprint([fingerprints.environment, *searched]))


def _journal(state: StateDirectory, fingerprints: Fingerprints, *, no_cache: bool) -> Journal:
    journal = Journal.open(state.journal, fingerprints=fingerprints.tests, environment=fingerprints.environment)
    if no_cache:
        journal.forget()
    journal.prune(keep_days=_KEPT_DAYS)
    return journal


def _write(
    lock: Path,
    state: StateDirectory,
    dependencies: Dependencies,
    fingerprints: Fingerprints,
    whole: KnownWhole | None,
) -> None:
    """Writes the lock file, unless its content is the same already: a detection that finds nothing new changes no file
    that is under version control. The cost is kept if the detection ran something, or wrote the lock file. The result
    of a part of the suite is merged into the `whole` that is known."""
    if whole is not None:
        dependencies, fingerprints = whole.merged(dependencies, fingerprints)
    is_same = lock.exists() and lock.read_bytes() == dumps(dependencies, fingerprints).encode()
    if not is_same:
        write_lock(lock, dependencies, fingerprints)
    if dependencies.cost.orders or not is_same:
        write_cost(lock, state, dependencies.cost)
    write_durations(state.durations, dependencies.seconds)


def _check_options(options: DetectOptions) -> None:
    """Now, not after the suite was listed."""
    tracing = options.tracing
    if options.hints.hints:
        parse_configuration(options.hints.hints)
    if tracing.trust_trace and tracing.trace is False:
        raise _contradiction("trust-trace", "no-trace")
    if options.thorough and tracing.trust_trace:
        raise _contradiction("thorough", "trust-trace", "`thorough` tries every pair, whatever was recorded. ")
    for name in ("max_orders", "max_tests", "max_seconds"):
        if options.thorough and getattr(options, name) is not None:
            raise _contradiction("thorough", name.replace("_", "-"), "`thorough` tries everything, at any cost. ")
    if options.coverage:
        require_pytest(options.runner.configuration, "detect with coverage", options.runner.runner)
        check_coverage_installed()
    if tracing.is_wanted:
        require_pytest(options.runner.configuration, "detect with trace", options.runner.runner)


def _contradiction(one: str, other: str, why: str = "") -> UsageError:
    message = f"`{one}` and `{other}` contradict each other"
    return UsageError(message, hint=f"{why}Leave out one of the two.", slug="options-conflict")


def _read_lock(files: ProjectFiles, state: StateDirectory, listener: ProgressListener) -> LockContent | None:
    """None if there is none, or it is damaged: it will be replaced, but nothing is lost: a copy is kept. One of a newer
    unknot is not ours to replace: raises NewerFormatError."""
    lock = files.lock
    if not lock.exists():
        return None
    try:
        known = known_lock(files)
    except NewerFormatError:
        raise
    except StorageError as problem:
        copy = state.damaged_copy(lock)
        shutil.copyfile(lock, copy)
        listener.note(f"{problem.message}; it will be replaced, a copy is in {copy}")
        return None
    if known.altered:
        listener.note(
            f"{lock.name} does not say what was written about {counted(len(known.altered), 'test')}, perhaps after a"
            " merge: what it says is not used, and is searched again"
        )
    return known


def _check_writable(lock: Path) -> None:
    """Better now than after an hour of detection."""
    check_link(lock)
    if lock.is_dir():
        raise StorageError(
            f"cannot write the lock file: {lock} is a directory",
            hint="Name a file with the option `lock`.",
            slug="lock-unwritable",
        )
    probe = lock.with_name(f".{lock.name}.probe")
    try:
        probe.touch()
        probe.unlink()
    except OSError as problem:
        raise StorageError(
            f"cannot write {lock}: {problem.strerror}",
            hint="Name another file with the option `lock`.",
            slug="lock-unwritable",
        ) from problem


def _not_restored(beyond: list[str]) -> str:
    return f"Not restored between orders: {first_and_count(beyond)}." if beyond else ""


def _notes(beyond: list[str]) -> tuple[str, ...]:
    if not beyond:
        return ()
    return ("if what was not restored matters, restore it with a reset command (option `reset`)",)
