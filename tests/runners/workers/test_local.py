"""Worker processes of this machine: a real Executor whose workers survive each other."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest
from process_life import is_running, wait_until

from unknot.model.errors import CollectionError, ExitCode, RunnerError
from unknot.runners.workers.local import LocalExecutor

_CALLER = """
import os, sys, time
from unknot.runners.workers.local import LocalExecutor
executor = LocalExecutor(2)
print(*[executor.submit(os.getpid).result()], flush=True)
time.sleep(1000)
"""


@pytest.fixture
def executor() -> Iterator[LocalExecutor]:
    made = LocalExecutor(2)
    yield made
    made.shutdown(cancel_futures=True)


def fail_with_hint() -> None:
    raise RunnerError("it broke", slug="worker-failed", hint="mend it")


def fail_to_collect() -> None:
    raise CollectionError("no", slug="collection-failed", hint="yes", exit_code=ExitCode.USAGE)


class Awkward(Exception):
    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} and {other}")


def fail_awkwardly() -> None:
    raise Awkward("this", "that")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def take_hold(file: str) -> None:
    Path(file).write_text(str(os.getpid()), encoding="utf-8")
    time.sleep(1000)


def test_jobs_are_done_in_other_processes_and_no_more_than_requested(executor: LocalExecutor) -> None:
    pids = {executor.submit(os.getpid).result() for _ in range(5)}
    pids |= {future.result() for future in [executor.submit(os.getpid) for _ in range(20)]}
    assert os.getpid() not in pids
    assert 1 <= len(pids) <= 2


def test_no_process_is_started_before_it_is_needed(executor: LocalExecutor) -> None:
    first = executor.submit(os.getpid).result()
    assert executor.submit(os.getpid).result() == first


def test_our_errors_come_back_as_they_are(executor: LocalExecutor) -> None:
    error = executor.submit(fail_with_hint).exception()
    assert isinstance(error, RunnerError)
    assert (error.message, error.hint) == ("it broke", "mend it")
    other = executor.submit(fail_to_collect).exception()
    assert isinstance(other, CollectionError)
    assert (other.message, other.hint, other.exit_code) == ("no", "yes", ExitCode.USAGE)


def test_an_error_that_cannot_be_sent_is_reported_in_words(executor: LocalExecutor) -> None:
    error = executor.submit(fail_awkwardly).exception()
    assert "this and that" in str(error)
    assert executor.submit(os.getpid).result()


def test_a_dead_worker_fails_its_own_job_only(executor: LocalExecutor, tmp_path: Path) -> None:
    file = tmp_path / "held"
    held = executor.submit(take_hold, str(file))
    with pytest.raises(BrokenProcessPool, match="status -9"):
        executor.submit(die).result()
    assert executor.submit(os.getpid).result()
    assert not held.done()


def test_a_shutdown_that_waits_is_broken_off_by_another(tmp_path: Path) -> None:
    executor = LocalExecutor(1)
    busy = executor.submit(take_hold, str(tmp_path / "held"))
    wait_until((tmp_path / "held").exists)
    waiting = threading.Thread(target=executor.shutdown)
    waiting.start()
    wait_until(lambda: executor._is_closed)
    executor.shutdown(cancel_futures=True)
    waiting.join(20)
    assert not waiting.is_alive()
    assert isinstance(busy.exception(), BrokenProcessPool)


def test_a_worker_killed_while_idle_is_replaced(executor: LocalExecutor) -> None:
    first = executor.submit(os.getpid).result()
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not is_running(first))
    second = executor.submit(os.getpid)
    # Nobody can tell before the job is sent; the one after that has a new process.
    assert isinstance(second.exception(), BrokenProcessPool)
    assert executor.submit(os.getpid).result() != first


def test_a_shutdown_breaks_off_what_runs_and_cancels_what_waits(tmp_path: Path) -> None:
    executor = LocalExecutor(1)
    file = tmp_path / "held"
    held, waiting = executor.submit(take_hold, str(file)), executor.submit(os.getpid)
    wait_until(lambda: file.exists() and bool(file.read_text(encoding="utf-8")))
    executor.shutdown(cancel_futures=True)
    assert not is_running(int(file.read_text(encoding="utf-8")))
    assert isinstance(held.exception(), BrokenProcessPool)
    with pytest.raises(CancelledError):
        waiting.result()
    with pytest.raises(RuntimeError, match="after shutdown"):
        executor.submit(os.getpid)


def test_a_gentle_shutdown_lets_jobs_end() -> None:
    executor = LocalExecutor(2)
    futures = [executor.submit(time.sleep, 0.05) for _ in range(6)]
    executor.shutdown()
    assert not wait(futures, timeout=0).not_done
    assert all(future.exception() is None for future in futures)


def test_a_stopped_worker_does_not_hinder_a_shutdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unknot.runners.workers.local._CLOSING_SECONDS", 0.5)
    executor = LocalExecutor(1)
    process = executor.submit(os.getpid).result()
    os.kill(process, signal.SIGSTOP)
    executor.shutdown(cancel_futures=True)
    assert not is_running(process)


def test_workers_die_with_a_killed_caller() -> None:
    with subprocess.Popen([sys.executable, "-c", _CALLER], stdout=subprocess.PIPE) as caller:
        assert caller.stdout is not None
        worker = int(caller.stdout.readline())
        assert is_running(worker)
        caller.kill()
    wait_until(lambda: not is_running(worker))
