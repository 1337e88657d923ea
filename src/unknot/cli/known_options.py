"""What a parser knows: its verbs, their options; and what to say of a word that is none of them."""

import argparse
import difflib
from collections.abc import Iterable, Sequence

from unknot.model.errors import UsageError


def verbs_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def options_of(verb: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Those that have a long name, by it."""
    return {name: action for action in verb._actions for name in action.option_strings if name.startswith("--")}


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The beginning of a hint that names the known word which is most like this one, if one is."""
    near = difflib.get_close_matches(word, list(known), 1, cutoff)
    return f"did you mean `{near[0]}`? " if near else ""


def unknown_words(parser: argparse.ArgumentParser, verb: str, unknown: Sequence[str]) -> UsageError:
    """argparse would point to the help of the whole, which has no option of the verb."""
    options = options_of(verbs_of(parser)[verb])
    word = unknown[0].partition("=")[0]
    meant = nearest(word, options, cutoff=0.7) if word.startswith("-") else ""
    return UsageError(
        f"unrecognized arguments: {' '.join(unknown)}",
        hint=f"{meant}`unknot {verb} --help` lists what there is; options for pytest go after `--`",
    )
