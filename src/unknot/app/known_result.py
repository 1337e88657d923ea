"""The result that an operation works on: the lock file, with how long tests take."""

from unknot.app.options import ProjectFiles
from unknot.app.progress import ProgressListener
from unknot.model.dependencies import Dependencies
from unknot.store.durations import with_assumed_durations
from unknot.store.known_result import read_known_lock, read_known_result
from unknot.store.lock import LockContent
from unknot.store.state_directory import StateDirectory


def known_result(files: ProjectFiles) -> Dependencies:
    """Durations are those that are known. Raises StorageError."""
    return read_known_result(files.lock, StateDirectory(files.state_dir), files.durations_file)


def known_lock(files: ProjectFiles) -> LockContent:
    """All of the lock file. Raises StorageError."""
    return read_known_lock(files.lock, StateDirectory(files.state_dir), files.durations_file)


def planning_result(files: ProjectFiles, listener: ProgressListener) -> Dependencies:
    """With a duration for each test; a note says so if all of them are assumed. Raises StorageError."""
    found = known_result(files)
    if found.suite.tests and not found.seconds:
        listener.note(
            "no durations are known, so all tests count the same;"
            " run `unknot run`, or name a file with the option `durations-file`"
        )
    return with_assumed_durations(found)
