"""`unknot candidates`: likely dependencies of a web suite, without running a test to confirm them."""

import argparse
from contextlib import ExitStack
from pathlib import Path

from unknot.app.candidates.sources import CandidateSearch, HintOptions, search_of_data, search_of_project
from unknot.app.options import RunnerOptions, options_from
from unknot.cli.detect import add_hints
from unknot.cli.options import OptionGroup
from unknot.cli.review import ask_in_terminal, check_terminal, review
from unknot.cli.terminal import TerminalProgress, write_json, write_rich
from unknot.model.errors import ExitCode, UsageError
from unknot.report.text.candidates import candidates_json, candidates_text
from unknot.store.state_directory import StateDirectory

DESCRIPTION = """\
Lists which tests of a web suite may need which earlier ones, and why: because they use a string
that the other submits, touch data that it has written, find what it left in the browser, or have a
name that suggests it. This proves nothing: `unknot detect --hints WORDS` tries these pairs first.

  unknot candidates                          from the strings that tests type, select and upload
  unknot candidates --hints strings+noun     only pairs whose names share a noun
  unknot candidates --hints traffic          run the suite once and record browser traffic
  unknot candidates --review                 choose in the terminal which strings imply nothing
  unknot candidates --data suite.json        a suite from a file: see docs/reference/candidates.md
"""


def add_options(parser: OptionGroup) -> None:
    parser.runner()
    group = add_hints(parser, "strings")
    group.value("--data", "FILE", "read names and strings from a file", Path)
    group.flag(
        "--review",
        "ask which of the shared strings imply no dependency, most frequent first; lists no pairs",
    )
    parser.files()
    parser.output(("text", "json"), file=True, quiet="do not show progress")


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    if given.review:
        check_terminal()
        if given.output is not None or given.format != "text":
            raise UsageError(
                "--review lists no pairs", hint="Leave out --output and --format, or --review.", slug="options-conflict"
            )
    StateDirectory(given.state_dir).prepare()
    with ExitStack() as resources:
        search = _search(given, progress, resources)
        if given.review:
            review(search.uses, given.free_values, given.state_dir, progress, ask_in_terminal)
            return ExitCode.CLEAN
        found = search.candidates()
    hints = str(search.configuration)
    if given.format == "json":
        write_json(candidates_json(found, hints), given.output)
    else:
        write_rich(candidates_text(found, hints), given.output)
    return ExitCode.CLEAN


def _search(given: argparse.Namespace, progress: TerminalProgress, resources: ExitStack) -> CandidateSearch:
    options = options_from(HintOptions, vars(given))
    if given.data is None:
        return search_of_project(
            options_from(RunnerOptions, vars(given)), options, given.state_dir, progress, resources
        )
    if given.paths:
        raise UsageError(
            "paths cannot be chosen from a suite in a file",
            hint="Leave out the paths, or --data.",
            slug="options-conflict",
        )
    return search_of_data(given.data, options, given.state_dir)
