"""`unknot explain TEST`: all that is known about one test."""

import argparse
from typing import Any

from rich.console import Console

from unknot.cli.invocation import recall
from unknot.cli.options import add_files
from unknot.model.errors import ExitCode, UsageError
from unknot.model.knots import Knots
from unknot.model.suite import TestId
from unknot.report.lock import read_lock
from unknot.report.text import explain as explanation
from unknot.report.text import print_text
from unknot.report.value import Report

_MOST_SHOWN = 5


def add_parser(verbs: Any) -> None:
    parser = verbs.add_parser(
        "explain",
        help="all that is known about one test",
        description="What the test needs, what breaks it and who depends on it, with the commands that show it.",
        allow_abbrev=False,
    )
    parser.add_argument("test", metavar="TEST", help="a node id, or a part of one that fits no other test")
    add_files(parser)
    parser.set_defaults(verb=explain)


def explain(options: argparse.Namespace, _console: Console) -> ExitCode:
    report = Report(read_lock(options.lock), invocation=recall(options.state_dir))
    print_text(Console(highlight=False), explanation(report, _resolve(report.knots, options.test)))
    return ExitCode.CLEAN


def _resolve(knots: Knots, wanted: str) -> TestId:
    """The one test that is meant; the report itself complains about an unknown one."""
    if wanted in knots.suite.index:
        return TestId(wanted)
    fitting = [test for test in knots.suite.tests if wanted in test]
    if len(fitting) > 1:
        shown = ", ".join(fitting[:_MOST_SHOWN]) + (" …" if len(fitting) > _MOST_SHOWN else "")
        raise UsageError(f"`{wanted}` fits {len(fitting)} tests: {shown}", hint="give the whole node id")
    return fitting[0] if fitting else TestId(wanted)
