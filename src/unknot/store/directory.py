"""The directory in which unknot keeps what it knows."""

from pathlib import Path

from unknot.store.journal.failures import unusable_directory


def prepare_state_directory(path: Path) -> None:
    """Makes the directory, with its parents, and a `.gitignore` in it that hides all of it from git.

    The `.gitignore` is written only into a directory that is empty, as a new one is: in one that a user already
    keeps files in, it would hide those too. Raises StorageError where the directory cannot be had.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        if not any(path.iterdir()):
            _write_new(path / ".gitignore", "*\n")
    except OSError as error:
        raise unusable_directory(path, error) from error


def _write_new(path: Path, text: str) -> None:
    """Another process may have been faster, with the same text."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return
