"""`unknot minimise`: the cheapest suite of equal coverage that keeps every dependency."""

import argparse
import shlex
from pathlib import Path
from typing import Any

from unknot.app.coverage import SOLVER_SECONDS, MinimiseOptions, minimise
from unknot.app.options import LOCK, options_from
from unknot.cli.options import OptionGroup, positive_float
from unknot.cli.terminal import TerminalProgress, write_json, write_rich, write_text
from unknot.model.errors import ExitCode
from unknot.plan.cover.minimise import MinimalSuite
from unknot.report.text.lines import Lines
from unknot.report.wording import counted
from unknot.store.lock import DIGITS

_MOST_SHOWN = 20

COVERAGE_FORMATS = """\
FILE is a data file of coverage.py with contexts (`pytest --cov --cov-context=test`), its JSON report
(`coverage json --show-contexts`), CSV with rows `test,element`, or JSON {"test": ["element", ...]}.
Elements can be anything; in coverage.py's files they are lines outside the test files."""

DESCRIPTION = f"""\
Finds the cheapest part of the suite that covers all that the whole suite covers, with all that its
tests need. It can run by itself, in its own order, with any runner.

{COVERAGE_FORMATS}

  unknot minimise
  unknot minimise --coverage .coverage
  unknot minimise --coverage .coverage --keep tests/test_login.py --keep '*::test_smoke_*'
  unknot minimise --coverage .coverage --max-seconds 60       most coverage in a minute
  unknot minimise --coverage .coverage --format ids -o kept.txt && pytest @kept.txt
"""


def add_coverage(parser: OptionGroup, default: str = "") -> None:
    group = parser.group("coverage")
    group.add("--coverage", type=Path, metavar="FILE", help=f"what each test covers{default}")
    group.flag("--branches", "count branches, not lines (only for coverage.py's data files)")


def add_options(parser: OptionGroup) -> None:
    add_coverage(parser, default=" (default: .unknot/coverage, which is recorded if it is not there)")
    wanted = parser.group("what to keep")
    kept = "a test that must stay: a node id, a file or class, or a pattern with * and ?"
    wanted.values("--keep", "TEST", kept)
    wanted.value("--max-seconds", "N", "as much coverage as possible within so many seconds", positive_float)
    search = parser.group("search")
    search.choice(
        "--solver",
        ("auto", "greedy", "optimal"),
        "auto",
        "greedy is fast and good; optimal proves that nothing cheaper exists and requires unknot[optimal]"
        " (default: optimal where it is installed)",
    )
    limit = "time limit for the proof; after that, the best result so far is used"
    search.value("--time-limit", "S", limit, positive_float, SOLVER_SECONDS)
    parser.output(("text", "json"), ids="kept test", file=True)
    parser.files(durations=True)


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    options = options_from(MinimiseOptions, vars(given))
    found = minimise(options, progress)
    if given.format == "json":
        write_json(_to_json(found), given.output)
    elif given.format == "ids":
        write_text("".join(f"{test}\n" for test in found.tests), given.output)
    else:
        write_rich(_lines(found, options).text, given.output)
    return ExitCode.CLEAN


def _to_json(found: MinimalSuite) -> dict[str, Any]:
    return {
        "tests": list(found.tests),
        "dropped": list(found.dropped),
        "seconds": round(found.seconds, DIGITS),
        "seconds_before": round(found.seconds_before, DIGITS),
        "proven": found.proven,
        "bound": round(found.bound, DIGITS),
        "elements": found.elements,
        "covered": found.covered,
        "covered_at_most": found.covered_at_most,
        "solver": found.solver,
    }


def _lines(found: MinimalSuite, options: MinimiseOptions) -> Lines:
    lines = Lines()
    whole = len(found.tests) + len(found.dropped)
    share = f" ({found.seconds / found.seconds_before:.0%})" if found.seconds_before else ""
    lines.line(
        f"{len(found.tests):,} of {counted(whole, 'test')} cover {_coverage(found)}"
        f" in {found.seconds:,.2f} of {found.seconds_before:,.2f} s{share}",
        "bold",
    )
    lines.field("quality", [_quality(found)])
    lines.tests("kept", found.tests, most=_MOST_SHOWN, rest="--format ids")
    lines.tests("dropped", found.dropped, most=_MOST_SHOWN, rest="--format json")
    lines.field("run it with", [f"{_command(options)} --format ids -o kept.txt && pytest @kept.txt"])
    return lines


def _coverage(found: MinimalSuite) -> str:
    if found.covered == found.elements:
        return f"all {counted(found.elements, 'element')}"
    lost = found.elements - found.covered
    return f"{found.covered:,} of {counted(found.elements, 'element')} ({lost:,} lost, {lost / found.elements:.1%})"


def _quality(found: MinimalSuite) -> str:
    if found.covered < found.elements:
        if found.proven:
            return "proven: nothing within the limit covers more"
        return f"not proven: within the limit at most {found.covered_at_most:,} could be covered"
    if found.proven:
        return "proven: nothing cheaper covers as much"
    above = found.seconds / found.bound - 1 if found.bound else 0.0
    return f"not proven: at most {above:.1%} over the best, which takes {found.bound:,.2f} s or more"


def _command(options: MinimiseOptions) -> str:
    """The same command, to be copied."""
    words = ["unknot", "minimise"]
    words += ["--coverage", str(options.coverage)] if options.coverage is not None else []
    words += ["--branches"] if options.branches else []
    words += [word for pattern in options.keep for word in ("--keep", pattern)]
    words += ["--max-seconds", f"{options.max_seconds:g}"] if options.max_seconds is not None else []
    words += ["--lock", str(options.files.lock)] if str(options.files.lock) != LOCK else []
    return shlex.join(words)
