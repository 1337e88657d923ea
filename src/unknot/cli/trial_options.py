"""What `explain` and `fix` take to try a change, and how they begin."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from unknot.app.fix.trial import FixTrial
from unknot.app.fix.workspace import TrialGround
from unknot.app.recording.trace import recording_path
from unknot.app.report import recall
from unknot.app.session.session import settings_from
from unknot.cli.options import add_pytest_runner, seconds
from unknot.model.dependencies import Dependencies
from unknot.model.errors import StorageError
from unknot.model.recording import Recording
from unknot.model.sanitise import shown
from unknot.runners.settings import Settings
from unknot.store.recording_file import read_recording

_SECONDS = 120.0


def add_trial(parser: argparse.ArgumentParser) -> None:
    """After the verb's own positional argument: the paths for pytest come last."""
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=_SECONDS,
        metavar="N",
        help=f"no new trial is begun after so long (default: {_SECONDS:g})",
    )
    add_pytest_runner(parser)


@contextmanager
def trial(
    options: argparse.Namespace, dependencies: Dependencies, recording: Recording, console: Console
) -> Iterator[FixTrial]:
    """In a copy of the project, run as the detection ran it."""

    def talk(text: str) -> None:
        console.print(shown(text), markup=False)

    with TrialGround(_settings(options, console), options.runner) as ground:
        yield FixTrial(ground, dependencies, recording, options.seconds, talk)


def recorded(state: Path) -> Recording | None:
    """None if the suite was never recorded. Raises StorageError for a recording that cannot be read."""
    path = recording_path(state)
    return read_recording(path) if path.exists() else None


def recorded_or_hint(state: Path) -> Recording:
    found = recorded(state)
    if found is None:
        raise StorageError(
            f"{recording_path(state)}: the suite was not recorded", hint="`unknot detect --trace` records it"
        )
    return found


def _settings(options: argparse.Namespace, console: Console) -> Settings:
    settings = settings_from(options, console)
    if settings.options:
        return settings
    # The options of the detection are remembered with the command that starts the tests.
    words = recall(options.state_dir)
    return replace(settings, options=words[words.index("pytest") + 1 :] if "pytest" in words else ())
