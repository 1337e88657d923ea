"""Files whose change may change every test: pytest's options and the packages that are installed."""

import configparser
import tomllib
from fnmatch import fnmatch
from pathlib import PurePosixPath
from typing import Any

from unknot.coverage.project_files import CONFIGURATION

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
"""Tables and sections that no test depends on."""


def is_configuration(path: str) -> bool:
    """
    >>> is_configuration("requirements/requirements-dev.txt"), is_configuration("tests/data/config.toml")
    (True, False)
    """
    name = PurePosixPath(path).name
    return name in CONFIGURATION or any(fnmatch(name, pattern) for pattern in _PACKAGES)


def matters(path: str, before: str | None, after: str | None) -> bool:
    """Whether a change of this configuration file can matter to a test. It does unless both versions are known and
    say the same to everyone but to tools that check sources."""
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
