"""`python -m unknot.runners.mtr`: what the command runner starts. Each verb does one thing, and says what is wrong.

`list` prints the tests, `prepare` makes a slot's directory, `run` runs an order, `serve` is the server of a slot.
"""

import argparse
import contextlib
import fnmatch
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from unknot.model.errors import ExitCode, RunnerError, UnknotError
from unknot.runners.mtr.order_run import run_order
from unknot.runners.mtr.output import TapFile, id_of, is_id
from unknot.runners.mtr.request import EXTERN, Request, add_request, read_request
from unknot.runners.mtr.slot_directory import SlotDirectory

_NAME = re.compile(r"(?P<name>\S+)(?: '(?P<combinations>[^']*)')?")


def listed(printed: str, request: Request) -> list[str]:
    """The ids in what mtr printed, without those that a pattern names; `gcol.*` and `*,row` are patterns, as of file
    names. A server that stands already has no combinations of options to choose from: there a test has one id."""
    suites = set(request.names)
    ids = []
    for line in printed.splitlines():
        found = _NAME.fullmatch(line)
        if found and found["name"].partition(".")[0].partition("-")[0] in suites:
            test = id_of(found["name"], None if request.server == EXTERN else found["combinations"])
            ids += [test] if is_id(test) else []
    return [test for test in dict.fromkeys(ids) if not any(fnmatch.fnmatchcase(test, one) for one in request.skip)]


BROKE_OFF = 3
"""The exit status of a run that did not come to its end."""


def main() -> int:
    given = _parser().parse_args()
    verb: Callable[[argparse.Namespace], int] = given.verb
    try:
        return verb(given)
    except UnknotError as problem:
        sys.stderr.write(
            f"error[{problem.slug}]: {problem.message}\n" + (f"hint: {problem.hint}\n" if problem.hint else "")
        )
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
    """The sequence is mtr's own, which puts tests with the same options beside each other and so has the fewest
    restarts."""
    request = read_request(given)
    with tempfile.TemporaryDirectory(prefix="mtr-") as directory:
        slot = SlotDirectory(request, Path(directory))
        slot.prepare(Path.cwd())
        printed = slot.run_mtr(f"--suite={','.join(request.names)}", "--dry-run", reorders=True)
    sys.stdout.write("".join(f"{test}\n" for test in listed(printed, request)))
    return ExitCode.CLEAN


def _slot(given: argparse.Namespace) -> SlotDirectory:
    return SlotDirectory(read_request(given), given.dir, given.worker)


def _prepare(given: argparse.Namespace) -> int:
    slot = _slot(given)
    slot.prepare(Path.cwd())
    if slot.request.server == EXTERN:
        slot.make_data()
    else:
        slot.make_template()
    return ExitCode.CLEAN


def _run(given: argparse.Namespace) -> int:
    tests = given.tests.read_text(encoding="utf-8").splitlines()
    for test in tests:
        if not is_id(test):
            raise RunnerError(
                f"mtr cannot have a test {test!r}",
                hint="ids are `suite.test` or `suite.test,combination`",
                slug="mtr-failed",
            )
    with contextlib.closing(TapFile(given.results, len(tests))) as tap:
        is_whole = run_order(_slot(given), tests, tap.add)
    return ExitCode.CLEAN if is_whole else BROKE_OFF


def _serve(given: argparse.Namespace) -> int:
    _slot(given).become_server(given.port, given.server_option)
    return os.EX_OSERR


if __name__ == "__main__":
    sys.exit(main())
