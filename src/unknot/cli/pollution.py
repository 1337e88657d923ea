"""`unknot pollution`: what tests leave behind."""

import argparse

from unknot.app.configuration import require_pytest
from unknot.app.options import ProjectFiles, RunnerOptions, options_from
from unknot.app.recording.kept import recording_of_suite
from unknot.cli.options import OptionGroup, positive_int
from unknot.cli.terminal import TerminalProgress, write_json, write_rich
from unknot.model.errors import ExitCode
from unknot.model.sanitise import shown
from unknot.report.polluted_places import polluted_places
from unknot.report.text.pollution import polluters, pollution_json, pollution_text
from unknot.store.lock import read_lock

DESCRIPTION = """\
Lists the state that tests leave changed, whether or not it breaks another test yet: first what breaks
others, as far as the lock file knows, then by how many tests read it.
Uses the recording of the last `unknot detect`. Without one, it runs and records the suite.
"""


def add_options(parser: OptionGroup) -> None:
    parser.output(("text", "json")).value("--limit", "N", "list at most N places; in JSON, tests", positive_int, 20)
    parser.pytest_runner()
    parser.files()


def run(given: argparse.Namespace, progress: TerminalProgress) -> ExitCode:
    require_pytest(given.configuration, "pollution")
    options = vars(given)
    recording = recording_of_suite(options_from(RunnerOptions, options), options_from(ProjectFiles, options), progress)
    dependencies = read_lock(given.lock) if given.lock.exists() else None
    if given.format == "json":
        found = polluters(recording, dependencies)[: given.limit]
        write_json({"tests": len(recording.tests), "polluters": pollution_json(found)})
    else:
        places = polluted_places(recording, dependencies)
        write_rich(pollution_text(places, len(recording.tests), given.limit, has_lock=dependencies is not None))
    for note in recording.notes:
        progress.note(f"not recorded: {shown(note)}")
    return ExitCode.CLEAN
