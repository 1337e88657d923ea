"""A plain pytest in the project's own directory, with the terminal: for what only one process can do."""

import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence

from unknot.runners.settings import Settings


def run_plain(
    settings: Settings, more_options: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> int:
    """pytest's exit code. Ctrl-C is pytest's."""
    safe_path = [] if settings.python_m else ["-P"]
    words = [settings.python, *safe_path, "-m", "pytest", *more_options, *settings.options, *settings.paths]
    sys.stdout.flush()
    sys.stderr.flush()
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        return subprocess.call(words, cwd=settings.directory, env=environment)
    finally:
        signal.signal(signal.SIGINT, before)
