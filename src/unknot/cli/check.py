"""`unknot check`: the gate for CI."""

import argparse
from collections.abc import Callable
from pathlib import Path

from unknot.app.check import CheckOptions, CheckResult, check
from unknot.app.options import options_from
from unknot.cli.options import OptionGroup, positive_float
from unknot.cli.terminal import TerminalProgress, write_rich, write_text
from unknot.model.errors import ExitCode, UsageError
from unknot.model.sanitise import shown
from unknot.report.check.findings import CheckReport
from unknot.report.check.github import check_github
from unknot.report.check.json import check_json
from unknot.report.check.junit import check_junit
from unknot.report.check.markdown import check_markdown
from unknot.report.check.sarif import check_sarif
from unknot.report.check.text import check_text
from unknot.report.report import Report

DESCRIPTION = """\
Compares the suite with the committed unknot.lock.json, and fails if a dependency is new. Runs only
what a change can have altered: new, changed and moved tests, and the tests that they are related
to. The lock file is not changed, unless you accept what is new.

  unknot check
  unknot check --format github --also sarif=unknot.sarif
  unknot check --baseline update             accept what is new

Exit codes: 0 no new dependency, 1 a new one, 10 stopped before the end and none found.
"""


def add_options(parser: OptionGroup) -> None:
    parser.runner()
    search = parser.group("what to search for")
    search.choice("--baseline", ("compare", "update"), "compare", "update: write what was found to the lock file")
    search.orders("any")
    search.flag("--thorough", "as for detect: use it if the lock file was made with it")
    parser.limits().value("--max-seconds", "N", "stop after so long", positive_float)
    reasons = "record the suite if there is a new dependency, to explain it"
    parser.group("reasons").add("--trace", action=argparse.BooleanOptionalAction, default=None, help=reasons)
    parser.files()
    output = parser.output(("text", *_WRITERS), file=True, quiet="do not show progress")
    output.values("--also", "FORMAT=FILE", f"write the result in another format too: {', '.join(_WRITERS)}")


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    options = options_from(CheckOptions, vars(given))
    also = list(map(_format_and_file, given.also))
    found = check(options, progress)
    report = _report(found, options)
    if given.format == "text":
        write_rich(check_text(report), given.output, progress)
    else:
        write_text(_WRITERS[given.format](report), given.output, progress)
    for name, file in also:
        write_text(_WRITERS[name](report), file, progress)
    return ExitCode.INTERRUPTED if progress.is_interrupted() else _exit_code(report)


def _format_and_file(word: str) -> tuple[str, Path]:
    name, _, file = word.partition("=")
    if name not in _WRITERS or not file:
        hint = f"Write it as FORMAT=FILE, for example sarif=unknot.sarif. Formats: {', '.join(_WRITERS)}."
        raise UsageError(f"--also: {shown(word)} is not a format and a file", hint=hint, slug="command-line")
    return name, Path(file)


def _report(found: CheckResult, options: CheckOptions) -> CheckReport:
    detection = found.detection
    report = Report(
        detection.dependencies,
        invocation=detection.invocation,
        notes=detection.notes,
        not_restored=detection.not_restored,
        lock=str(options.detect.files.lock),
    )
    return CheckReport(found.comparison, report, found.lines, is_update=options.baseline == "update")


def _exit_code(report: CheckReport) -> ExitCode:
    if report.findings and not report.is_update:
        return ExitCode.FOUND
    return ExitCode.CLEAN if report.comparison.now.complete else ExitCode.INCOMPLETE


_WRITERS: dict[str, Callable[[CheckReport], str]] = {
    "json": check_json,
    "github": check_github,
    "sarif": check_sarif,
    "junit": check_junit,
    "markdown": check_markdown,
}
