"""Commands of an instance that are waited for: prepare, stop, a check."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sut.log import Log
from unknot.runners.sut.paths import told


@dataclass(frozen=True)
class CommandContext:
    """Where commands of an instance run, with what environment, and where their output goes."""

    work: Path
    environment: Mapping[str, str]
    log: Log


def start(words: Sequence[str], around: CommandContext) -> subprocess.Popen[bytes]:
    """In a session of its own, so that Ctrl-C does not reach it and all of it can be ended. Raises RunnerError if there
    is no such program. Never a shell."""
    with told(around.log.path):
        output = around.log.opened()
    try:
        return subprocess.Popen(
            list(words),
            cwd=around.work,
            env=dict(around.environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as problem:
        raise RunnerError(
            f"cannot run `{words[0]}` for the instance: {_reason(problem)}",
            hint="install it, or correct the command in the configuration of the instance; it runs in the project's"
            " working copy, without a shell",
        ) from problem
    finally:
        output.close()


def finish(words: Sequence[str], around: CommandContext, *, seconds: float) -> int | None:
    """Runs it to its end and returns its exit status; None if it took too long and was killed. What it has left in
    the background lives on."""
    process = start(words, around)
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            kill_group(process.pid)
            process.wait()


def kill_group(leader: int, number: signal.Signals = signal.SIGKILL) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _reason(problem: OSError | ValueError) -> str:
    if isinstance(problem, FileNotFoundError):
        return "there is no such program"
    return getattr(problem, "strerror", None) or str(problem)
