"""`unknot crawl`: explores a web application in a browser."""

import argparse

from unknot.app.crawl.crawl import EXPLORERS, MINUTES, CrawlOptions, crawl_application
from unknot.app.options import RunnerOptions, options_from
from unknot.cli.options import OptionGroup, positive_float, positive_int
from unknot.cli.terminal import TerminalProgress, write_json, write_rich, write_text
from unknot.model.errors import ExitCode
from unknot.report.navigation.crawl_text import crawl_json, crawl_text
from unknot.report.navigation.pictures import navigation_dot, navigation_graphml, navigation_mermaid

DESCRIPTION = """\
Explores a web application in a real browser (Chromium): which kinds of pages there are, which
actions lead from one to another, and what goes wrong on the way. It never leaves the origin of the
address, and leaves alone what logs out, pays, sends or deletes an account. Data is changed only on an
instance, which is put back after each round, or with --writes.

  unknot crawl http://127.0.0.1:8000/ --minutes 5
  unknot crawl --login tests/login.py::login     the instance of the configuration, logged in
  unknot crawl --format dot | dot -Tsvg -o navigation.svg
"""

_PICTURES = {"dot": navigation_dot, "mermaid": navigation_mermaid, "graphml": navigation_graphml}


def add_options(parser: OptionGroup) -> None:
    default = "the first port of the instance"
    parser.add(
        "address", nargs="?", default="", metavar="URL", help=f"where the application begins (default: {default})"
    )
    limits = parser.group("limits")
    limits.value("--minutes", "N", "explore for so long", positive_float, MINUTES)
    limits.value("--steps", "N", "stop after so many steps", positive_int)
    how = parser.group("how to explore")
    how.value("--login", "FILE::FUNCTION", "a function that takes a Playwright page and logs in", default="")
    how.choice("--explorer", EXPLORERS, EXPLORERS[0], "which step to take next")
    how.value("--seed", "N", "seed for choices", int, 0)
    safety = parser.group("safety")
    safety.values("--allow", "WORD", "perform actions with this word in their name, which are left alone otherwise")
    safety.values("--also", "ORIGIN", "another origin that pages may reach, for example http://127.0.0.1:9000")
    safety.flag("--writes", "send forms and delete things although nothing puts the data back")
    parser.output(("text", "json", *_PICTURES), file=True, quiet="do not show progress")


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    values = {**vars(given), "runner": options_from(RunnerOptions, {**vars(given), "pytest_options": ()})}
    result = crawl_application(options_from(CrawlOptions, values), progress)
    if result.is_read_only:
        progress.note("forms that change data were left alone: describe an instance with a reset, or pass --writes")
    if given.format == "text":
        write_rich(crawl_text(result.summary, result.problem), given.output, progress)
    elif given.format == "json":
        write_json(crawl_json(result.summary, result.problem), given.output)
    else:
        write_text(_PICTURES[given.format](result.summary.graph), given.output, progress)
    if progress.is_interrupted():
        return ExitCode.INTERRUPTED
    return ExitCode.RUNNER if result.problem else ExitCode.CLEAN
