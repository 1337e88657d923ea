"""A real dask scheduler with real workers on loopback."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_START_SECONDS = 90.0
_TESTS = str(Path(__file__).parent)
_JOINED = "Registered to:"

_PROGRAM = "import sys; from dask.__main__ import main; sys.argv[0] = 'dask'; main()"


@dataclass
class Cluster:
    """`address` is what `--cluster` takes; `scheduler` and `workers` are processes to be killed at will."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def started_cluster(
    directory: Path, workers: int, *, threads: int = 1, python: str = sys.executable
) -> Iterator[Cluster]:
    """Ready when all workers have joined; all are gone in the end. Planted slots can be imported there."""
    file, log = directory / "scheduler.json", directory / "dask.log"
    common = ("--no-dashboard", "--host", "127.0.0.1")
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([_TESTS, os.environ.get("PYTHONPATH", "")])}
        with open(log, "ab") as out:
            process = subprocess.Popen(
                [python, "-c", _PROGRAM, *arguments, *common], env=environment, stdout=out, stderr=out
            )
        started.append(process)
        return process

    try:
        scheduler = start("scheduler", "--port", "0", "--dashboard-address", ":0", "--scheduler-file", str(file))
        _wait(file.exists, log)
        alone = ("--no-nanny", "--nthreads", str(threads), "--memory-limit", "0")
        held = [
            start(
                "worker", "--scheduler-file", str(file), *alone, "--local-directory", str(directory / f"dask-{number}")
            )
            for number in range(workers)
        ]
        _wait(lambda: log.read_text(encoding="utf-8").count(_JOINED) >= workers, log)
        yield Cluster(f"dask://file:{file}", scheduler, held)
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait()


def _wait(is_done: Callable[[], bool], log: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    while not is_done():
        assert time.monotonic() < until, log.read_text(encoding="utf-8")
        time.sleep(0.05)
