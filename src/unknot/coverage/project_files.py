"""The present files and environment of a project."""

import hashlib
import importlib.metadata
import io
import platform
import tokenize
from pathlib import Path

_NOT_LISTED = frozenset({".git", ".hypothesis", ".pytest_cache", ".unknot", "__pycache__"})
"""Tools create these in any directory; they do not change the result of listing it."""

CONFIGURATION = (
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
)
"""Files in which pytest looks for its options."""


def source_now(root: Path, path: str) -> str | None:
    """The text of a source file; None if it does not exist."""
    try:
        return decode_source((root / path).read_bytes())
    except (OSError, ValueError):
        return None


def digest_now(root: Path, path: str) -> str:
    """The digest of the content of a file, or of the names in a directory; empty if neither exists."""
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
    """The interpreter and the installed packages, sorted. The version of an editable install counts too; its code is
    compared separately."""
    packages = {
        f"{name}=={distribution.version}"
        for distribution in importlib.metadata.distributions()
        if (name := distribution.metadata["Name"])
    }
    return (f"python=={platform.python_version()}", *sorted(packages, key=str.lower))


def decode_source(data: bytes) -> str:
    """The text of a source file as Python reads it, with line ends normalised. Bytes that cannot be decoded are kept,
    one character each, followed by an open quote: the text does not parse, just as Python cannot read the file."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        text = data.decode("latin-1") + "\n'"
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", " ")
