"""Work in a child process that ends with its time."""

import os
import signal
import subprocess
import sys
import time

import pytest

from unknot.app.candidates.suite_code import within


def test_what_the_work_gives_comes_back() -> None:
    big = {"text": "x" * 1_000_000}

    assert within(60, lambda: big) == big


def test_work_that_never_ends_is_ended() -> None:
    assert within(0.2, lambda: time.sleep(3600)) is None


def test_work_that_takes_its_process_down_gives_nothing() -> None:
    assert within(60, lambda: os._exit(3)) is None


def test_an_interruption_is_the_callers_alone() -> None:
    code = """
import time
from unknot.app.candidates.suite_code import within

def work():
    print("at work", flush=True)
    time.sleep(60)

try:
    within(60, work)
except KeyboardInterrupt:
    print("stopped")
"""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "at work\n"
        os.killpg(started.pid, signal.SIGINT)
        assert started.communicate() == ("stopped\n", "")


def test_work_that_raises_gives_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert within(60, lambda: 1 / 0) is None
    assert "ZeroDivisionError" in capfd.readouterr().err
