"""`[tool.unknot]` in pyproject.toml: the same names as the options."""

import argparse
import tomllib
from pathlib import Path
from typing import Any

from unknot.model.errors import UsageError
from unknot.run.workdir import project_root


def with_configuration(parser: argparse.ArgumentParser, given: list[str]) -> list[str]:
    """The command line with what the configuration says put in front, so that what was typed wins.

    A key that no verb knows is an error; a key that another verb takes is passed over.
    """
    path = project_root(Path.cwd()) / "pyproject.toml"
    table = _read(path)
    if not table or not given or given[0].startswith("-"):
        return given
    verbs = _verbs(parser)
    mine = verbs.get(given[0])
    if mine is None:
        return given
    known = {name for verb in verbs.values() for name in _options(verb)}
    for key in table:
        if f"--{key}" not in known:
            raise UsageError(
                f"{path}: [tool.unknot] has a key that unknot does not know: `{key}`",
                hint="keys are the long options without their dashes, for example `timeout = 60`",
            )
    typed = [word for key, value in table.items() for word in _words(mine, path, key, value)]
    return [given[0], *typed, *given[1:]]


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


def _words(verb: argparse.ArgumentParser, path: Path, key: str, value: object) -> list[str]:
    action = _options(verb).get(f"--{key}")
    if action is None:
        return []
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise UsageError(f"{path}: [tool.unknot] {key} must be true or false, not {value!r}")
        return [f"--{key}"] if value else []
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UsageError(f"{path}: [tool.unknot] {key} must be text or a number, not {value!r}")
    return [f"--{key}={value}"]
