"""Written into a planted suite as `state.py`: keys that tests leave for each other, in places of which the recorder
sees only the first: Python's memory, the memory of a C library, and files that child processes create and inspect.
"""

import ctypes
import os
import subprocess

LEFT_BY_CHILDREN = "left-"

done: set[str] = set()
dirty: set[str] = set()
_C = ctypes.CDLL(None)
_C.getenv.restype = ctypes.c_char_p
_HERE = os.path.dirname(os.path.abspath(__file__))


class _Library:
    """A set of keys in the C library's own environment, which `os.environ` does not see."""

    def __contains__(self, key: str) -> bool:
        return _C.getenv(b"KNOTTED_" + key.encode()) is not None

    def add(self, key: str) -> None:
        _C.setenv(b"KNOTTED_" + key.encode(), b"1", 1)

    def discard(self, key: str) -> None:
        _C.unsetenv(b"KNOTTED_" + key.encode())


class _Children:
    """A set of keys as files below the suite's directory. Only child processes touch them."""

    def __contains__(self, key: str) -> bool:
        return subprocess.run(["test", "-e", self._path(key)], check=False).returncode == 0

    def add(self, key: str) -> None:
        subprocess.run(["touch", self._path(key)], check=True)

    def discard(self, key: str) -> None:
        subprocess.run(["rm", "-f", self._path(key)], check=True)

    def _path(self, key: str) -> str:
        return os.path.join(_HERE, LEFT_BY_CHILDREN + key)


library = _Library()
children = _Children()
