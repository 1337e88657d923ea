"""`unknot pollution`: what tests leave behind, before anyone is hurt."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from unknot.app.configuration import only_pytest
from unknot.cli.options import add_files, add_verb, positive_int
from unknot.cli.trial_options import recorded_or_hint
from unknot.model.dependencies import Dependencies
from unknot.model.errors import ExitCode
from unknot.model.sanitise import shown
from unknot.report.text.lines import print_text
from unknot.report.text.pollution import polluters, pollution_json, pollution_text
from unknot.store.lock import read_lock

_LIMIT = 20
_DESCRIPTION = """\
Tests ranked by what they leave changed behind them, whether anybody is hurt by it yet or not:
first those that break others, as far as the lock file knows, then by how many tests read what
they leave. Reads the recording of `unknot detect --trace`; runs nothing.
"""


def add_parser(verbs: Any) -> None:
    parser = add_verb(verbs, "pollution", "tests by what they leave behind", _DESCRIPTION)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--limit", type=positive_int, default=_LIMIT, metavar="N", help=f"so many tests at most (default: {_LIMIT})"
    )
    add_files(parser)
    parser.set_defaults(verb=pollution)


def pollution(options: argparse.Namespace, console: Console) -> ExitCode:
    only_pytest(options, "pollution")
    recording = recorded_or_hint(options.state_dir)
    dependencies = _lock(options.lock)
    found = polluters(recording, dependencies)
    if options.format == "json":
        document = {"tests": len(recording.tests), "polluters": pollution_json(found[: options.limit])}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        text = pollution_text(found, len(recording.tests), options.limit, has_lock=dependencies is not None)
        print_text(Console(highlight=False), text)
    for note in recording.notes:
        console.print(f"not looked into: {shown(note)}", markup=False)
    return ExitCode.CLEAN


def _lock(path: Path) -> Dependencies | None:
    return read_lock(path) if path.exists() else None
