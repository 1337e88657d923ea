"""`unknot detect`: find the dependencies, prove them, write them down."""

import argparse
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.app.baseline import Growth, brittle_yesterday, growth, sought, taken_from
from unknot.app.candidates.sources import add_suspecting, suspected_in
from unknot.app.configuration import PYTEST, only_pytest
from unknot.app.plan import for_the_report
from unknot.app.recording.coverage import check_coverage_installed, record_coverage
from unknot.app.recording.trace import touched_outside
from unknot.app.recording.tracing import Tracing, add_tracing, saved_orders, with_choice
from unknot.app.report import full_report, remember
from unknot.app.session.session import Workplace, settings_from, workplace
from unknot.cli.options import add_files, add_runner, add_verb, positive_float, positive_int
from unknot.cli.progress import ProgressTeller
from unknot.detect.algorithms import ALGORITHMS, DEFAULT
from unknot.detect.engine.options import Options
from unknot.detect.engine.session import Progress
from unknot.detect.incremental.detector import grow
from unknot.hints.as_recorded import as_recorded, joined
from unknot.hints.recorded import Recorded
from unknot.model.candidates import Candidates
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode, NewerFormatError, StorageError, UsageError
from unknot.model.graph import DependencyGraph
from unknot.model.recording import Recording
from unknot.model.run import OrderRequest
from unknot.model.suite import Suite
from unknot.oracle.budget import Budget, BudgetOracle
from unknot.oracle.count import CountingOracle
from unknot.oracle.memo import MemoOracle
from unknot.report.html.page import write_html
from unknot.report.report import Report
from unknot.report.text.summary import print_text, summary
from unknot.store.directory import prepare_state_directory
from unknot.store.journal.journal import Journal
from unknot.store.lock import dumps, read_fingerprints, read_lock, to_json, write_lock
from unknot.store.test_fingerprints import Fingerprints
from unknot.web.hints.configurations import parse_configuration
from unknot.web.hints.explaining import with_suspicions

_KEPT_DAYS = 180.0
"""Runs older than this are forgotten: the journal would grow for ever, and most of them are of code long gone."""

_DESCRIPTION = """\
Runs the suite in many orders, each from a clean state, and finds which test needs which other
test, which test breaks which, and who cleans up. Every claim is proved by two runs, printed as
commands. The result goes to unknot.lock.json (commit it) and to an HTML report.

Interrupt it whenever you like: the next detect goes on from there. A second detect of an
unchanged suite asks nothing; after a change it asks only what could be different now.

  unknot detect
  unknot detect tests/unit -- -m "not slow"
  unknot detect --max-seconds 600
  unknot detect --trace
  unknot detect --coverage
  unknot detect --suspects strings+noun      a web suite: asks first about what its code suggests
"""


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "detect", "find every dependency between tests, and prove it", _DESCRIPTION)
    add_runner(parser)
    search = parser.add_argument_group("what is looked for")
    search.add_argument(
        "--algorithm",
        choices=tuple(ALGORITHMS),
        default=DEFAULT,
        help=f"how to search; all but sieve and auto are published ones, for comparison (default: {DEFAULT})",
    )
    search.add_argument(
        "--bound", type=positive_int, default=2, metavar="K", help="tests in an order of exhaustive search (default: 2)"
    )
    search.add_argument(
        "--orders",
        choices=("any", "reference"),
        default="any",
        help="look for trouble in any order, or only among tests that keep the reference order (default: any)",
    )
    search.add_argument("--thorough", action="store_true", help="every test alone and every pair, whatever it costs")
    search.add_argument("--seed", type=int, default=0, metavar="N", help="for orders at random (default: 0)")
    search.add_argument(
        "--anew",
        action="store_true",
        help="look at all tests, not only at what changed since the lock file was written",
    )
    search.add_argument("--forget", action="store_true", help="forget what the journal knows and ask everything again")
    search.add_argument(
        "--coverage",
        action="store_true",
        help="run the suite once more in its own order and record what each test covers, for select and minimise"
        " (needs `unknot[coverage]`)",
    )
    limits = parser.add_argument_group("limits")
    limits.add_argument("--max-orders", type=positive_int, default=None, metavar="N")
    limits.add_argument("--max-tests", type=positive_int, default=None, metavar="N")
    limits.add_argument("--max-seconds", type=positive_float, default=None, metavar="N")
    add_tracing(parser)
    add_suspecting(parser, "")
    add_files(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json"), default="text")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress")
    parser.set_defaults(verb=detect)


