"""Options of pytest between those of a verb: `unknot run -n 2 -x -k cart`."""

import argparse
import difflib
from collections.abc import Sequence

from unknot.model.errors import UsageError


def split_words(verb: argparse.ArgumentParser, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Those of the verb, with the paths, and those of pytest. An option that both know is the verb's. One that neither
    knows is pytest's, because a conftest.py may add it, unless it looks like a mistyped one of the verb's: then it
    raises UsageError. Cost: pytest is imported if there is an option that is not the verb's."""
    ours: list[str] = []
    pytests: list[str] = []
    known = None
    rest = list(words)
    while rest:
        word = rest.pop(0)
        action = _action(verb, word)
        if action is not None or not word.startswith("-") or word == "-":
            ours.append(word)
            if action is not None and _takes_next(action, word) and rest:
                ours.append(rest.pop(0))
            continue
        if known is None:
            from unknot.runners.pytest.command_line import PytestOptions

            known = PytestOptions()
        if word.startswith("--") and not known.knows(word.partition("=")[0]):
            _check_not_mistyped(verb, word)
        pytests.append(word)
        if known.takes_next(word) and rest and not rest[0].startswith("-"):
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


def _check_not_mistyped(verb: argparse.ArgumentParser, word: str) -> None:
    name = word.partition("=")[0]
    near = difflib.get_close_matches(name, list(verb._option_string_actions), 1, cutoff=0.7)
    if near:
        raise UsageError(
            f"unrecognized arguments: {word}",
            hint=f"Did you mean `{near[0]}`? See `{verb.prog} --help`. Put options for pytest after `--`.",
            slug="option-unknown",
        )
