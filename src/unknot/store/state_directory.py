"""The files in which unknot keeps its state, by default in `.unknot/`. Nothing in it is meant to be committed."""

from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import StorageError

STATE = ".unknot"
"""The usual name of the directory."""

CHOOSE_ANOTHER = "choose another directory with the option `state-dir`"


@dataclass(frozen=True)
class StateDirectory:
    """Names every file of the directory; other modules read and write them."""

    path: Path

    @property
    def journal(self) -> Path:
        """Every run of an order: `store.journal`."""
        return self.path / "journal.sqlite3"

    @property
    def recording(self) -> Path:
        """The state that tests share, as recorded: `store.recording_file`."""
        return self.path / "recording.json"

    @property
    def traffic(self) -> Path:
        """What the browsers of a web suite sent and showed: `store.traffic_file`."""
        return self.path / "traffic.json"

    @property
    def free_values(self) -> Path:
        """Shared values that a user has reviewed: `app.candidates.free_values`."""
        return self.path / "free-values.json"

    @property
    def durations(self) -> Path:
        """How long each test takes: `store.durations`."""
        return self.path / "durations.json"

    @property
    def last_detection(self) -> Path:
        """What the last detection cost: `store.known_result`."""
        return self.path / "last-detection.json"

    @property
    def last_run(self) -> Path:
        """When each test of the last run ran: `store.run_times`."""
        return self.path / "last-run.json"

    @property
    def coverage(self) -> Path:
        """Which test covers which lines: a data file of coverage.py."""
        return self.path / "coverage"

    @property
    def invocation(self) -> Path:
        """The command that ran the tests: `app.report`."""
        return self.path / "invocation.json"

    @property
    def report(self) -> Path:
        """The HTML report of the last detection."""
        return self.path / "report.html"

    def damaged_copy(self, file: Path) -> Path:
        """Where a damaged file is kept before it is replaced."""
        return self.path / f"{file.name}.damaged"

    def prepare(self) -> None:
        """Creates the directory, with its parents, and a `.gitignore` in it that hides all of it from git.

        The `.gitignore` is written only into an empty directory: in one that already holds files of the user, it would
        hide those too. Raises StorageError if the directory cannot be created.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not any(self.path.iterdir()):
                _write_new(self.path / ".gitignore", "*\n")
        except OSError as error:
            raise StorageError(
                f"cannot create or write the directory {self.path}: {error.strerror or error}",
                hint=f"Make it writable, or {CHOOSE_ANOTHER}.",
                slug="directory-unwritable",
            ) from error


def _write_new(path: Path, text: str) -> None:
    """Another process may have written the same text first."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return
