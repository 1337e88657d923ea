"""The command line: parses, dispatches, and turns errors into one clear line and an exit code."""

import argparse
import errno
import importlib
import os
import platform
import sys
import traceback
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from unknot import __version__
from unknot.app.configuration import read_configuration, with_new_option_names
from unknot.cli.arguments import unknown_verb, unknown_words, verb_parser, with_configuration, with_new_names
from unknot.cli.completion import SHELLS, PrintCompletion
from unknot.cli.interruption import Interruption
from unknot.cli.options import OptionGroup
from unknot.cli.pytest_words import split_words
from unknot.model.errors import ExitCode, UnknotError, UsageError
from unknot.model.sanitise import shown_lines

if TYPE_CHECKING:
    from rich.console import Console

_VERBS = {
    "detect": "find every dependency between tests, and prove it",
    "check": "fail if a dependency is new since the lock file was committed; for CI",
    "blame": "find out which test breaks this one, on which line, and what helps",
    "candidates": "list likely dependencies of a web suite without running a test",
    "ask": "run these tests in this order, from a clean state",
    "explain": "show what a test needs, what breaks it, and why",
    "fix": "remove a dependency with a change that was tried first",
    "pollution": "rank tests by the state they leave behind",
    "plan": "show a parallel plan, its predicted time, and what limits it",
    "run": "run the suite in parallel by a plan that respects the dependencies",
    "select": "select the tests that a change can affect, with what they need",
    "minimise": "find the cheapest suite of equal coverage that keeps every dependency",
    "prioritise": "find an order that reaches coverage early and respects dependencies",
    "report": "write the last result as text, a page, a picture or data",
    "crawl": "explore a web application in a browser: pages, actions, faults",
    "pages": "write page objects from a crawl, or show the navigation graph that they describe",
    "generate": "write a suite of tests for an application that was crawled",
    "resets": "find the fastest reset of the system under test that really resets",
    "simulate": "predict the cost of a detection on a known dependency graph",
}
"""Each is a module of this package, which is imported only when it is needed."""

_WITH_PYTEST_OPTIONS = frozenset({"run"})
"""Take options of pytest among their own."""

_DESCRIPTION = """\
Find the dependencies between the tests of a suite, and run it in parallel without breaking it.

  unknot detect            find every dependency, and prove it
  unknot blame TEST        who broke this test, on which line, and a change that helps
  unknot explain TEST      what a test needs, what breaks it, and why
  unknot fix TEST          a change of the tests that removes a dependency
  unknot run -n 4          run the suite in parallel on four workers

`unknot VERB --help` describes a verb and its options.
"""

_EPILOGUE = """\
Options can also be set in pyproject.toml under [tool.unknot], or in unknot.toml, with the same names.
These files also describe suites that are not pytest's: see docs/reference/command.md.
Exit codes: 0 nothing found, 1 dependencies found or tests failed, 2 to 5 as in pytest,
10 stopped before the end, 12 the runner failed, 13 a file cannot be read or written.
"""


