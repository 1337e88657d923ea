"""`unknot report`: the last result, in another form."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.app.plan import for_the_report
from unknot.app.report import full_report, recall
from unknot.cli.emit import emit_rich, emit_told
from unknot.cli.options import add_files, add_verb, workers
from unknot.model.errors import ExitCode
from unknot.report.export.markdown import to_markdown
from unknot.report.graph.dot import to_dot
from unknot.report.graph.graphml import to_graphml
from unknot.report.graph.mermaid import to_mermaid
from unknot.report.html.page import to_html
from unknot.report.report import Report
from unknot.report.text.summary import summary
from unknot.store.lock import dumps, read_lock

_DESCRIPTION = """\
Reads unknot.lock.json; runs nothing.

  text      for a terminal (the default)
  html      one page that needs no network: graph, matrix, plan, table
  markdown  a summary for a pull request, short enough for a comment
  json      the lock file itself
  dot       a picture, for Graphviz
  mermaid   a picture, for Markdown pages
  graphml   the graph, for networkx, Gephi or yEd

  unknot report --format html -o report.html
  unknot report --format dot | dot -Tsvg -o graph.svg
"""


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "report", "the last result as text, a page, a picture or data", _DESCRIPTION)
    parser.add_argument("--format", choices=("text", *_WRITERS), default="text", help="(default: text)")
    parser.add_argument("-o", "--output", type=Path, default=None, metavar="FILE", help="(default: standard output)")
    add_files(parser)
    parser.set_defaults(verb=report)


def report(options: argparse.Namespace, console: Console) -> ExitCode:
    value = Report(read_lock(options.lock), invocation=recall(options.state_dir), lock=str(options.lock))
    if options.format != "text":
        emit_told(_WRITERS[options.format](value, options, console), options.output, console)
        return ExitCode.CLEAN
    emit_rich(summary(value), options.output)
    if options.output is not None:
        console.print(f"written: {options.output}", markup=False)
    return ExitCode.CLEAN


def _html(value: Report, options: argparse.Namespace, console: Console) -> str:
    plan = for_the_report(value.dependencies, workers(None), options.state_dir, console)
    return to_html(full_report(value, options.state_dir, console), plan)


def _mermaid(value: Report, _: argparse.Namespace, console: Console) -> str:
    chart = to_mermaid(value.dependencies)
    if chart.too_large:
        console.print(f"note: {chart.too_large}; `--format dot` has no such limit", markup=False)
    return chart.text


_WRITERS: dict[str, Callable[[Report, argparse.Namespace, Console], str]] = {
    "html": _html,
    "markdown": lambda value, options, console: to_markdown(value),
    "json": lambda value, options, console: dumps(value.dependencies),
    "dot": lambda value, options, console: to_dot(value.dependencies),
    "mermaid": _mermaid,
    "graphml": lambda value, options, console: to_graphml(value.dependencies),
}
