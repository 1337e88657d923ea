"""A disk that is soon full."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(directory: Path, options: str) -> Iterator[Path]:
    """A file system in memory at this new directory, with these options of tmpfs. Skips where nobody may mount one."""
    directory.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(directory)]
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except OSError:
        pytest.skip("there is no mount")
    if done.returncode != 0:
        pytest.skip("may not mount a small disk here")
    try:
        yield directory
    finally:
        subprocess.run(["umount", "-l", str(directory)], check=False)