def detect(options: argparse.Namespace, console: Console) -> ExitCode:
    started = time.monotonic()
    _check_contradictions(options)
    if options.coverage:
        only_pytest(options, "detect --coverage")
        check_coverage_installed()
    if options.trace or options.trust_trace:
        only_pytest(options, "detect --trace")
    settings = settings_from(options, console)
    prepare_state_directory(options.state_dir)
    _check_writable(options.lock)
    _check_lock(options.lock, options.state_dir, console)
    with workplace(settings, options, console) as place:
        runner, settings = place.runner, place.settings
        fingerprints = taken_from(place.listing, settings.options)
        found_by = sought(fingerprints, options)
        with _journal(options.state_dir, fingerprints, forget=options.forget) as journal:
            counting = CountingOracle(runner)
            known = growth(options, place.listing.suite, found_by)
            tracing = Tracing(options, settings, console) if _is_watched(place, options) else None
            recording = tracing.before(pays=known is None and not place.is_warm) if tracing else None
            suspects = suspected_in(place, options, console) if options.suspects else None
            runner.keep_apart(recording.outside if recording else touched_outside(options.state_dir))
            if place.put_back_by:
                _check_reset(place, counting, journal, console, quiet=options.quiet)
            dependencies = _search(options, counting, journal, place, console, known, recording, suspects)
        beyond = runner.beyond
    dependencies = replace(
        dependencies,
        cost=replace(
            dependencies.cost,
            orders=counting.orders,
            tests=counting.tests,
            seconds=round(time.monotonic() - started, 3),
        ),
    )
    if counting.orders or not _is_written(options.lock, dependencies, found_by):
        # Before the suite is watched for reasons, which takes a while: what was found must not be lost with them.
        write_lock(options.lock, dependencies, found_by)
    was_watched = tracing is not None and tracing.recording is not None
    if tracing and (suspects is None or was_watched):
        dependencies = tracing.explained(dependencies, asked=counting.orders > 0)
    if suspects is not None:
        dependencies = with_suspicions(dependencies, suspects, beside_known=was_watched)
    html = options.state_dir / "report.html"
    remember(options.state_dir, place.invocation)
    report = Report(
        dependencies,
        invocation=place.invocation,
        notes=tuple(_notes(beyond)),
        lock=str(options.lock),
        html=str(html),
    )
    if not _is_written(options.lock, dependencies, found_by):
        write_lock(options.lock, dependencies, found_by)
    full = full_report(report, options.state_dir, console, tracing.recording if tracing else None)
    write_html(html, full, for_the_report(dependencies, settings.workers, options.state_dir, console))
    if options.format == "json":
        sys.stdout.write(dumps(dependencies, found_by))
    else:
        print_text(Console(highlight=False), summary(report))
    if options.coverage and not options.interruption.happened:
        record_coverage(settings, dependencies, options.state_dir, console)
    return ExitCode.INTERRUPTED if options.interruption.happened else _exit_code(dependencies)


def _is_watched(place: Workplace, options: argparse.Namespace) -> bool:
    """The state of a system under test is in its own processes, where nobody looks: watching is for whoever asks."""
    wanted = options.trace or options.trust_trace or place.settings.instance is None
    return place.kind == PYTEST and wanted


def _search(
    options: argparse.Namespace,
    counting: CountingOracle,
    journal: Journal,
    place: Workplace,
    console: Console,
    known: Growth | None,
    recording: Recording | None,
    suspects: Candidates | None,
) -> Dependencies:
    budget = Budget(options.max_orders, options.max_tests, options.max_seconds)
    oracle = MemoOracle(BudgetOracle(counting, budget, time.monotonic), journal)
    suite = place.listing.suite
    files = dict(zip(suite.tests, map(str, place.listing.files), strict=True))
    chosen = Options(
        reorders=options.orders == "any",
        thorough=options.thorough,
        seed=options.seed,
        file_of=files.__getitem__,
        bound=options.bound,
        brittle=brittle_yesterday(options),
        candidates=_candidates(suite, recording, suspects),
        recorded=joined(
            Recorded.of(recording, suite) if recording else None, as_recorded(suspects) if suspects else None
        ),
        # If it failed there are only suspects, which are never trusted.
        trusts_recording=options.trust_trace and recording is not None,
    )
    if known is not None and not options.quiet and (different := known.told(suite)):
        console.print(different, markup=False)
    with ProgressTeller(console, quiet=options.quiet) as teller:
        place.runner.listener = lambda test, result: teller.saw_test()
        if known is not None:
            return grow(suite, oracle, known.previous, known.changed, chosen, teller.tell)
        dependencies = ALGORITHMS[options.algorithm](suite, oracle, chosen, teller.tell)
    guide = " and ".join(
        name for name, is_there in (("the recording", recording), ("the suspects", suspects)) if is_there
    )
    saved = saved_orders(dependencies, ALGORITHMS[options.algorithm], chosen, place.runner.price, guide)
    return with_choice(dependencies, saved) if guide else dependencies


