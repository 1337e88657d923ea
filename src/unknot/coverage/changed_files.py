"""What changed in a project since it was measured, file by file; and which files can affect every test."""

import configparser
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import PurePosixPath
from typing import Any

from unknot.coverage.blocks import SourceChange, source_change
from unknot.coverage.project_files import CONFIGURATION


@dataclass(frozen=True)
class FileChange:
    """`source` is what changed in a Python file that was measured. `is_new` marks one that was not measured, because it
    did not exist or no test ran it. `is_configuration` marks a change that can affect all tests. The rest is data."""

    source: SourceChange | None = None
    is_new: bool = False
    is_configuration: bool = False


@dataclass(frozen=True)
class Versions:
    """Versions of one file. `measured` is the version that was measured, `now` the working tree, `then` the given
    revision, which counts only if `is_different_then`. None if the file did not exist."""

    measured: str | None
    now: str | None
    then: str | None = None
    is_different_then: bool = False
    is_named: bool = False


def file_change(path: str, versions_of: Callable[[str], Versions]) -> FileChange | None:
    """None if the change cannot affect any test. A file that is neither Python nor configuration counts as changed."""
    if is_configuration(path):
        return _configuration_change(path, versions_of(path))
    return _python_change(versions_of(path)) if path.endswith(".py") else FileChange()


def _python_change(versions: Versions) -> FileChange | None:
    """A difference from the revision counts like one from the working tree: the coverage may be newer than one change
    and older than another."""
    measured = versions.measured
    if measured is None:
        return None if versions.now is None else FileChange(is_new=True)
    change = _difference(measured, versions.now, "it was deleted")
    if versions.is_different_then:
        change |= _difference(measured, versions.then, "it is new")
    if versions.is_named and versions.now == measured and not change:
        change = SourceChange(whole="named as changed, but no difference was found")
    return FileChange(change) if change else None


def _difference(measured: str, other: str | None, if_missing: str) -> SourceChange:
    return SourceChange(whole=if_missing) if other is None else source_change(measured, other)


def _configuration_change(path: str, versions: Versions) -> FileChange | None:
    different = is_relevant_change(path, versions.measured, versions.now)
    if versions.is_different_then:
        different = different or is_relevant_change(path, versions.then, versions.now)
    return FileChange(is_configuration=True) if different or versions.is_named else None


_PACKAGES = (
    "requirements*.txt",
    "requirements*.in",
    "constraints*.txt",
    "Pipfile",
    "Pipfile.lock",
    "poetry.lock",
    "pdm.lock",
    "uv.lock",
    "pixi.lock",
    "pylock*.toml",
    "environment*.y*ml",
    "setup.py",
    ".python-version",
)

_OF_OTHER_TOOLS = frozenset(
    {
        *("autopep8", "bandit", "black", "bumpversion", "check-manifest", "codespell", "commitizen", "coverage", "cov"),
        *("flake8", "importlinter", "isort", "mypy", "pycodestyle", "pydocstyle", "pylint", "pyright", "pyupgrade"),
        *("ruff", "towncrier", "unknot", "vulture", "yapf"),
    }
)
"""Tables and sections that cannot affect a test."""


def is_configuration(path: str) -> bool:
    """
    >>> is_configuration("requirements/requirements-dev.txt"), is_configuration("tests/data/config.toml")
    (True, False)
    """
    name = PurePosixPath(path).name
    return name in CONFIGURATION or any(fnmatch(name, pattern) for pattern in _PACKAGES)


def is_relevant_change(path: str, before: str | None, after: str | None) -> bool:
    """Whether a change of this configuration file can affect a test. It can, unless both versions are known and differ
    only in the settings of linters and similar tools."""
    if before is None or after is None:
        return before != after
    name = PurePosixPath(path).name
    try:
        if name == "pyproject.toml":
            return _without_other_tools(tomllib.loads(before)) != _without_other_tools(tomllib.loads(after))
        if name in ("setup.cfg", "tox.ini"):
            return _sections(before) != _sections(after)
    except (tomllib.TOMLDecodeError, configparser.Error):
        return True
    return before.split() != after.split()


def _without_other_tools(document: dict[str, Any]) -> dict[str, Any]:
    tools = document.get("tool", {})
    if not isinstance(tools, dict):
        return document
    return {**document, "tool": {name: table for name, table in tools.items() if name not in _OF_OTHER_TOOLS}}


def _sections(text: str) -> dict[str, dict[str, str]]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    return {
        name: dict(section)
        for name, section in parser.items()
        if name.partition(":")[0].partition("-")[0] not in _OF_OTHER_TOOLS
    }
