"""The command line: parses, dispatches, and turns errors into one clear line and an exit code."""

import argparse
import errno
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

from rich.console import Console

from unknot import __version__
from unknot.app.configuration import configured, with_configuration
from unknot.cli.interruption import Interruption
from unknot.cli.known_options import unknown_words
from unknot.model.errors import ExitCode, UnknotError, UsageError
from unknot.model.sanitise import shown_lines

_VERBS = (
    "detect",
    "suspects",
    "ask",
    "resets",
    "explain",
    "fix",
    "pollution",
    "plan",
    "run",
    "select",
    "minimise",
    "prioritise",
    "report",
    "simulate",
)

_DESCRIPTION = """\
Find the dependencies in a test suite, and run it in parallel without breaking it.

  unknot detect            find every dependency between tests, and prove it
  unknot suspects          who may need whom, by what a web suite's code, names and traffic say
  unknot ask TEST TEST     these tests in this order, from a clean state: what came out of each
  unknot explain TEST      all that is known about one test: what it needs, and why
  unknot fix TEST          a change of the tests that cuts a dependency, tried before it is shown
  unknot pollution         what tests leave behind, before anyone is hurt
  unknot plan -n 4         what a parallel run that respects them looks like, and how fast it is
  unknot run -n 4          run the suite in parallel, by that plan
  unknot select --since main
                           the tests that a change can affect, with what they need
  unknot minimise --coverage FILE
                           the cheapest part of the suite that covers as much
  unknot prioritise        an order that covers fastest and breaks nothing
  unknot report --format html
  unknot resets            which way back to a clean state is right, and which of those is cheapest
  unknot simulate GRAPH.json
                           what a detection would cost, on a graph that is known
"""

_EPILOGUE = """\
Options can also stand in pyproject.toml under [tool.unknot], or in unknot.toml, with the same names.
Suites that are not pytest's are described there too: docs/reference/command.md.
Exit codes: 0 nothing found, 1 dependencies found or tests failed, 2 to 5 as pytest's,
10 stopped before the end, 12 the runner failed, 13 a file cannot be read or written.
"""


class _Parser(argparse.ArgumentParser):
    """A wrong command line ends as every other error does: one line, a hint, pytest's exit code for it."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"`{self.prog} --help` lists what there is")


def main(arguments: Sequence[str] | None = None) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    ours, for_pytest = _split(given)
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    try:
        interruption = Interruption()
        interruption.watch()
        configuration = configured()
        # Keys of the configuration may be any verb's.
        parser = build_parser(_VERBS if configuration.options or not ours or ours[0] not in _VERBS else ours[:1])
        options, unknown = parser.parse_known_args(with_configuration(parser, ours, configuration))
        if unknown:
            raise unknown_words(parser, options.verb_name, unknown)
        options.configuration = configuration
        options.pytest_options = tuple(for_pytest)
        options.interruption = interruption
        code = int(options.verb(options, console))
        # Now: what is written only when the interpreter ends can fail no more with words of ours.
        sys.stdout.flush()
        return code
    except UnknotError as error:
        # A message may quote what the suite printed, and files that it has written.
        told = shown_lines(error.message)
        console.print(f"unknot: {told}", style="bold red" if console.is_terminal else None, markup=False)
        if error.hint:
            console.print(f"hint: {shown_lines(error.hint)}", markup=False)
        return int(error.exit_code)
    except KeyboardInterrupt:
        console.print("unknot: interrupted", markup=False)
        return int(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output is gone (`unknot report | head`): not an error, but nothing more can be written.
        _write_no_more()
        return int(ExitCode.CLEAN)
    except Exception as problem:  # noqa: BLE001 - whatever it is, the exit code must say so
        if isinstance(problem, OSError) and problem.errno == errno.ENOSPC:
            console.print("unknot: there is no room left to write to", markup=False)
            console.print("hint: make room; what was learned before is kept", markup=False)
            _write_no_more()
            return int(ExitCode.STORAGE)
        # Without this, Python would end with 1, which says that dependencies were found.
        console.print(shown_lines(traceback.format_exc()), markup=False)
        console.print("unknot: an internal error, which is told above; what was learned before is kept", markup=False)
        console.print("hint: tell those who make unknot; the same command goes on from there", markup=False)
        return int(ExitCode.INTERNAL)


def _write_no_more() -> None:
    """What still waits to be written would only fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _split(given: Sequence[str]) -> tuple[list[str], list[str]]:
    """What stands after `--` is pytest's."""
    if "--" not in given:
        return list(given), []
    place = list(given).index("--")
    return list(given[:place]), list(given[place + 1 :])


def build_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """Knows the verbs of these names. Each is imported for it, and all of them take half a second."""
    parser = _Parser(
        prog="unknot",
        description=_DESCRIPTION,
        epilog=_EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"unknot {__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", dest="verb_name", required=True)
    for name in names:
        importlib.import_module(f"unknot.cli.{name}").add_parser(verbs)
    return parser
