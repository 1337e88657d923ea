"""`[tool.unknot]` in pyproject.toml: the same names as the options."""

import argparse
import tomllib
from pathlib import Path
from typing import Any

from unknot.model.errors import UsageError
from unknot.run.workdir import project_root


def configured() -> dict[str, Any]:
    """The table of the project that the current directory belongs to; empty if there is none. Raises UsageError."""
    return _read(_path())


def with_configuration(parser: argparse.ArgumentParser, given: list[str], table: dict[str, Any]) -> list[str]:
    """The command line with what the configuration says put in front, so that what was typed wins.

    A key that no verb knows is an error; a key that another verb takes, or takes in another form, is passed over.
    """
    if not table or not given or given[0].startswith("-"):
        return given
    verbs = _verbs(parser)
    mine = verbs.get(given[0])
    if mine is None:
        return given
    takers: dict[str, list[argparse.Action]] = {}
    for verb in verbs.values():
        for name, action in _options(verb).items():
            takers.setdefault(name, []).append(action)
    typed = []
    for key, value in table.items():
        if f"--{key}" not in takers:
            raise UsageError(
                f"{_path()}: [tool.unknot] has a key that unknot does not know: `{key}`",
                hint="keys are the long options without their dashes, for example `timeout = 60`",
            )
        if not any(_fits(action, value) for action in takers[f"--{key}"]):
            wanted = "true or false" if takers[f"--{key}"][0].nargs == 0 else "text or a number"
            raise UsageError(f"{_path()}: [tool.unknot] {key} must be {wanted}, not {value!r}")
        typed += _words(mine, key, value)
    return [given[0], *typed, *given[1:]]


def _path() -> Path:
    return project_root(Path.cwd()) / "pyproject.toml"


def _read(path: Path) -> dict[str, Any]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise UsageError(f"{path} cannot be read: {problem}", hint="correct it; pytest needs it too") from problem
    table = document.get("tool", {}).get("unknot", {})
    if not isinstance(table, dict):
        raise UsageError(f"{path}: tool.unknot must be a table", hint="write `[tool.unknot]` and one option a line")
    return table


def _verbs(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _options(verb: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    return {name: action for action in verb._actions for name in action.option_strings if name.startswith("--")}


def _fits(action: argparse.Action, value: object) -> bool:
    if action.nargs == 0:
        return isinstance(value, bool)
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _words(verb: argparse.ArgumentParser, key: str, value: object) -> list[str]:
    action = _options(verb).get(f"--{key}")
    if action is None or not _fits(action, value):
        return []
    if isinstance(action, argparse.BooleanOptionalAction):
        return [f"--{key}" if value else f"--no-{key}"]
    if action.nargs == 0:
        return [f"--{key}"] if value else []
    return [f"--{key}={value}"]
