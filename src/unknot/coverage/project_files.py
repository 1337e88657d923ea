"""The files of a project as they are now."""

import hashlib
import importlib.metadata
import platform
from pathlib import Path

from unknot.coverage.source_text import decoded

_NOT_LISTED = frozenset({".git", ".hypothesis", ".pytest_cache", ".unknot", "__pycache__"})
"""Tools make these in any directory; whoever lists one is not surprised by them."""

CONFIGURATION = (
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
)
"""Where pytest finds its options."""


def source_now(root: Path, path: str) -> str | None:
    """The text; None if there is no such file."""
    try:
        return decoded((root / path).read_bytes())
    except (OSError, ValueError):
        return None


def digest_now(root: Path, path: str) -> str:
    """Of the content of a file, or of the names in a directory; empty if there is neither."""
    place = root / path
    try:
        if place.is_dir():
            names = sorted(entry.name for entry in place.iterdir() if entry.name not in _NOT_LISTED)
            return hashlib.sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()
        if not place.is_file():
            return ""
        with place.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""


def environment_now() -> tuple[str, ...]:
    """The interpreter and the installed packages, sorted. A package of the project's own, installed for editing, has
    a version too, but its code is seen by other means."""
    packages = {
        f"{name}=={distribution.version}"
        for distribution in importlib.metadata.distributions()
        if (name := distribution.metadata["Name"])
    }
    return (f"python=={platform.python_version()}", *sorted(packages, key=str.lower))
