"""`unknot pages`: page objects of a web application."""

import argparse
from pathlib import Path

from unknot.app.options import WEB_MODEL
from unknot.app.page_files import write_page_objects
from unknot.app.pages import graph_of_page_objects, model_of_crawl
from unknot.cli.options import OptionGroup
from unknot.cli.terminal import TerminalProgress, write_json, write_rich, write_text
from unknot.model.errors import ExitCode, UsageError
from unknot.report.navigation.navigation_json import navigation_json
from unknot.report.navigation.navigation_text import navigation_text
from unknot.report.navigation.page_files_text import page_files_json, page_files_text
from unknot.report.navigation.pictures import PICTURES
from unknot.report.site_map.page import site_map_html
from unknot.report.site_map.site_map import map_of_graph, map_of_model

DESCRIPTION = """\
Writes page objects in Python (Playwright) for an application that `unknot crawl` has explored: base
classes, which are written again after each crawl, and subclasses of them, which are yours. Or reads
page objects (Playwright or Selenium) and shows the navigation graph that they describe: each method
that returns a page object leads from its page to that one. Shows the graph of a crawl as well. Runs
nothing.

  unknot crawl && unknot pages --out tests/pages
  unknot pages --graph tests/pages
  unknot pages --graph unknot.web.json --format html -o navigation.html
  unknot pages --graph tests/pages --start LoginPage --format mermaid
  unknot pages --graph tests/pages --format dot | dot -Tsvg -o navigation.svg
"""


def add_options(parser: OptionGroup) -> None:
    writing = parser.group("write page objects")
    writing.value("--out", "DIR", "write the page objects of a crawl into this directory", Path)
    writing.value("--model", "FILE", "the model of the crawl", Path, Path(WEB_MODEL))
    reading = parser.group("show navigation")
    what = "the page objects: a directory, or one file; or a model of `unknot crawl`"
    reading.value("--graph", "DIR", what, Path)
    reading.value("--start", "PAGE", "the page at which the application begins", default="")
    parser.output(("text", "json", "html", *PICTURES), file=True)


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    if (given.out is None) == (given.graph is None):
        raise UsageError(
            "neither --out nor --graph is given" if given.out is None else "--out and --graph are given both",
            hint="Pass --out DIR to write page objects, or --graph DIR to show the navigation of existing ones.",
            slug="pages-what",
        )
    if given.out is not None:
        return _write(given, progress)
    model = model_of_crawl(given.graph, given.start)
    graph = model.graph() if model else graph_of_page_objects(given.graph, given.start, progress)
    if given.format == "text":
        write_rich(navigation_text(graph), given.output, progress)
    elif given.format == "json":
        write_json(navigation_json(graph), given.output)
    elif given.format == "html":
        page = site_map_html(map_of_model(model) if model else map_of_graph(graph))
        write_text(page, given.output, progress)
    else:
        write_text(PICTURES[given.format](graph), given.output, progress)
    return ExitCode.CLEAN


def _write(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    if given.format not in ("text", "json"):
        raise UsageError(
            f"--out has no format {given.format}",
            hint="Use text or json; the pictures are those of --graph.",
            slug="pages-what",
        )
    files = write_page_objects(given.model, given.out)
    if given.format == "json":
        write_json(page_files_json(files), given.output)
    else:
        write_rich(page_files_text(files, str(given.out)), given.output, progress)
    return ExitCode.CLEAN
