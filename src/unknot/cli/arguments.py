"""The command line before it is parsed: options of the configuration, old spellings, and unknown words."""

import argparse
import difflib
from collections.abc import Callable, Iterable, Sequence

from unknot.app.configuration import OWN_FILE, RENAMED_OPTIONS, TABLES, ProjectConfiguration
from unknot.model.errors import UsageError

_RENAMED_VERBS = {"suspects": "candidates"}
"""Accepted for one release, with a note, as are old names of options."""


class TypedOnly(argparse._StoreAction):
    """An option that the configuration does not set: there, its name means the option of another verb."""


def with_new_names(given: Sequence[str], note: Callable[[str], None]) -> list[str]:
    """The command line with old spellings replaced."""
    words = list(given)
    if words and words[0] in _RENAMED_VERBS:
        note(f"`unknot {words[0]}` is now `unknot {_RENAMED_VERBS[words[0]]}`")
        words[0] = _RENAMED_VERBS[words[0]]
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        new = RENAMED_OPTIONS.get(name.removeprefix("--")) if name.startswith("--") else None
        if new is not None:
            note(f"`{name}` is now `--{new}`")
            words[place] = f"--{new}{equals}{value}"
    return words


def with_configuration(
    parser: argparse.ArgumentParser, given: list[str], configuration: ProjectConfiguration
) -> list[str]:
    """The command line with the options of the configuration in front, so that what was typed wins.

    A key that no verb knows is an error; a key that another verb takes, or takes in another form, is ignored.
    """
    if not configuration.options or not given or given[0].startswith("-"):
        return given
    verbs = _verbs_of(parser)
    mine = verbs.get(given[0])
    if mine is None:
        return given
    takers: dict[str, list[argparse.Action]] = {}
    for verb in verbs.values():
        for name, action in _options_of(verb).items():
            takers.setdefault(name, []).append(action)
    words = []
    for key, value in configuration.options.items():
        if f"--{key}" not in takers:
            raise _unknown_key(configuration, key, value)
        if not any(_fits(action, value) for action in takers[f"--{key}"]):
            wanted = _expected(takers[f"--{key}"][0])
            hint = f"See `unknot {given[0]} --help`."
            raise UsageError(
                f"{configuration.where} {key} must be {wanted}, not {value!r}", hint=hint, slug="config-invalid-value"
            )
        words += _words(mine, key, value)
    return [given[0], *words, *given[1:]]


def unknown_words(parser: argparse.ArgumentParser, verb: str, unknown: Sequence[str]) -> UsageError:
    """argparse would point to the general help, which has no option of the verb."""
    options = _options_of(_verbs_of(parser)[verb])
    word = unknown[0].partition("=")[0]
    closest = _closest(word, options, cutoff=0.7) if word.startswith("-") else ""
    return UsageError(
        f"unrecognized arguments: {' '.join(unknown)}",
        hint=f"{closest}See `unknot {verb} --help`. Put options for pytest after `--`.",
        slug="option-unknown",
    )


def unknown_verb(word: str, verbs: Iterable[str]) -> UsageError:
    return UsageError(f"unknown verb: {word}", hint=f"{_closest(word, verbs)}See `unknot --help`.", slug="verb-unknown")


def _closest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The beginning of a hint that names the closest known word, if there is one."""
    near = difflib.get_close_matches(word, list(known), 1, cutoff)
    return f"Did you mean `{near[0]}`? " if near else ""


def verb_parser(parser: argparse.ArgumentParser, verb: str) -> argparse.ArgumentParser:
    return _verbs_of(parser)[verb]


def _verbs_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _options_of(verb: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Those that have a long name, by it."""
    return {name: action for action in verb._actions for name in action.option_strings if name.startswith("--")}


def _unknown_key(configuration: ProjectConfiguration, key: str, value: object) -> UsageError:
    hint = "Keys are the long options without their dashes, for example `timeout = 60`."
    if isinstance(value, dict):
        hint = f"{_closest(key, TABLES)}The tables are {', '.join(TABLES)}."
        if key == "tool" and configuration.path.name == OWN_FILE:
            hint = f"In {OWN_FILE} the names of tables do not start with `tool.unknot.`: write [command]."
    return UsageError(f"{configuration.where} has an unknown key: `{key}`", hint=hint, slug="config-unknown-key")


def _expected(action: argparse.Action) -> str:
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
    action = _options_of(verb).get(f"--{key}")
    if action is None or isinstance(action, TypedOnly) or not _fits(action, value):
        return []
    if isinstance(action, argparse.BooleanOptionalAction):
        return [f"--{key}" if value else f"--no-{key}"]
    if action.nargs == 0:
        return [f"--{key}"] if value else []
    if isinstance(value, list):
        return [f"--{key}={item}" for item in value]
    return [f"--{key}={value}"]
