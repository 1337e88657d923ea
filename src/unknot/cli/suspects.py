"""`unknot suspects`: who may need whom, by what the suite's code, names and traffic say; nothing is tried."""

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from unknot.app.candidates.free_values import review
from unknot.app.candidates.sources import Suspecting, add_suspecting, of_workplace
from unknot.app.configuration import PYTEST, kind_of
from unknot.app.session.session import Workplace, settings_from, workplace
from unknot.cli.emit import emit, emit_rich
from unknot.cli.options import add_files, add_runner, add_verb
from unknot.cli.terminal import ask_in_terminal, check_terminal
from unknot.model.errors import CollectionError, ExitCode, UsageError
from unknot.report.text.candidates import candidates_json, candidates_text
from unknot.runners.settings import Settings
from unknot.store.directory import prepare_state_directory
from unknot.store.suite_data import read_suite_data

_DESCRIPTION = """\
Says which tests of a web suite may need which earlier ones, and why: because they use a string that
the other submits, touch what it has written, find what it left in the browser, or have a name that
says so. Nothing is proved by that: `unknot detect --suspects WORDS` asks about these first.

  unknot suspects                            by the strings that tests type, select and upload
  unknot suspects --suspects strings+noun    only pairs whose names share a noun
  unknot suspects --suspects traffic         runs the suite once, and listens to the browser
  unknot suspects --review                   which strings tell nothing, asked in the terminal
  unknot suspects --data suite.json          a suite from a file: docs/reference/suspects.md
"""

if TYPE_CHECKING:
    from unknot.model.traffic import Traffic


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "suspects", "who may need whom, before anything is tried", _DESCRIPTION)
    add_runner(parser)
    group = add_suspecting(parser, "strings")
    group.add_argument("--data", type=Path, default=None, metavar="FILE", help="names and strings from a file")
    group.add_argument(
        "--review",
        action="store_true",
        help="asks which of the strings are free, those of most tests first; lists no pairs",
    )
    add_files(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json"), default="text")
    output.add_argument("-o", "--output", type=Path, default=None, metavar="FILE", help="(default: standard output)")
    output.add_argument("-q", "--quiet", action="store_true", help="no progress")
    parser.set_defaults(verb=suspects)


def suspects(options: argparse.Namespace, console: Console) -> ExitCode:
    if options.review:
        check_terminal()
        if options.output is not None or options.format != "text":
            raise UsageError("--review lists no pairs", hint="leave --output and --format out, or --review")
    prepare_state_directory(options.state_dir)
    with _material(options, console) as suspecting:
        if options.review:
            review(suspecting.uses, options, console, ask_in_terminal)
            return ExitCode.CLEAN
        found = suspecting.suspects()
    configuration = str(suspecting.configuration)
    if options.format == "json":
        emit(json.dumps(candidates_json(found, configuration), indent=1) + "\n", options.output)
    else:
        emit_rich(candidates_text(found, configuration), options.output)
    return ExitCode.CLEAN


@contextmanager
def _material(options: argparse.Namespace, console: Console) -> Iterator[Suspecting]:
    if options.data is not None:
        if options.paths:
            raise UsageError("a suite from a file is taken whole", hint="leave the paths out, or --data")
        data = read_suite_data(options.data)
        yield Suspecting(options, data.suite, lambda: data.uses, _no_traffic)
        return
    settings = replace(settings_from(options, console), workers=1)
    with _listed(settings, options, console) as place:
        yield of_workplace(place, options, console)


@contextmanager
def _listed(settings: Settings, options: argparse.Namespace, console: Console) -> Iterator[Workplace]:
    """What code and names say can be had while the system under test is not to be had, and without waiting for it. Only
    where pytest cannot even collect without it, it is started for that."""
    with ExitStack() as entered:
        place = None
        if settings.instance is not None and kind_of(options) == PYTEST:
            with suppress(CollectionError):
                place = entered.enter_context(workplace(replace(settings, instance=None), options, console))
        if place is None:
            place = entered.enter_context(workplace(settings, options, console))
        # Whoever listens to the suite needs the system after all.
        yield replace(place, settings=replace(place.settings, instance=settings.instance))


def _no_traffic() -> "Traffic":
    raise UsageError("a file has no traffic to listen to", hint="leave --data out, or suspect by strings and names")
