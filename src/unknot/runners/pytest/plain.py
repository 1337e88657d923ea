"""A plain pytest in the project's own directory, with the terminal: for what only one process can do."""

import signal
import subprocess
from collections.abc import Sequence

from unknot.runners.settings import Settings


def run_plain(settings: Settings, more_options: Sequence[str] = ()) -> int:
    """pytest's exit code. Ctrl-C is pytest's."""
    safe_path = [] if settings.python_m else ["-P"]
    words = [settings.python, *safe_path, "-m", "pytest", *more_options, *settings.options, *settings.paths]
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        return subprocess.call(words, cwd=settings.directory)
    finally:
        signal.signal(signal.SIGINT, before)
