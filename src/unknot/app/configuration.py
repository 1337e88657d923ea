"""The configuration of a project: `[tool.unknot]` in pyproject.toml, or unknot.toml. Keys have the names of the
options; tables describe suites that are not pytest's, and the system under test."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unknot.model.errors import UsageError
from unknot.runners.sandbox.working_copy import project_root

PYTEST = "pytest"
COMMAND = "command"
JUNIT = "junit"
MTR = "mtr"
_DESCRIBED = (COMMAND, JUNIT, MTR)

TABLES = (COMMAND, "instance", JUNIT, MTR)
"""Keys that are tables, not options."""

RENAMED_OPTIONS = {"anew": "full", "forget": "no-cache", "maker": "planner", "suspects": "hints"}
"""Old names, accepted for one release with a note."""

OWN_FILE = "unknot.toml"
_SHARED_FILE = "pyproject.toml"


@dataclass(frozen=True)
class ProjectConfiguration:
    """`options` are by name without dashes. `where` is how errors name the place of a key."""

    path: Path
    where: str
    options: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    def place_of(self, table: str) -> str:
        """How errors name one of the tables."""
        return f"{self.path}: [{table}]" if self.path.name == OWN_FILE else f"{self.path}: [tool.unknot.{table}]"


def read_configuration(directory: Path) -> ProjectConfiguration:
    """Of the project that the directory belongs to; empty if it has none. Raises UsageError."""
    root = project_root(directory)
    shared = _shared_table(root / _SHARED_FILE)
    if not (root / OWN_FILE).exists():
        return _configuration(root / _SHARED_FILE, f"{root / _SHARED_FILE}: [tool.unknot]", shared)
    if shared:
        raise UsageError(
            f"{root} has both {OWN_FILE} and [tool.unknot] in {_SHARED_FILE}",
            hint="Keep only one of the two.",
            slug="config-ambiguous",
        )
    return _configuration(root / OWN_FILE, f"{root / OWN_FILE}:", _document(root / OWN_FILE))


def with_new_option_names(configuration: ProjectConfiguration, note: Callable[[str], None]) -> ProjectConfiguration:
    """The configuration with old names of options replaced; each is noted."""
    options = {}
    for key, value in configuration.options.items():
        new = RENAMED_OPTIONS.get(key, key)
        if new != key:
            note(f"{configuration.where} `{key}` is now `{new}`")
        options[new] = value
    return replace(configuration, options=options)


def _configuration(path: Path, where: str, table: Mapping[str, Any]) -> ProjectConfiguration:
    tables = {key: value for key, value in table.items() if key in TABLES}
    for key, value in tables.items():
        if not isinstance(value, dict):
            hint = "See the examples in docs/reference/command.md."
            raise UsageError(f"{where} {key} must be a table, not {value!r}", hint=hint, slug="config-invalid-value")
    options = {key: value for key, value in table.items() if key not in TABLES}
    return ProjectConfiguration(path, where, options, tables)


def _shared_table(path: Path) -> dict[str, Any]:
    tools = _document(path).get("tool", {})
    if not isinstance(tools, dict):
        raise UsageError(
            f"{path}: tool must be a table, not {tools!r}",
            hint="tools have tables such as [tool.unknot]",
            slug="config-invalid-value",
        )
    table = tools.get("unknot", {})
    if not isinstance(table, dict):
        raise UsageError(
            f"{path}: tool.unknot must be a table",
            hint="write `[tool.unknot]` and one option a line",
            slug="config-invalid-value",
        )
    return table


def _document(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    # A number of thousands of digits is another ValueError; thousands of brackets are too deep for the parser.
    except (OSError, ValueError, RecursionError) as problem:
        hint = "correct it" if path.name == OWN_FILE else "correct it; pytest needs it too"
        raise UsageError(f"{path} cannot be read: {problem}", hint=hint, slug="config-unreadable") from problem


def suite_kind(configuration: ProjectConfiguration, runner: str = "auto") -> str:
    """What the runner says, else what the configuration describes, else pytest."""
    if runner in ("fork", "fresh"):
        return PYTEST
    if runner in _DESCRIBED:
        return runner
    described = [kind for kind in _DESCRIBED if kind in configuration.tables]
    if len(described) > 1:
        raise UsageError(
            f"{configuration.path} describes more than one suite: {', '.join(described)}",
            hint=f"Choose one with the option `runner`, for example `{described[0]}`.",
            slug="config-ambiguous",
        )
    return described[0] if described else PYTEST


def require_pytest(configuration: ProjectConfiguration, operation: str, runner: str = "auto") -> None:
    """Raises UsageError for a suite that is not pytest's."""
    if (kind := suite_kind(configuration, runner)) != PYTEST:
        raise UsageError(
            f"`{operation}` is for pytest suites, and this one is run by {kind}",
            hint="See docs/limits.md.",
            slug="pytest-only",
        )
