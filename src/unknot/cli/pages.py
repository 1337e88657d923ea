"""`unknot pages`: page objects of a web application."""

import argparse
from collections.abc import Callable
from pathlib import Path

from unknot.app.pages import graph_of_page_objects
from unknot.cli.options import OptionGroup
from unknot.cli.terminal import TerminalProgress, write_json, write_rich, write_text
from unknot.model.errors import ExitCode
from unknot.model.navigation_graph import NavigationGraph
from unknot.report.navigation.navigation_json import navigation_json
from unknot.report.navigation.navigation_text import navigation_text
from unknot.report.navigation.pictures import navigation_dot, navigation_graphml, navigation_mermaid

DESCRIPTION = """\
Reads page objects written in Python (Playwright or Selenium) and shows the navigation graph that
they describe: each method that returns a page object leads from its page to that one. Runs nothing.

  unknot pages --graph tests/pages
  unknot pages --graph tests/pages --start LoginPage --format mermaid
  unknot pages --graph tests/pages --format dot | dot -Tsvg -o navigation.svg
"""


def add_options(parser: OptionGroup) -> None:
    parser.add("--graph", type=Path, required=True, metavar="DIR", help="the page objects: a directory, or one file")
    parser.value("--start", "PAGE", "the page object at which the application begins", default="")
    parser.output(("text", "json", *_WRITERS), file=True)


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    graph = graph_of_page_objects(given.graph, given.start, progress)
    if given.format == "text":
        write_rich(navigation_text(graph), given.output, progress)
    elif given.format == "json":
        write_json(navigation_json(graph), given.output)
    else:
        write_text(_WRITERS[given.format](graph), given.output, progress)
    return ExitCode.CLEAN


_WRITERS: dict[str, Callable[[NavigationGraph], str]] = {
    "dot": navigation_dot,
    "mermaid": navigation_mermaid,
    "graphml": navigation_graphml,
}
