"""`unknot report`: the last result, in another form."""

import argparse
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.cli.emit import emit_told
from unknot.cli.invocation import recall
from unknot.cli.options import add_files, workers
from unknot.cli.planned import for_the_report
from unknot.model.errors import ExitCode
from unknot.report.dot import to_dot
from unknot.report.html import to_html
from unknot.report.lock import dumps, read_lock
from unknot.report.text import print_text, summary
from unknot.report.value import Report


def add_parser(verbs: Any) -> None:
    parser = verbs.add_parser(
        "report",
        help="the last result as text, JSON, DOT or HTML",
        description="Reads unknot.lock.json; runs nothing.",
        allow_abbrev=False,
    )
    parser.add_argument("--format", choices=("text", "json", "dot", "html"), default="text")
    parser.add_argument("-o", "--output", type=Path, default=None, metavar="FILE", help="(default: standard output)")
    add_files(parser)
    parser.set_defaults(verb=report)


def report(options: argparse.Namespace, console: Console) -> ExitCode:
    value = Report(read_lock(options.lock), invocation=recall(options.state_dir), lock=str(options.lock))
    writers = {
        "json": lambda: dumps(value.knots),
        "dot": lambda: to_dot(value.knots),
        "html": lambda: to_html(value, for_the_report(value.knots, workers(None), options.state_dir, console)),
    }
    if options.format == "text":
        text = summary(value)
        if options.output is None:
            print_text(Console(highlight=False), text)
            return ExitCode.CLEAN
        written = text.plain + "\n"
    else:
        written = writers[options.format]()
    emit_told(written, options.output, console)
    return ExitCode.CLEAN