class _Parser(argparse.ArgumentParser):
    """A wrong command line ends like any other error: one line, a hint, pytest's exit code for it."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"See `{self.prog} --help`.", slug="command-line")


def main(arguments: Sequence[str] | None = None) -> int:
    ours, for_pytest = _split(sys.argv[1:] if arguments is None else arguments)
    try:
        interruption = Interruption()
        interruption.watch()
        given = _parse(ours)
        given.pytest_options = (*given.pytest_options, *for_pytest)
        # rich takes a while to import, and `--help` does not need it.
        from unknot.cli.terminal import TerminalProgress

        with TerminalProgress(_console(), interruption, quiet=getattr(given, "quiet", False)) as progress:
            code = int(given.verb(given, progress))
        # Now, while an error can still be reported: the interpreter would only write it at exit.
        sys.stdout.flush()
        return code
    except UnknotError as error:
        # A message may quote output of the suite, and names of files that it has written.
        _print_error(f"error[{error.slug}]: {shown_lines(error.message)}", error.hint)
        return int(error.exit_code)
    except KeyboardInterrupt:
        _console().print("unknot: interrupted", markup=False)
        return int(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output is gone (`unknot report | head`): not an error, but nothing more can be written.
        _close_stdout()
        return int(ExitCode.CLEAN)
    except Exception as problem:  # noqa: BLE001 - whatever it is, the exit code must say so
        if isinstance(problem, OSError) and problem.errno == errno.ENOSPC:
            _print_error("error[disk-full]: no space left on device", "Free some space. Results found before are kept.")
            _close_stdout()
            return int(ExitCode.STORAGE)
        # Without this, Python would exit with 1, which means that dependencies were found.
        _console().print(shown_lines(traceback.format_exc()), markup=False)
        _print_error(
            "error[internal]: internal error (see above); results found before are kept",
            "Please report this bug. Run the command again to resume.",
        )
        return int(ExitCode.INTERNAL)


def _parse(words: list[str]) -> argparse.Namespace:
    words = with_new_names(words, _note)
    direct: list[str] = []
    if not words or words[0].startswith("-"):
        # `--help` and `--version` need no verb.
        return build_parser(()).parse_args(words or ["--help"])
    if words[0] not in _VERBS:
        raise unknown_verb(words[0], _VERBS)
    configuration = with_new_option_names(read_configuration(Path.cwd()), _note)
    # Keys of the configuration may be options of any verb.
    parser = build_parser(tuple(_VERBS) if configuration.options else words[:1])
    words = with_configuration(parser, words, configuration)
    if words[0] in _WITH_PYTEST_OPTIONS:
        ours, direct = split_words(verb_parser(parser, words[0]), words[1:])
        words = [words[0], *ours]
    given, unknown = parser.parse_known_args(words)
    if unknown:
        raise unknown_words(parser, given.verb_name, unknown)
    given.pytest_options = direct
    given.configuration = configuration
    given.directory = Path.cwd()
    return given


class _Version(argparse.Action):
    """To read the versions of packages takes a while, and few ask for them."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        sys.stdout.write(f"{_version()}\n")
        parser.exit()


def build_parser(names: Collection[str]) -> argparse.ArgumentParser:
    """Lists all verbs, and knows the options of these. Each is imported for that; all of them take half a second."""
    parser = _Parser(
        prog="unknot",
        description=_DESCRIPTION,
        epilog=_EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the versions of unknot, Python and pytest")
    parser.add_argument(
        "--completion",
        action=PrintCompletion,
        const=partial(build_parser, tuple(_VERBS)),
        choices=SHELLS,
        help="print a script that completes verbs, options and files in this shell, and exit",
    )
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", dest="verb_name", required=True)
    for name, summary in _VERBS.items():
        verb = verbs.add_parser(
            name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
        )
        if name in names:
            module = importlib.import_module(f"unknot.cli.{name}")
            verb.description = module.DESCRIPTION
            module.add_options(OptionGroup(verb))
            verb.set_defaults(verb=module.run)
    return parser


def _version() -> str:
    """With the versions that decide how a suite behaves."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        pytest = f", pytest {version('pytest')}"
    except PackageNotFoundError:
        pytest = ""
    return f"unknot {__version__} (Python {platform.python_version()}{pytest})"


def _split(given: Sequence[str]) -> tuple[list[str], list[str]]:
    """Words after `--` are pytest's."""
    if "--" not in given:
        return list(given), []
    place = list(given).index("--")
    return list(given[:place]), list(given[place + 1 :])


def _console() -> "Console":
    from rich.console import Console

    return Console(stderr=True, soft_wrap=True, highlight=False)


def _note(text: str) -> None:
    _console().print(f"note: {shown_lines(text)}", markup=False)


def _print_error(message: str, hint: str) -> None:
    console = _console()
    console.print(message, style="bold red" if console.is_terminal else None, markup=False)
    if hint:
        console.print(f"hint: {shown_lines(hint)}", markup=False)


def _close_stdout() -> None:
    """What still waits to be written would only fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
