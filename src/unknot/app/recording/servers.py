"""Which tests use servers. On its own, because a run needs nothing else of what records a suite."""

from collections.abc import Sequence
from pathlib import Path

from unknot.model.errors import StorageError
from unknot.model.suite import TestId
from unknot.store.recording_file import read_recording
from unknot.store.state_directory import StateDirectory


def users_of_servers(state: Path) -> Sequence[TestId]:
    """By the last recording; empty if there is none."""
    try:
        return read_recording(StateDirectory(state).recording).users_of_servers
    except StorageError:
        return ()
