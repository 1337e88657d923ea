"""Where the imports of a pytest suite start, as its configuration says."""

import configparser
import tomllib
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

_INI = (("pytest.ini", "pytest"), (".pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest"))
_USUAL = "src"


def import_roots(read: Callable[[str], str | None]) -> tuple[str, ...]:
    """The directories of `pythonpath`, from the project's root, and `src`. `read` gives the text of a file of the
    project. A configuration that cannot be read says nothing; pytest complains about it."""
    named = [
        *_in_pyproject(read("pyproject.toml") or ""),
        *(one for file, table in _INI for one in _in_ini(read(file) or "", table)),
    ]
    return tuple(dict.fromkeys((*map(_plain, named), _USUAL)))


def _in_pyproject(text: str) -> list[str]:
    try:
        table: Any = tomllib.loads(text).get("tool", {}).get("pytest", {}).get("ini_options", {}).get("pythonpath", [])
    except (ValueError, AttributeError, RecursionError):
        return []
    if isinstance(table, str):
        return table.split()
    return [one for one in table if isinstance(one, str)] if isinstance(table, list) else []


def _in_ini(text: str, table: str) -> list[str]:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
        return parser.get(table, "pythonpath", fallback="").split()
    except configparser.Error:
        return []


def _plain(path: str) -> str:
    """
    >>> _plain("./tests/pages/")
    'tests/pages'
    """
    return PurePosixPath(path).as_posix()
