"""One order, run by mtr."""

import contextlib
import dataclasses
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.runners.mtr.account import ServerAccount
from unknot.runners.mtr.output import MtrResult, parse_output
from unknot.runners.mtr.request import EXTERN, LONGEST_SOCKET, PORTS_TAKEN, build_threads, mtr_environment, mtr_words
from unknot.runners.mtr.slot_directory import SOCKET, SlotDirectory

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
