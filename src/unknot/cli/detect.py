"""`unknot detect`: find the dependencies, prove them, write them down."""

import argparse
import sys

from rich.console import Console

from unknot.app.candidates.sources import HintOptions
from unknot.app.detect import Detection, DetectOptions, detect, record_detection_coverage
from unknot.app.options import options_from
from unknot.app.plan import plan_for_report
from unknot.app.recording.tracing import TraceOptions
from unknot.app.report import full_report
from unknot.cli.options import (
    add_files,
    add_quiet,
    add_runner,
    positive_float,
    positive_int,
    project_files,
    runner_options,
)
from unknot.cli.terminal import TerminalProgress, terminal_progress, write_rich
from unknot.detect.algorithms import ALGORITHMS, DEFAULT, current_name
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode
from unknot.report.export.result_json import result_json
from unknot.report.html.page import write_html
from unknot.report.report import Report
from unknot.report.text.summary import summary
from unknot.store.state_directory import StateDirectory
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


def add_options(parser: argparse.ArgumentParser) -> None:
    add_runner(parser)
    search = parser.add_argument_group("what to search for")
    search.add_argument(
        "--algorithm",
        type=current_name,
        choices=tuple(ALGORITHMS),
        default=DEFAULT,
        help=f"search algorithm; all but {DEFAULT} are published ones, for comparison (default: {DEFAULT})",
    )
    search.add_argument(
        "--bound",
        type=positive_int,
        default=2,
        metavar="K",
        help="number of tests in an order of the exhaustive algorithm (default: 2)",
    )
    search.add_argument(
        "--orders",
        choices=("any", "reference"),
        default="any",
        help="find problems in any order, or only among tests that keep the reference order (default: any)",
    )
    search.add_argument("--thorough", action="store_true", help="run every test alone and every pair, at any cost")
    search.add_argument("--seed", type=int, default=0, metavar="N", help="seed for random orders (default: 0)")
    search.add_argument(
        "--full",
        action="store_true",
        help="search all tests, not only what changed since the lock file was written",
    )
    search.add_argument(
        "--no-cache", action="store_true", help="delete the runs in the journal and run everything again"
    )
    search.add_argument(
        "--coverage",
        action="store_true",
        help="run the suite once more in its own order and record what each test covers, for select and minimise"
        " (requires `unknot[coverage]`)",
    )
    limits = parser.add_argument_group("limits")
    limits.add_argument("--max-orders", type=positive_int, default=None, metavar="N", help="stop after so many orders")
    limits.add_argument(
        "--max-tests", type=positive_int, default=None, metavar="N", help="stop after so many test runs"
    )
    limits.add_argument("--max-seconds", type=positive_float, default=None, metavar="N", help="stop after so long")
    _add_tracing(parser)
    add_hints(parser, "")
    add_files(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json"), default="text", help="(default: text)")
    add_quiet(output)
    parser.set_defaults(verb=run_detect)


def _add_tracing(parser: argparse.ArgumentParser) -> None:
    tracing = parser.add_argument_group("reasons")
    tracing.add_argument(
        "--trace",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="before the search, run the suite once in its own order and record which test leaves state that another"
        " reads. Recorded pairs are tried first, and every dependency gets a reason (default: where every order needs"
        " a fresh process; otherwise after the search, for the reasons; not with an [instance])",
    )
    tracing.add_argument(
        "--trust-trace",
        action="store_true",
        help="try only recorded pairs: fast, but misses dependencies through state that cannot be recorded",
    )
    tracing.add_argument(
        "--trace-stop",
        default="",
        metavar="GLOBS",
        help="locations that do not count, one glob per line, for example `shop.cache.*`",
    )


def add_hints(parser: argparse.ArgumentParser, default: str) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("hints for web suites")
    group.add_argument(
        "--hints",
        default=default,
        metavar="WORDS",
        help=f"where candidates come from, joined by +: sources {', '.join(SOURCES)}, and at most one filter by test"
        f" names, {', '.join(FILTERS)}; for example strings+noun" + (f" (default: {default})" if default else ""),
    )
    group.add_argument(
        "--free-values",
        action="append",
        default=[],
        metavar="VALUE",
        help="a shared value that implies no dependency, such as a default login; can be repeated",
    )
    return group


def run_detect(given: argparse.Namespace, console: Console) -> ExitCode:
    options = options_from(
        DetectOptions,
        vars(given),
        runner=runner_options(given),
        files=project_files(given),
        tracing=options_from(TraceOptions, vars(given)),
        hints=options_from(HintOptions, vars(given)),
    )
    with terminal_progress(given, console) as progress:
        detection = detect(options, progress)
        report = _write_report(detection, options, progress)
        if given.format == "json":
            sys.stdout.write(result_json(detection.dependencies, detection.fingerprints))
        else:
            write_rich(summary(report))
        record_detection_coverage(detection, options, progress)
        return ExitCode.INTERRUPTED if progress.is_interrupted() else _exit_code(detection.dependencies)


def _write_report(detection: Detection, options: DetectOptions, progress: TerminalProgress) -> Report:
    state = options.files.state_dir
    html = StateDirectory(state).report
    report = Report(
        detection.dependencies,
        invocation=detection.invocation,
        notes=detection.notes,
        lock=str(options.files.lock),
        html=str(html),
    )
    plan = plan_for_report(detection.dependencies, detection.settings.workers, state, progress)
    write_html(html, full_report(report, options.runner.directory, state, progress, detection.recording), plan)
    return report


def _exit_code(dependencies: Dependencies) -> ExitCode:
    if not dependencies.complete:
        return ExitCode.INCOMPLETE
    return ExitCode.FOUND if dependencies.has_any else ExitCode.CLEAN
