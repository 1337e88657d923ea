"""`[tool.unknot]` in pyproject.toml, or unknot.toml: the same names as the options, and tables about the suite."""

import argparse
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unknot.cli.known_options import nearest, options_of, verbs_of
from unknot.model.errors import UsageError
from unknot.runners.sandbox.workdir import project_root
from unknot.runners.sut.spec import InstanceSpec

# Which kind of suite this is: pytest's, or one that the configuration describes.
PYTEST = "pytest"
COMMAND = "command"
JUNIT = "junit"
MTR = "mtr"
_DESCRIBED = (COMMAND, JUNIT, MTR)


def kind_of(options: argparse.Namespace) -> str:
    """What was asked for by `--runner`, if the verb has it, else what the configuration describes, else pytest."""
    configuration: Configuration = options.configuration
    asked = getattr(options, "runner", "auto")
    if asked in ("fork", "fresh"):
        return PYTEST
    if asked in _DESCRIBED:
        return str(asked)
    described = [kind for kind in _DESCRIBED if kind in configuration.tables]
    if len(described) > 1:
        raise UsageError(
            f"{configuration.path} describes more than one suite: {', '.join(described)}",
            hint=f"say which, for example `--runner {described[0]}`",
        )
    return described[0] if described else PYTEST


def only_pytest(options: argparse.Namespace, verb: str) -> None:
    """Raises UsageError for a suite that is not pytest's."""
    if (kind := kind_of(options)) != PYTEST:
        raise UsageError(f"`{verb}` is for pytest suites, and this one is run by {kind}", hint="see docs/limits.md")


def instance_of(options: argparse.Namespace) -> InstanceSpec | None:
    """The system under test that each worker has a copy of, if the configuration describes one."""
    configuration: Configuration = options.configuration
    table = configuration.tables.get("instance")
    if table is None:
        return None
    from unknot.runners.sut.configured import instance_spec

    return instance_spec(table, configuration.place_of("instance"))


TABLES = ("command", "instance", "junit", "mtr")
"""Not options: they say how a suite is run that is not pytest's."""

_OWN = "unknot.toml"
_SHARED = "pyproject.toml"


@dataclass(frozen=True)
class Configuration:
    """`options` are by name without dashes. `where` is how errors name the place of a key."""

    path: Path
    where: str
    options: Mapping[str, Any] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    def place_of(self, table: str) -> str:
        """How errors name one of the tables."""
        return f"{self.path}: [{table}]" if self.path.name == _OWN else f"{self.path}: [tool.unknot.{table}]"


def configured() -> Configuration:
    """Of the project that the current directory belongs to; empty if it has none. Raises UsageError."""
    root = project_root(Path.cwd())
    shared = _shared_table(root / _SHARED)
    if not (root / _OWN).exists():
        return _configuration(root / _SHARED, f"{root / _SHARED}: [tool.unknot]", shared)
    if shared:
        raise UsageError(
            f"{root} has both {_OWN} and [tool.unknot] in {_SHARED}", hint="keep one of them: which would win?"
        )
    return _configuration(root / _OWN, f"{root / _OWN}:", _document(root / _OWN))


def _configuration(path: Path, where: str, table: Mapping[str, Any]) -> Configuration:
    tables = {key: value for key, value in table.items() if key in TABLES}
    for key, value in tables.items():
        if not isinstance(value, dict):
            hint = "docs/reference/command.md has examples"
            raise UsageError(f"{where} {key} must be a table, not {value!r}", hint=hint)
    options = {key: value for key, value in table.items() if key not in TABLES}
    return Configuration(path, where, options, tables)


def with_configuration(parser: argparse.ArgumentParser, given: list[str], configuration: Configuration) -> list[str]:
    """The command line with what the configuration says put in front, so that what was typed wins.

    A key that no verb knows is an error; a key that another verb takes, or takes in another form, is passed over.
    """
    if not configuration.options or not given or given[0].startswith("-"):
        return given
    verbs = verbs_of(parser)
    mine = verbs.get(given[0])
    if mine is None:
        return given
    takers: dict[str, list[argparse.Action]] = {}
    for verb in verbs.values():
        for name, action in options_of(verb).items():
            takers.setdefault(name, []).append(action)
    typed = []
    for key, value in configuration.options.items():
        if f"--{key}" not in takers:
            raise _unknown(configuration, key, value)
        if not any(_fits(action, value) for action in takers[f"--{key}"]):
            wanted = _wanted(takers[f"--{key}"][0])
            hint = f"`unknot {given[0]} --help` says what each option takes"
            raise UsageError(f"{configuration.where} {key} must be {wanted}, not {value!r}", hint=hint)
        typed += _words(mine, key, value)
    return [given[0], *typed, *given[1:]]


def _unknown(configuration: Configuration, key: str, value: object) -> UsageError:
    hint = "keys are the long options without their dashes, for example `timeout = 60`"
    if isinstance(value, dict):
        hint = f"{nearest(key, TABLES)}there are the tables {', '.join(TABLES)}"
        if key == "tool" and configuration.path.name == _OWN:
            hint = f"in {_OWN} the names of tables have no `tool.unknot.` in front: write [command]"
    return UsageError(f"{configuration.where} has a key that unknot does not know: `{key}`", hint=hint)


def _shared_table(path: Path) -> dict[str, Any]:
    tools = _document(path).get("tool", {})
    if not isinstance(tools, dict):
        raise UsageError(f"{path}: tool must be a table, not {tools!r}", hint="tools have tables such as [tool.unknot]")
    table = tools.get("unknot", {})
    if not isinstance(table, dict):
        raise UsageError(f"{path}: tool.unknot must be a table", hint="write `[tool.unknot]` and one option a line")
    return table


def _document(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    # A number of thousands of digits is another ValueError; thousands of brackets are too deep for the parser.
    except (OSError, ValueError, RecursionError) as problem:
        hint = "correct it" if path.name == _OWN else "correct it; pytest needs it too"
        raise UsageError(f"{path} cannot be read: {problem}", hint=hint) from problem


def _wanted(action: argparse.Action) -> str:
    if _takes_list(action):
        return "a text or a list of texts"
    return "true or false" if action.nargs == 0 else "text or a number"


def _takes_list(action: argparse.Action) -> bool:
    """Whether it may be given several times."""
    return isinstance(action, argparse._AppendAction)


def _fits(action: argparse.Action, value: object) -> bool:
    if action.nargs == 0:
        return isinstance(value, bool)
    if isinstance(value, list):
        return _takes_list(action) and all(isinstance(item, str) for item in value)
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _words(verb: argparse.ArgumentParser, key: str, value: object) -> list[str]:
    action = options_of(verb).get(f"--{key}")
    if action is None or not _fits(action, value):
        return []
    if isinstance(action, argparse.BooleanOptionalAction):
        return [f"--{key}" if value else f"--no-{key}"]
    if action.nargs == 0:
        return [f"--{key}"] if value else []
    if isinstance(value, list):
        return [f"--{key}={item}" for item in value]
    return [f"--{key}={value}"]
