"""`python -m unknot.runners.mtr`: what the command runner starts. Each verb does one thing, and says what is wrong.

`list` prints the tests, `prepare` makes a slot's directory, `run` runs an order, `serve` is the server of a slot.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from unknot.model.errors import ExitCode, RunnerError, UnknotError
from unknot.runners.mtr.account import account
from unknot.runners.mtr.listing import list_tests
from unknot.runners.mtr.order_run import MtrOrderRun
from unknot.runners.mtr.prepare import Prepared, make_template, prepare
from unknot.runners.mtr.request import EXTERN, add_request, read_request
from unknot.runners.mtr.server import become_server, make_data
from unknot.runners.mtr.tap_file import TapFile
from unknot.runners.mtr.told import is_id

BROKE_OFF = 3
"""The exit status of a run that did not come to its end."""


def main() -> int:
    given = _parser().parse_args()
    verb: Callable[[argparse.Namespace], int] = given.verb
    try:
        return verb(given)
    except UnknotError as problem:
        sys.stderr.write(f"unknot: {problem.message}\n" + (f"hint: {problem.hint}\n" if problem.hint else ""))
        return problem.exit_code
    except OSError as problem:
        sys.stderr.write(f"unknot: {problem}\n")
        return ExitCode.RUNNER


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m unknot.runners.mtr", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    for name, verb in (("list", _list), ("prepare", _prepare), ("run", _run), ("serve", _serve)):
        sub = verbs.add_parser(name)
        sub.set_defaults(verb=verb)
        add_request(sub)
        if name != "list":
            sub.add_argument("--dir", type=Path, required=True)
            sub.add_argument("--worker", type=int, required=True)
        if name == "run":
            sub.add_argument("--tests", type=Path, required=True)
            sub.add_argument("--results", type=Path, required=True)
        if name == "serve":
            sub.add_argument("--port", type=int, required=True)
            sub.add_argument("--server-option", action="append", default=[])
    return parser


def _list(given: argparse.Namespace) -> int:
    request = read_request(given)
    with tempfile.TemporaryDirectory(prefix="mtr-") as directory:
        for test in list_tests(request, Path(directory), Path.cwd(), account(request.user)):
            sys.stdout.write(f"{test}\n")
    return ExitCode.CLEAN


def _prepare(given: argparse.Namespace) -> int:
    request = read_request(given)
    who = account(request.user)
    prepared = prepare(request, given.dir, Path.cwd(), who)
    if request.server == EXTERN:
        make_data(request, prepared, given.worker, who)
    else:
        make_template(request, prepared, given.worker, who)
    return ExitCode.CLEAN


def _run(given: argparse.Namespace) -> int:
    request = read_request(given)
    tests = given.tests.read_text(encoding="utf-8").splitlines()
    for test in tests:
        if not is_id(test):
            raise RunnerError(
                f"mtr cannot have a test {test!r}", hint="ids are `suite.test` or `suite.test,combination`"
            )
    run = MtrOrderRun(request, Prepared(given.dir), given.worker, account(request.user))
    tap = TapFile(given.results, len(tests))
    try:
        is_whole = run.run(tests, tap.add)
    finally:
        tap.close()
    return ExitCode.CLEAN if is_whole else BROKE_OFF


def _serve(given: argparse.Namespace) -> int:
    request = read_request(given)
    become_server(request, Prepared(given.dir), given.port, given.server_option, account(request.user))
    return os.EX_OSERR


if __name__ == "__main__":
    sys.exit(main())
