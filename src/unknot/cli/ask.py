"""`unknot ask TEST...`: run tests in a given order, from a clean state."""

import argparse
from typing import Any

from rich.console import Console

from unknot.app.ask import run_order
from unknot.app.options import RunnerOptions, options_from
from unknot.cli.options import OptionGroup
from unknot.cli.terminal import TerminalProgress, write_json
from unknot.model.errors import ExitCode, UsageError
from unknot.model.outcome import Outcome
from unknot.model.run import Run
from unknot.model.sanitise import shown, shown_lines
from unknot.report.wording import duration

DESCRIPTION = """\
Runs these tests, in this order, from a clean state, and prints the outcome of each. A detection
does this many times; use it to repeat one proof.

  unknot ask tests/test_cart.py::test_pay
  unknot ask CartTest#adds CartTest#pays
  unknot ask --order-file order.txt          one id per line

Exit code 0 if every test has a good outcome, 1 if not.
"""


def add_options(parser: OptionGroup) -> None:
    parser.add("tests", nargs="*", metavar="TEST", help="test ids, in the order to run them")
    parser.value("--order-file", "FILE", "read the ids from a file, one per line", default="")
    parser.runner_options()
    parser.output(("text", "json"))


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    options = options_from(RunnerOptions, vars(given))
    done = run_order(_wanted(given), options, progress)
    if given.format == "json":
        write_json(_to_json(done))
    else:
        _print(done, Console(highlight=False, soft_wrap=True))
    is_bad = any(result.outcome.is_bad or result.outcome is Outcome.NOT_RUN for result in done.results)
    return ExitCode.FOUND if is_bad else ExitCode.CLEAN


def _wanted(given: argparse.Namespace) -> list[str]:
    wanted = list(given.tests)
    if given.order_file:
        try:
            with open(given.order_file, encoding="utf-8") as file:
                wanted += [line.rstrip("\n") for line in file if line.strip()]
        except (OSError, UnicodeDecodeError) as problem:
            hint = "Write one id per line."
            raise UsageError(
                f"{given.order_file} cannot be read: {problem}", hint=hint, slug="file-unreadable"
            ) from problem
    if not wanted:
        raise UsageError(
            "no test is named", hint="Run `unknot ask TEST TEST` to run two tests in this order.", slug="no-test-named"
        )
    return wanted


def _to_json(run: Run) -> dict[str, Any]:
    return {
        "results": [
            {"test": test, "outcome": result.outcome, "seconds": round(result.seconds, 6), "story": result.story}
            for test, result in zip(run.order, run.results, strict=True)
        ]
    }


def _print(run: Run, out: Console) -> None:
    for test, result in zip(run.order, run.results, strict=True):
        out.print(f"{result.outcome:<14} {duration(result.seconds):>8}  {shown(test)}", markup=False)
    for test, result in zip(run.order, run.results, strict=True):
        if result.story and result.outcome.is_bad:
            out.print(f"\n--- {shown(test)}", markup=False)
            out.print(shown_lines(result.story), markup=False)
