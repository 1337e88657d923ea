"""`unknot generate`: a suite of tests for a web application that was crawled."""

import argparse
from pathlib import Path

from unknot.app.crawl.crawl import MINUTES, CrawlOptions
from unknot.app.generate.drafts import DraftOptions
from unknot.app.generate.generate import OUT, PAGES, GenerateOptions, generate_suite
from unknot.app.generate.generators import GENERATORS
from unknot.app.generate.scratch import LOCK
from unknot.app.options import WEB_MODEL, RunnerOptions, options_from
from unknot.cli.options import OptionGroup, positive_float, positive_int
from unknot.cli.terminal import TerminalProgress, write_json, write_rich
from unknot.model.errors import ExitCode
from unknot.model.web.generated_suite import GeneratedSuite
from unknot.report.navigation.suite_text import suite_json, suite_text
from unknot.store.state_directory import STATE

DESCRIPTION = """\
Writes a pytest suite (Playwright) for an application that `unknot crawl` has explored: explores it
again for tests with checks that can fail, writes page objects if they are missing, and runs each test
in order, alone and shuffled, in a copy of the project. Only tests that were green each time are
written, with a lock file of the dependencies between them. Files of yours are never replaced.

  unknot crawl --login tests/login.py::login
  unknot generate --login tests/login.py::login
  pytest tests/generated
"""


def add_options(parser: OptionGroup) -> None:
    default = "the first port of the instance"
    parser.add(
        "address", nargs="?", default="", metavar="URL", help=f"where the application begins (default: {default})"
    )
    files = parser.group("files")
    files.value("--out", "DIR", "the directory of the suite", Path, Path(OUT))
    files.value("--pages", "DIR", "the directory of the page objects", Path, Path(PAGES))
    files.value("--model", "FILE", "the model of the crawl", Path, Path(WEB_MODEL))
    files.value("--state-dir", "DIR", "directory with the journal of the crawl", Path, Path(STATE))
    limits = parser.group("limits")
    limits.value("--minutes", "N", "explore for so long; to prove the tests takes more", positive_float, MINUTES)
    limits.value("--steps", "N", "stop exploring after so many steps", positive_int)
    limits.value("--tests", "N", "write no more than so many tests", positive_int)
    how = parser.group("how to explore")
    how.value("--login", "FILE::FUNCTION", "a function that takes a Playwright page and logs in", default="")
    how.choice("--algorithm", GENERATORS, next(iter(GENERATORS)), "which step to take next")
    how.value("--seed", "N", "seed for choices", int, 0)
    how.value("-n|--workers", "N", "number of browsers, each with an instance of its own", positive_int, 1)
    safety = parser.group("safety")
    safety.values("--allow", "WORD", "perform actions with this word in their name, which are left alone otherwise")
    safety.values("--also", "ORIGIN", "another origin that pages may reach, for example http://127.0.0.1:9000")
    safety.flag("--writes", "send forms and delete things although nothing puts the data back")
    parser.output(("text", "json"), file=True, quiet="do not show progress")


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    values = {**vars(given), "runner": options_from(RunnerOptions, {**vars(given), "pytest_options": ()})}
    crawl = options_from(CrawlOptions, values)
    drafts = DraftOptions(crawl=crawl, model=given.model, algorithm=given.algorithm, tests=given.tests)
    suite = generate_suite(GenerateOptions(drafts=drafts, out=given.out, pages=given.pages), progress)
    if given.format == "json":
        write_json(suite_json(suite), given.output)
    else:
        write_rich(suite_text(suite, written=_written(suite, given)), given.output, progress)
    if progress.is_interrupted():
        return ExitCode.INTERRUPTED
    if not suite.tests:
        progress.note("no test was written, and no file was changed")
    if suite.problem:
        return ExitCode.RUNNER
    return ExitCode.CLEAN if suite.tests else ExitCode.NO_TESTS


def _written(suite: GeneratedSuite, given: argparse.Namespace) -> list[tuple[str, str]]:
    if not suite.tests:
        minutes = f"{2 * given.minutes:g}"
        return [(f"unknot generate --minutes {minutes} …", "explore for longer")]
    lock = given.out / LOCK
    made = [(str(given.out / name), "made for you, and yours from now on") for name in suite.made]
    removed = [(str(given.out / name), "removed: it had tests of an earlier suite") for name in suite.removed]
    return [
        *made,
        *removed,
        (str(lock), "the dependencies; commit it with the tests"),
        (f"pytest {given.out}", "run the suite"),
        (f"unknot run -n 2 {given.out} --lock {lock}", "run it in parallel"),
    ]
