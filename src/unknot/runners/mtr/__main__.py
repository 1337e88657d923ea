"""`python -m unknot.runners.mtr`: what the command runner starts. Each verb does one thing, and says what is wrong.

`list` prints the tests, `prepare` makes a slot's directory, `run` runs an order, `serve` is the server of a slot.
"""

import argparse
import contextlib
import dataclasses
import fnmatch
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from unknot.model.errors import ExitCode, RunnerError, UnknotError
from unknot.model.outcome import Outcome
from unknot.runners.mtr.installation import ServerAccount
from unknot.runners.mtr.output import MtrResult, TapFile, id_of, is_id, parse_output
from unknot.runners.mtr.request import (
    EXTERN,
    LONGEST_SOCKET,
    PORTS_TAKEN,
    Request,
    add_request,
    build_threads,
    mtr_environment,
    mtr_words,
    read_request,
)
from unknot.runners.mtr.slot_directory import SOCKET, SlotDirectory

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


Report = Callable[[MtrResult], None]

_SECONDS_TO_END = 10.0


def run_order(slot: SlotDirectory, tests: Sequence[str], report: Report) -> bool:
    """Reports the results of these tests, as mtr prints them, up to and without the first that crashed, timed out or
    has none: which test crashes is for the caller to find out by running again. Returns whether it came to the end.
    Raises RunnerError if mtr reports tests in another sequence than the order's, or cannot find ports."""
    with _short_directory(slot.vardir / "tmp", slot.account) as tmpdir:
        for build_thread in build_threads(slot.worker):
            words = mtr_words(slot.request, slot.vardir, build_thread, tmpdir)
            words.append(f"--skip-test-list={slot.passed_over}")
            if slot.request.server == EXTERN:
                words += ["--extern", f"socket={slot.directory / SOCKET}", "--extern", "user=root"]
            count, complaints = _try(slot, [*words, *tests], tests, report)
            if count or PORTS_TAKEN not in complaints:
                return count == len(tests)
    raise RunnerError(
        f"mtr found no free ports: {complaints.strip()[-500:]}",
        hint="check what else listens between ports 19000 and 32529",
        slug="no-free-ports",
    )


def _try(slot: SlotDirectory, words: Sequence[str], tests: Sequence[str], report: Report) -> tuple[int, str]:
    """How many were reported, and what mtr complained of: on a stream of its own, because it may break into a line."""
    more = {"MYSQLD_BOOTSTRAP": str(slot.stand_in)} if slot.stand_in.exists() else {}
    with tempfile.TemporaryFile() as complaints:
        mtr = subprocess.Popen(
            words,
            cwd=slot.test_directory,
            env=mtr_environment(slot.directory, more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            encoding="utf-8",
            errors="replace",
            **slot.account.popen,  # type: ignore[call-overload]
        )
        try:
            count = _parse(mtr, tests, report)
        finally:
            try:
                mtr.communicate(timeout=_SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                mtr.kill()
                mtr.wait()
        complaints.seek(0)
        text = complaints.read().decode(errors="replace")
    sys.stderr.write(text)
    return count, text


def _parse(mtr: "subprocess.Popen[str]", tests: Sequence[str], report: Report) -> int:
    """To its end, or to the first test that broke off. How many had a verdict."""
    assert mtr.stdout is not None
    count = 0
    began = time.monotonic()
    for one in parse_output(_echoed(mtr.stdout), frozenset(tests)):
        if one.broke_off:
            # The signal at which it stops its servers and ends.
            mtr.send_signal(signal.SIGINT)
            break
        _check_turn(one, count, tests)
        now = time.monotonic()
        # mtr does not say how long a test took that failed.
        report(dataclasses.replace(one, seconds=now - began) if one.outcome is Outcome.FAILED else one)
        count, began = count + 1, now
    return count


def _check_turn(one: MtrResult, count: int, tests: Sequence[str]) -> None:
    """Results of another order, or a test that prints what mtr prints, must not count."""
    expected = tests[count] if count < len(tests) else "no test"
    if one.test != expected:
        raise RunnerError(
            f"mtr reported {one.test} when it was the turn of {expected}",
            hint="see what it printed",
            slug="results-inconsistent",
        )


def _echoed(lines: IO[str]) -> Iterator[str]:
    """The reason of a crash may be anywhere in it."""
    for line in lines:
        sys.stdout.write(line)
        yield line


@contextlib.contextmanager
def _short_directory(wanted: Path, owner: ServerAccount) -> Iterator[Path | None]:
    """Where sockets are made: nothing if `wanted`, which mtr takes by itself, is short enough."""
    if len(str(wanted)) <= LONGEST_SOCKET:
        yield None
        return
    directory = Path(tempfile.mkdtemp(prefix="unknot-", dir="/tmp"))
    try:
        owner.own(directory)
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


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
