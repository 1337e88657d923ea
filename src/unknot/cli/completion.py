"""`unknot --completion SHELL`: a script for the shell, made once. Completing with it starts no Python."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from unknot.model.errors import UsageError

SHELLS = ("bash", "zsh", "fish")


class PrintCompletion(argparse.Action):
    """Prints the script and ends, as `--version` does. `const` makes the parser that knows all verbs and options."""

    const: Callable[[], argparse.ArgumentParser]

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,  # noqa: ARG002 - as argparse calls it
        values: str | Sequence[object] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        sys.stdout.write(completion_script(self.const(), str(values)))
        parser.exit()


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Raises UsageError if shtab is not installed."""
    try:
        import shtab
    except ImportError as problem:
        raise UsageError(
            "shell completion needs shtab, which is not installed",
            hint="Run `pip install 'unknot[completion]'`.",
            slug="completion-not-installed",
        ) from problem
    _describe_by_summary(parser)
    for action in _actions(parser):
        if action.metavar == "DIR":
            _complete(action, shtab.DIRECTORY)
        elif action.type is Path or action.metavar in ("PATH", "FILE"):
            _complete(action, shtab.FILE)
    return shtab.complete(parser, shell=shell) + "\n"


def _complete(action: argparse.Action, how: object) -> None:
    """shtab reads this attribute."""
    action.complete = how  # type: ignore[attr-defined]


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Those of the parser and of every verb."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                yield from _actions(verb)


def _describe_by_summary(parser: argparse.ArgumentParser) -> None:
    """A menu has room for one line: the summary in the list of verbs, not the beginning of the description."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for listed in action._choices_actions:
                action.choices[listed.dest].description = listed.help