def _candidates(suite: Suite, recording: Recording | None, suspects: Candidates | None) -> DependencyGraph | None:
    """What refining detectors start from: all that anybody suspects; None if nobody was asked."""
    graphs = [*([recording.may_need(suite)] if recording else []), *([suspects.graph] if suspects else [])]
    return DependencyGraph(len(suite), (edge for graph in graphs for edge in graph.edges())) if graphs else None


def _check_reset(
    place: Workplace, counting: CountingOracle, journal: Journal, console: Console, *, quiet: bool
) -> None:
    from unknot.app.resets import check_reset
    from unknot.runners.dispatch.slot_oracle import SlotOracle

    assert isinstance(place.runner, SlotOracle)
    suite = place.listing.suite
    if journal.recall(OrderRequest(suite.tests)) is not None:
        # Then it was looked at before.
        return
    with ProgressTeller(console, quiet=quiet) as teller:
        place.runner.listener = lambda test, result: teller.saw_test()
        teller.tell(Progress("seeing whether a reset resets", 0, 0, lambda: len(suite) * (len(suite) - 1)))
        check_reset(place.runner, suite, place.put_back_by, journal, counting, console)


def _journal(state: Path, fingerprints: Fingerprints, *, forget: bool) -> Journal:
    journal = Journal.open(
        state / "journal.sqlite3", fingerprints=fingerprints.tests, environment=fingerprints.environment
    )
    if forget:
        journal.forget()
    journal.prune(keep_days=_KEPT_DAYS)
    return journal


def _is_written(lock: Path, dependencies: Dependencies, fingerprints: Fingerprints) -> bool:
    """Whether the lock file says the same already, what it cost aside: a detection that asked nothing changes no file
    that is under version control."""
    if not lock.exists():
        return False
    try:
        written = to_json(read_lock(lock), read_fingerprints(lock))
    except StorageError:
        return False
    return {**written, "cost": None} == {**to_json(dependencies, fingerprints), "cost": None}


def _check_contradictions(options: argparse.Namespace) -> None:
    if options.suspects:
        # A wrong word is told now, not after the suite was listed.
        parse_configuration(options.suspects)
    if options.trust_trace and options.trace is False:
        raise UsageError("--trust-trace and --no-trace contradict each other", hint="leave one of the two out")
    if not options.thorough:
        return
    if options.trust_trace:
        raise UsageError(
            "--thorough and --trust-trace contradict each other",
            hint="--thorough asks about every pair, whatever was recorded; leave one of the two out",
        )
    for name in ("max_orders", "max_tests", "max_seconds"):
        if getattr(options, name) is not None:
            raise UsageError(
                f"--thorough and --{name.replace('_', '-')} contradict each other",
                hint="--thorough asks everything, whatever it costs; leave one of the two out",
            )


def _check_lock(lock: Path, state: Path, console: Console) -> None:
    """The file will be written anew. One of a newer unknot is not ours to replace; a damaged one, after a merge say,
    is, but nothing is lost: a copy is kept."""
    if not lock.exists():
        return
    try:
        read_lock(lock)
    except NewerFormatError:
        raise
    except StorageError as problem:
        kept = state / f"{lock.name}.damaged"
        shutil.copyfile(lock, kept)
        console.print(f"{problem.message}; it will be written anew, a copy is in {kept}", markup=False)


def _check_writable(lock: Path) -> None:
    """Better now than after an hour of detection."""
    if lock.is_dir():
        raise StorageError(f"cannot write the lock file: {lock} is a directory", hint="name a file with `--lock FILE`")
    probe = lock.with_name(f".{lock.name}.probe")
    try:
        probe.touch()
        probe.unlink()
    except OSError as problem:
        raise StorageError(
            f"cannot write {lock}: {problem.strerror}", hint="name another place with `--lock FILE`"
        ) from problem


def _notes(beyond: list[str]) -> list[str]:
    if not beyond:
        return []
    shown = ", ".join(beyond[:3]) + (f" and {len(beyond) - 3} more" if len(beyond) > 3 else "")
    return [
        f"tests wrote outside their working copy ({shown}); unknot does not undo that:"
        " if it matters, restore it with `--reset COMMAND`"
    ]


def _exit_code(dependencies: Dependencies) -> ExitCode:
    if not dependencies.complete:
        return ExitCode.INCOMPLETE
    return ExitCode.FOUND if dependencies.has_any else ExitCode.CLEAN
