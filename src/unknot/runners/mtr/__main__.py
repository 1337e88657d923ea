"""`python -m unknot.runners.mtr`: what the command runner starts. Each verb does one thing, and says what is wrong.

`list` prints the tests, `prepare` makes a slot's directory, `run` runs an order, `serve` is the server of a slot.
"""

import argparse
import fnmatch
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from unknot.model.errors import ExitCode, RunnerError, UnknotError
from unknot.runners.mtr.account import ServerAccount, account
from unknot.runners.mtr.order_run import MtrOrderRun
from unknot.runners.mtr.output import TapFile, id_of, is_id
from unknot.runners.mtr.prepare import Prepared, make_template, prepare, run_mtr
from unknot.runners.mtr.request import EXTERN, Request, add_request, build_threads, mtr_words, read_request
from unknot.runners.mtr.server import become_server, make_data

_NAME = re.compile(r"(?P<name>\S+)(?: '(?P<combinations>[^']*)')?")


def list_tests(request: Request, directory: Path, project: Path, owner: ServerAccount) -> list[str]:
    """Runs mtr, with an empty `directory` to work in. The order is mtr's own, which puts tests with the same options
    beside each other and so has the fewest restarts. Raises RunnerError."""
    prepared = prepare(request, directory, project, owner)
    words = [word for word in mtr_words(request, prepared.vardir, build_threads(0)[0]) if word != "--noreorder"]
    words += [f"--suite={','.join(request.names)}", "--dry-run"]
    return listed(run_mtr(words, prepared.test_directory(request), prepared, owner), request)


def listed(said: str, request: Request) -> list[str]:
    """The ids in what mtr said. A server that stands already has no combinations of options to choose from: there a
    test has one id."""
    suites = set(request.names)
    ids = []
    for line in said.splitlines():
        found = _NAME.fullmatch(line)
        if found and found["name"].partition(".")[0].partition("-")[0] in suites:
            test = id_of(found["name"], None if request.server == EXTERN else found["combinations"])
            ids += [test] if is_id(test) else []
    return without(dict.fromkeys(ids), request.skip)


def without(ids: Iterable[str], patterns: Sequence[str]) -> list[str]:
    """Those that no pattern names; `gcol.*` and `*,row` are patterns, as of file names."""
    return [test for test in ids if not any(fnmatch.fnmatchcase(test, pattern) for pattern in patterns)]


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
    request = read_request(given)
    with tempfile.TemporaryDirectory(prefix="mtr-") as directory:
        for test in list_tests(request, Path(directory), Path.cwd(), account(request.user)):
            sys.stdout.write(f"{test}\n")
    return ExitCode.CLEAN


def _prepare(given: argparse.Namespace) -> int:
    request = read_request(given)
    owner = account(request.user)
    prepared = prepare(request, given.dir, Path.cwd(), owner)
    if request.server == EXTERN:
        make_data(request, prepared, given.worker, owner)
    else:
        make_template(request, prepared, given.worker, owner)
    return ExitCode.CLEAN


def _run(given: argparse.Namespace) -> int:
    request = read_request(given)
    tests = given.tests.read_text(encoding="utf-8").splitlines()
    for test in tests:
        if not is_id(test):
            raise RunnerError(
                f"mtr cannot have a test {test!r}",
                hint="ids are `suite.test` or `suite.test,combination`",
                slug="mtr-failed",
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
