"""`unknot blame TEST`: who broke this test, on which line, and the change that helps."""

import argparse
from pathlib import Path
from typing import Any

from unknot.app.blame.blame import TRIAL_SECONDS, BlameOptions, BlameResult, blame
from unknot.app.blame.failed_run import FailedRun
from unknot.app.fix.fix import TrialOptions
from unknot.app.options import options_from
from unknot.cli.arguments import TypedOnly
from unknot.cli.explain import cut_json, reason_details
from unknot.cli.options import OptionGroup, positive_float, seconds
from unknot.cli.terminal import TerminalProgress, write_json, write_rich
from unknot.model.errors import ExitCode
from unknot.report.report import Report
from unknot.report.text.blame import blame_text
from unknot.report.text.explain import explanation_json

DESCRIPTION = """\
Finds out why one test fails in some orders: which test breaks it or which one it needs, on which
line, and a change that was tried. Searches for this test only, so it needs no `unknot detect`
before, and it does not touch the lock file unless you say --save.

Name the run that failed, if you can: the search then starts from its order. Without one, likely
orders are tried: alone, suite order, after all other tests in several orders, after each of them.

  unknot blame test_total
  unknot blame test_total --seed 1234          pytest-randomly printed "random seed: 1234"
  unknot blame test_total --random-order-seed 1234
  unknot blame test_total --log ci.log         output of `pytest -v`, with or without xdist
  unknot blame test_total --junit report.xml
  unknot blame test_total --order ids.txt      one id per line
  unknot blame test_total --no-fix             the answer only, without a tried change

A dependency is proved by two runs. If the outcome differs in one and the same order, the test is
flaky, and order is not the reason.

Exit code 0 if the test passed in every order, 1 if a dependency was found or the test is flaky or
always fails, 10 if the search was stopped or could not explain a failure.
"""


def add_options(parser: OptionGroup) -> None:
    parser.add("test", metavar="TEST", help="a test id, or a part of one that matches no other test")
    parser.runner()
    failed = parser.group("the run that failed")
    seed = "seed that pytest-randomly printed in the failed run"
    failed.add("--seed", action=TypedOnly, type=int, metavar="N", help=seed)
    failed.value("--random-order-seed", "N", "seed that pytest-random-order printed", int)
    failed.value("--order", "FILE", "ids in the order in which they ran, one per line", Path)
    failed.value("--junit", "FILE", "JUnit file that pytest wrote", Path)
    failed.value("--log", "FILE", "output of pytest -v; with xdist, the worker of the test counts", Path)
    answer = parser.group("the answer")
    answer.flag("--no-reason", "do not record the tests concerned: no lines, no change")
    answer.flag("--no-fix", "do not try changes")
    answer.flag("--save", "add what was found to the lock file")
    answer.flag("--no-cache", "delete the runs in the journal and run everything again")
    answer.value("--max-seconds", "N", "stop the search after so long", positive_float)
    answer.value("--seconds", "N", "try no new change after so long", seconds, TRIAL_SECONDS)
    parser.files()
    parser.output(("text", "json"), quiet="do not show progress")


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    values = {**vars(given), "reason": not given.no_reason, "fix": not given.no_fix}
    options = options_from(BlameOptions, {**values, "failed_run": options_from(FailedRun, values)})
    found = blame(given.test, options, progress)
    report = Report(found.dependencies, invocation=found.invocation)
    if given.format == "json":
        write_json(_to_json(found, report))
    else:
        trial = TrialOptions(runner=options.runner, files=options.files)
        details = [reason_details(cut, found.recording, trial) for cut in found.cuts] if found.recording else []
        write_rich(blame_text(report, found.blame, details, found.orders, found.seconds))
        if options.save:
            progress.result(f"{options.files.lock} updated" if found.saved else f"{options.files.lock} left as it is")
    if progress.is_interrupted():
        return ExitCode.INTERRUPTED
    return exit_code(found)


def exit_code(found: BlameResult) -> ExitCode:
    if found.verdict == "passing":
        return ExitCode.CLEAN if found.blame.finished else ExitCode.INCOMPLETE
    return ExitCode.INCOMPLETE if found.verdict == "unexplained" else ExitCode.FOUND


def _to_json(found: BlameResult, report: Report) -> dict[str, Any]:
    known = explanation_json(report, found.test, [cut.reasons for cut in found.cuts], list(map(cut_json, found.cuts)))
    return {
        **{key: known[key] for key in ("test", "kind", "closure", "claims")},
        "verdict": found.verdict,
        "finished": found.blame.finished,
        "tried": [{"what": each.what, "outcome": each.outcome.value} for each in found.blame.tried],
        "orders": found.orders,
        "seconds": round(found.seconds, 3),
        "saved": found.saved,
    }
