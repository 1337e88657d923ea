"""Finds another version of Python: on the path, or among those of pyenv."""

import shutil
import subprocess
from collections.abc import Iterator

_PROBE = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"


def find_python(version: str) -> str | None:
    """The path of an interpreter of this version (`3.9`), or None. A shim that leads nowhere does not count."""
    for candidate in _candidates(version):
        words = _output(candidate, "-c", _PROBE).split(maxsplit=1)
        if len(words) == 2 and words[0] == version:
            return words[1].strip()
    return None


def _candidates(version: str) -> Iterator[str]:
    if found := shutil.which(f"python{version}"):
        yield found
    for installed in _output("pyenv", "versions", "--bare").split():
        if installed.startswith(f"{version}."):
            prefix = _output("pyenv", "prefix", installed).strip()
            if prefix:
                yield f"{prefix}/bin/python"


def _output(*command: str) -> str:
    """Empty if it cannot be run or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""
