"""Runs the programs that a reset needs, to their end."""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from unknot.model.errors import RunnerError
from unknot.runners.sut.commands import InstanceContext, wait_for

MOST_SECONDS = 600.0
"""A reset that takes longer has gone wrong: it would be no use."""

_STORY_BYTES = 4096
_PRINTED_BYTES = 64 * 1024 * 1024


def run_program(
    words: Sequence[str],
    context: InstanceContext,
    *,
    purpose: str,
    environment: Mapping[str, str] | None = None,
    read_from: Path | None = None,
    write_to: Path | None = None,
) -> str:
    """What it printed, if it succeeded. Otherwise a RunnerError with the purpose and the end of what it printed. It is
    given no terminal and no input but `read_from`. Cost: one process."""
    with contextlib.ExitStack() as stack:
        output: IO[bytes] = stack.enter_context(tempfile.TemporaryFile(dir=context.store))
        errors: IO[bytes] = stack.enter_context(tempfile.TemporaryFile(dir=context.store))
        try:
            process = subprocess.Popen(
                list(words),
                cwd=context.work,
                env={**context.environment, **(environment or {})},
                stdin=stack.enter_context(read_from.open("rb")) if read_from else subprocess.DEVNULL,
                stdout=stack.enter_context(write_to.open("wb")) if write_to else output,
                stderr=errors,
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            raise RunnerError(
                f"{purpose}: cannot start {words[0]!r}: {problem}",
                hint="install the program, or put it on PATH",
                slug="reset-failed",
            ) from problem
        status = wait_for(process, MOST_SECONDS)
        if status is None:
            raise RunnerError(
                f"{purpose}: {words[0]!r} did not end within {MOST_SECONDS:.0f} s",
                hint="see what it is waiting for",
                slug="reset-failed",
            )
        if status != 0:
            how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
            raise RunnerError(
                f"{purpose}: {words[0]!r} {how}{_end_of(errors) or _end_of(output)}",
                hint="the state is unknown now; run the command by hand to see more",
                slug="reset-failed",
            )
        output.seek(0)
        return output.read(_PRINTED_BYTES).decode(errors="replace")


def _end_of(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - _STORY_BYTES))
    text = output.read().decode(errors="replace").strip()
    return f": {text}" if text else ""
