"""`unknot detect`: find the dependencies, prove them, write them down."""

import argparse
import sys

from unknot.app.detect import Detection, DetectOptions, detect, record_detection_coverage
from unknot.app.options import LOCK, options_from
from unknot.app.plan import plan_for_report
from unknot.app.report import full_report
from unknot.cli.options import OptionGroup, positive_float, positive_int
from unknot.cli.terminal import TerminalProgress, write_rich
from unknot.detect.algorithms import ALGORITHMS, DEFAULT, current_name
from unknot.model.cause import causes
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode
from unknot.report.commands import printable_command
from unknot.report.export.result_json import result_json
from unknot.report.html.page import write_html
from unknot.report.report import Report
from unknot.report.roles import Roles
from unknot.report.text.summary import summary
from unknot.store.state_directory import STATE, StateDirectory
from unknot.web.hints.configurations import FILTERS, SOURCES

DESCRIPTION = """\
Runs the suite in many orders, each from a clean state, and finds which test needs which other
test, which test breaks which, and which cleans up. Every dependency is proved by two runs, printed
as commands. The result goes to unknot.lock.json (commit it) and to an HTML report.

You can interrupt it at any time: the next detect resumes. An unchanged suite is not run again;
after a change, only what could be different now is run.

  unknot detect
  unknot detect tests/unit -- -m "not slow"
  unknot detect --max-seconds 600
  unknot detect --trace
  unknot detect --coverage
  unknot detect --hints strings+noun         a web suite: try first what its code suggests
"""


def add_options(parser: OptionGroup) -> None:
    parser.runner()
    search = parser.group("what to search for")
    search.choice(
        "--algorithm",
        ALGORITHMS,
        DEFAULT,
        f"search algorithm; all but {DEFAULT} are published ones, for comparison",
        type=current_name,
    )
    search.value("--bound", "K", "number of tests in an order of the exhaustive algorithm", positive_int, 2)
    search.orders("any")
    search.flag("--thorough", "run every test alone and every pair, at any cost")
    search.flag("--full", "search all tests, not only what changed since the lock file was written")
    search.flag("--no-cache", "delete the runs in the journal and run everything again")
    search.flag(
        "--coverage",
        "run the suite once more in its own order and record what each test covers, for select and minimise"
        " (requires `unknot[coverage]`)",
    )
    parser.limits().value("--max-seconds", "N", "stop after so long", positive_float)
    _add_tracing(parser)
    add_hints(parser, "")
    parser.files()
    parser.output(("text", "json"), quiet="do not show progress")


def _add_tracing(parser: OptionGroup) -> None:
    tracing = parser.group("reasons")
    tracing.add(
        "--trace",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="before the search, run the suite once in its own order and record which test leaves state that another"
        " reads. Recorded pairs are tried first, and every dependency gets a reason (default: where every order needs"
        " a fresh process; otherwise after the search, for the reasons; not with an [instance])",
    )
    tracing.flag(
        "--trust-trace",
        "try only recorded pairs: fast, but misses dependencies through state that cannot be recorded",
    )
    example = "locations that do not count, one glob per line, for example `shop.cache.*`"
    tracing.value("--trace-stop", "GLOBS", example, default="")


def add_hints(parser: OptionGroup, default: str) -> OptionGroup:
    group = parser.group("hints for web suites")
    group.value(
        "--hints",
        "WORDS",
        f"where candidates come from, joined by +: sources {', '.join(SOURCES)}, and at most one filter by test"
        f" names, {', '.join(FILTERS)}; for example strings+noun",
        default=default,
    )
    group.values("--free-values", "VALUE", "a shared value that implies no dependency, such as a default login")
    return group


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    options = options_from(DetectOptions, vars(given))
    detection = detect(options, progress)
    report = _write_report(detection, options, progress)
    if given.format == "json":
        sys.stdout.write(result_json(detection.dependencies, detection.fingerprints))
    else:
        write_rich(summary(report, in_full=False))
    record_detection_coverage(detection, options, progress)
    return ExitCode.INTERRUPTED if progress.is_interrupted() else _exit_code(detection.dependencies)


def _write_report(detection: Detection, options: DetectOptions, progress: TerminalProgress) -> Report:
    state = options.files.state_dir
    html = StateDirectory(state).report
    report = Report(
        detection.dependencies,
        invocation=detection.invocation,
        notes=detection.notes,
        not_restored=detection.not_restored,
        lock=str(options.files.lock),
        html=str(html),
        next_commands=_next_commands(detection.dependencies, options),
    )
    workers = detection.settings.workers
    # The last run is older than the times of this detection.
    plan = plan_for_report(detection.dependencies, workers, state, progress, with_last_run=False)
    write_html(html, full_report(report, options.runner.directory, state, progress, detection.recording), plan)
    return report


def _next_commands(found: Dependencies, options: DetectOptions) -> tuple[tuple[str, str], ...]:
    """What to run with this result, with the same files."""
    if not found.has_any:
        return ()
    files = {"--lock": (options.files.lock, LOCK), "--state-dir": (options.files.state_dir, STATE)}
    given = [word for name, (path, default) in files.items() if str(path) != default for word in (name, str(path))]
    known = [test for cause in causes(found) for test in cause.tests]
    test = (known or Roles(found).dependents)[0]
    return (
        ("explain one", printable_command(("unknot", "explain", *given), (test,))),
        ("run in parallel", printable_command(("unknot", "run", *given), ())),
    )


def _exit_code(dependencies: Dependencies) -> ExitCode:
    if not dependencies.complete:
        return ExitCode.INCOMPLETE
    return ExitCode.FOUND if dependencies.has_any else ExitCode.CLEAN
