"""`unknot ask TEST...`: run one order from a clean state."""

import argparse
import json
import sys
from dataclasses import replace
from typing import Any

from rich.console import Console

from unknot.app.session.session import settings_from, workplace
from unknot.app.test_names import first_few
from unknot.cli.options import add_runner_options, add_verb
from unknot.model.errors import ExitCode, UsageError
from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.sanitise import shown, shown_lines
from unknot.model.suite import Order, Suite, TestId
from unknot.report.wording import duration

_DESCRIPTION = """\
Runs these tests, in this order, from a clean state, and says what came out of each. This is what a
detection asks thousands of times; here it is for a person who wants to see one proof happen.

  unknot ask tests/test_cart.py::test_pay
  unknot ask CartTest#adds CartTest#pays
  unknot ask --order-file order.txt          one id a line

Exit code 0 if every test did well, 1 if one did not.
"""


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "ask", "run these tests in this order, from a clean state", _DESCRIPTION)
    parser.add_argument("tests", nargs="*", metavar="TEST", help="ids, in the order wanted")
    parser.add_argument("--order-file", metavar="FILE", default="", help="read the ids from a file, one a line")
    add_runner_options(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(verb=ask)


def ask(options: argparse.Namespace, console: Console) -> ExitCode:
    wanted = _wanted(options)
    # The tests are chosen below, by their ids: the runner lists the whole suite.
    options.paths = []
    settings = replace(settings_from(options, console), workers=1)
    with workplace(settings, options, console) as place:
        order = _order(wanted, place.listing.suite)
        (run,) = place.runner.run_orders([OrderRequest(order)])
    if options.format == "json":
        sys.stdout.write(json.dumps(_to_json(run), indent=1, allow_nan=False) + "\n")
    else:
        _write(run, Console(highlight=False, soft_wrap=True))
    is_bad = any(result.outcome.is_bad or result.outcome is Outcome.NOT_RUN for result in run.results)
    return ExitCode.FOUND if is_bad else ExitCode.CLEAN


def _wanted(options: argparse.Namespace) -> list[str]:
    wanted = list(options.tests)
    if options.order_file:
        try:
            with open(options.order_file, encoding="utf-8") as file:
                wanted += [line.rstrip("\n") for line in file if line.strip()]
        except (OSError, UnicodeDecodeError) as problem:
            raise UsageError(f"{options.order_file} cannot be read: {problem}", hint="one id a line") from problem
    if not wanted:
        raise UsageError("no test is named", hint="`unknot ask TEST TEST` runs these two, in this order")
    return wanted


def _order(wanted: list[str], suite: Suite) -> Order:
    unknown = [test for test in wanted if test not in suite.index]
    if unknown:
        hint = "ids are as the runner lists them; those of the lock file are in `unknot report`"
        raise UsageError(f"not a test of this suite: {first_few([TestId(test) for test in unknown])}", hint=hint)
    twice = [test for test in wanted if wanted.count(test) > 1]
    if twice:
        raise UsageError(f"named twice: {twice[0]}", hint="an order runs each test once")
    return tuple(map(TestId, wanted))


def _to_json(run: Run) -> dict[str, Any]:
    return {
        "results": [
            {"test": test, "outcome": result.outcome, "seconds": round(result.seconds, 6), "story": result.story}
            for test, result in zip(run.order, run.results, strict=True)
        ]
    }


def _write(run: Run, out: Console) -> None:
    for test, result in zip(run.order, run.results, strict=True):
        out.print(f"{result.outcome:<14} {duration(result.seconds):>8}  {shown(test)}", markup=False)
    for test, result in zip(run.order, run.results, strict=True):
        if result.story and result.outcome.is_bad:
            out.print(f"\n--- {shown(test)}", markup=False)
            out.print(shown_lines(result.story), markup=False)
