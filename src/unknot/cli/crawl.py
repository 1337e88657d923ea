"""`unknot crawl`: explores a web application in a browser."""

import argparse
from pathlib import Path

from unknot.app.crawl.abstractions import ABSTRACTIONS
from unknot.app.crawl.crawl import MINUTES, CrawlOptions, CrawlResult, crawl_application
from unknot.app.crawl.dry_run import PAGES, dry_run
from unknot.app.crawl.explorers import EXPLORERS
from unknot.app.options import WEB_MODEL, RunnerOptions, options_from
from unknot.cli.options import OptionGroup, positive_float, positive_int
from unknot.cli.terminal import TerminalProgress, write_json, write_rich, write_text
from unknot.model.errors import ExitCode, StorageError, UsageError
from unknot.report.navigation.crawl_text import crawl_json, crawl_text
from unknot.report.navigation.dry_run_text import dry_run_json, dry_run_text
from unknot.report.navigation.pictures import PICTURES
from unknot.report.site_map.page import site_map_html
from unknot.report.site_map.site_map import map_of_crawl
from unknot.store.atomic import check_link, check_target, write_atomically
from unknot.store.state_directory import STATE, StateDirectory
from unknot.store.web_model_file import write_web_model

DESCRIPTION = """\
Explores a web application in a real browser (Chromium): which kinds of pages there are, which
actions lead from one to another, and what goes wrong on the way. It never leaves the origin of the
address, and leaves alone what logs out, pays, sends or deletes an account. Data is changed only on an
instance, which is put back after each round, or with --writes. The model of the application goes to
unknot.web.json (commit it), and what was seen to an HTML page.

You can interrupt it at any time: the same command goes on from there.

  unknot crawl http://127.0.0.1:8000/ --minutes 5
  unknot crawl --login tests/login.py::login     the instance of the configuration, logged in
  unknot crawl --format dot | dot -Tsvg -o navigation.svg
"""


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
    how.choice("--explorer", EXPLORERS, next(iter(EXPLORERS)), "which step to take next")
    how.choice("--abstraction", ABSTRACTIONS, ABSTRACTIONS[0], "what counts as the same page")
    how.value("--seed", "N", "seed for choices", int, 0)
    how.value("-n|--workers", "N", "number of browsers, each with an instance of its own", positive_int, 1)
    how.flag("--no-cache", "delete the recorded steps of this crawl and begin again")
    measuring = parser.group("coverage")
    measuring.flag("--no-coverage", "do not measure which code runs")
    measuring.values("--library", "PATTERN", "scripts whose path fits are not the application's own code")
    safety = parser.group("safety")
    safety.values("--allow", "WORD", "perform actions with this word in their name, which are left alone otherwise")
    safety.values("--also", "ORIGIN", "another origin that pages may reach, for example http://127.0.0.1:9000")
    safety.flag("--writes", "send forms and delete things although nothing puts the data back")
    what = f"list what would be clicked; opens the links of at most {PAGES} pages (or --steps), clicks nothing"
    safety.flag("--dry-run", what)
    parser.group("files").value("--state-dir", "DIR", "directory for the journal and screenshots", Path, Path(STATE))
    output = parser.output(("text", "json", *PICTURES), file=True, quiet="do not show progress")
    output.value("--model", "FILE", "the model of the application", Path, Path(WEB_MODEL))
    output.value("--html", "FILE", "the HTML page", Path, StateDirectory(Path(STATE)).crawl_page)


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    values = {
        **vars(given),
        "coverage": not given.no_coverage,
        "libraries": tuple(given.library),
        "runner": options_from(RunnerOptions, {**vars(given), "pytest_options": ()}),
    }
    options = options_from(CrawlOptions, values)
    if given.dry_run:
        return _dry_run(options, given, progress)
    check_link(given.model)
    for file in (given.model, given.html):
        check_target(file)
    result = crawl_application(options, progress)
    if result.is_read_only:
        progress.note("what may change data was not sent: describe an instance with a reset, or pass --writes")
    try:
        written = _written(result, given.model, given.html)
    except StorageError:
        # No space is left, for example: what took minutes to find is shown at least.
        write_rich(crawl_text(result.summary, result.problem))
        raise
    if given.format == "text":
        text = crawl_text(result.summary, result.problem, written=written, page=str(given.html))
        write_rich(text, given.output, progress)
    elif given.format == "json":
        write_json(crawl_json(result.summary, result.problem), given.output)
    else:
        write_text(PICTURES[given.format](result.summary.model.graph()), given.output, progress)
    if result.error is not None:
        raise result.error
    if progress.is_interrupted():
        return ExitCode.INTERRUPTED
    return ExitCode.RUNNER if result.problem else ExitCode.CLEAN


def _written(result: CrawlResult, model: Path, page: Path) -> list[tuple[str, str]]:
    """The files, if there is anything to write: a model that is there is not replaced by an empty one."""
    summary = result.summary
    if not summary.model.pages:
        return []
    write_web_model(model, summary.model)
    if page == StateDirectory(Path(STATE)).crawl_page:
        StateDirectory(Path(STATE)).prepare()
    write_atomically(page, site_map_html(map_of_crawl(summary, result.screenshots, result.problem)))
    return [
        (str(model), "the model; commit it"),
        (str(page), "the navigation graph, with all that was seen"),
        ("unknot pages --out tests/pages", "write page objects"),
    ]


def _dry_run(options: CrawlOptions, given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    if given.format not in ("text", "json"):
        raise UsageError(
            f"a dry run has no {given.format} format", hint="Use --format text or json.", slug="command-line"
        )
    found = dry_run(options, progress)
    if given.format == "json":
        write_json(dry_run_json(found), given.output)
    else:
        write_rich(dry_run_text(found), given.output, progress)
    return ExitCode.INTERRUPTED if progress.is_interrupted() else ExitCode.CLEAN
