"""Options of pytest between those of a verb: `unknot run -n 2 -x -k cart`."""

import argparse
import difflib
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from unknot.model.errors import UsageError

if TYPE_CHECKING:
    from unknot.runners.pytest.command_line import PytestOptions

_LETTERS_WITH_VALUE = frozenset("kmrcpoW")
"""Of pytest's own options of one letter, which are the same in all versions. Capital letters are free for plugins."""


def split_words(verb: argparse.ArgumentParser, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Those of the verb, with the paths, and those of pytest. An option that both know is the verb's. One that neither
    knows is pytest's, because a conftest.py may add it, unless it looks like a mistyped one of the verb's: then it
    raises UsageError. Cost: pytest is imported for a long option that a word follows, or that looks mistyped."""
    ours: list[str] = []
    pytests: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        action = _action(verb, word)
        if action is not None or not word.startswith("-") or word == "-":
            ours.append(word)
            if action is not None and _takes_next(action, word) and rest:
                ours.append(rest.pop(0))
            continue
        _check_not_mistyped(verb, word)
        pytests.append(word)
        if rest and not rest[0].startswith("-") and _pytest_takes_next(word):
            pytests.append(rest.pop(0))
    return ours, pytests


def _action(verb: argparse.ArgumentParser, word: str) -> argparse.Action | None:
    options = verb._option_string_actions
    if word.startswith("--"):
        return options.get(word.partition("=")[0])
    # `-n4` is `-n 4`; flags of one letter can be joined only with those of pytest.
    action = options.get(word[:2]) if word.startswith("-") else None
    return action if action is None or len(word) == 2 or action.nargs is None else None


def _takes_next(action: argparse.Action, word: str) -> bool:
    return action.nargs is None and "=" not in word and (word.startswith("--") or len(word) == 2)


def _pytest_takes_next(word: str) -> bool:
    """Whether the word after this one, an option, is its value. An option of a conftest.py takes none."""
    if word.startswith("--"):
        return "=" not in word and _known_to_pytest().takes_value(word)
    letter = next((letter for letter in word[1:] if letter in _LETTERS_WITH_VALUE), "")
    # What follows in the same word is the value.
    return bool(letter) and word.endswith(letter)


@cache
def _known_to_pytest() -> "PytestOptions":
    from unknot.runners.pytest.command_line import PytestOptions

    return PytestOptions()


def _check_not_mistyped(verb: argparse.ArgumentParser, word: str) -> None:
    name = word.partition("=")[0]
    long_names = [known for known in verb._option_string_actions if known.startswith("--")]
    near = difflib.get_close_matches(name, long_names, 1, cutoff=0.7) if name.startswith("--") else []
    if near and not _known_to_pytest().knows(name):
        raise UsageError(
            f"unrecognized arguments: {word}",
            hint=f"Did you mean `{near[0]}`? See `{verb.prog} --help`. Put options for pytest after `--`.",
            slug="option-unknown",
        )
