"""`unknot report`: the last result, in another form."""

import argparse
from collections.abc import Callable
from pathlib import Path

from unknot.app.known_result import known_result
from unknot.app.options import ProjectFiles, options_from, worker_count
from unknot.app.plan import plan_for_report
from unknot.app.progress import ProgressListener
from unknot.app.report import full_report, last_invocation
from unknot.cli.options import OptionGroup
from unknot.cli.terminal import TerminalProgress, write_rich, write_text
from unknot.model.errors import ExitCode
from unknot.report.export.markdown import to_markdown
from unknot.report.export.result_json import result_json
from unknot.report.graph.dot import to_dot
from unknot.report.graph.graphml import to_graphml
from unknot.report.graph.mermaid import to_mermaid
from unknot.report.html.page import to_html
from unknot.report.report import Report
from unknot.report.text.summary import summary

DESCRIPTION = """\
Reads unknot.lock.json; runs nothing.

  text      for a terminal (the default)
  html      one page that needs no network: causes, graph, matrix, plan, table
  markdown  a summary for a pull request, short enough for a comment
  json      the lock file itself
  dot       a picture, for Graphviz
  mermaid   a picture, for Markdown pages
  graphml   the graph, for networkx, Gephi or yEd

  unknot report --format html -o report.html
  unknot report --format dot | dot -Tsvg -o graph.svg
"""


def add_options(parser: OptionGroup) -> None:
    parser.output(("text", *_WRITERS), file=True)
    parser.files(durations=True)


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    known = known_result(options_from(ProjectFiles, vars(given)))
    report = Report(known, invocation=last_invocation(given.state_dir), lock=str(given.lock))
    if given.format == "text":
        write_rich(summary(report), given.output, progress)
    else:
        text = _WRITERS[given.format](report, given.state_dir, progress)
        write_text(text, given.output, progress)
    return ExitCode.CLEAN


def _html(report: Report, state: Path, progress: ProgressListener) -> str:
    plan = plan_for_report(report.dependencies, worker_count(None), state, progress)
    return to_html(full_report(report, Path.cwd(), state, progress), plan)


def _mermaid(report: Report, _: Path, progress: ProgressListener) -> str:
    chart = to_mermaid(report.dependencies)
    if chart.too_large:
        progress.note(f"{chart.too_large}; `--format dot` has no such limit")
    return chart.text


_WRITERS: dict[str, Callable[[Report, Path, ProgressListener], str]] = {
    "html": _html,
    "markdown": lambda report, state, progress: to_markdown(report),
    "json": lambda report, state, progress: result_json(report.dependencies),
    "dot": lambda report, state, progress: to_dot(report.dependencies),
    "mermaid": _mermaid,
    "graphml": lambda report, state, progress: to_graphml(report.dependencies),
}
