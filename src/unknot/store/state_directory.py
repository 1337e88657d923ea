"""The files in which unknot keeps its state, by default in `.unknot/`. Nothing in it is meant to be committed."""

from pathlib import Path

from unknot.model.errors import StorageError
from unknot.store.atomic import check_link

STATE = ".unknot"
"""The usual name of the directory."""

CHOOSE_ANOTHER = "choose another directory with the option `state-dir`"


class StateDirectory:
    """Names every file of the directory; other modules read and write them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal = path / "journal.sqlite3"
        """Every run of an order: `store.journal`."""
        self.recording = path / "recording.json"
        """The state that tests share, as recorded: `store.recording_file`."""
        self.traffic = path / "traffic.json"
        """What the browsers of a web suite sent and showed: `store.traffic_file`."""
        self.free_values = path / "free-values.json"
        """Shared values that a user has reviewed: `app.candidates.free_values`."""
        self.durations = path / "durations.json"
        """How long each test takes: `store.durations`."""
        self.start_up = path / "start-up.json"
        """What a run costs besides its tests: `store.start_up`."""
        self.last_detection = path / "last-detection.json"
        """What the last detection cost: `store.known_result`."""
        self.explained = path / "explained"
        """The lock file for whose reasons the suite was recorded: `store.known_result`."""
        self.last_run = path / "last-run.json"
        """When each test of the last run ran: `store.run_times`."""
        self.failed_run = path / "failed-run.log"
        """Which worker of pytest-xdist ran what before a test failed: `pytest_plugin.failed_run`."""
        self.coverage = path / "coverage"
        """Which test covers which lines: a data file of coverage.py."""
        self.invocation = path / "invocation.json"
        """The command that ran the tests: `app.report`."""
        self.fixes = path / "fixes.json"
        """Changes that were tried and work: `store.tried_fixes`."""
        self.web = path / "web"
        """What crawls keep: their journal and screenshots."""
        self.web_journal = self.web / "journal.sqlite"
        """Every step of every crawl: `store.journal.crawl_journal`."""
        self.screenshots = self.web / "screenshots"
        """A picture of each kind of page, named by a number."""
        self.report = path / "report.html"
        """The HTML report of the last detection."""
        self.crawl_page = path / "web" / "crawl.html"
        """The HTML page of the last crawl."""

    def damaged_copy(self, file: Path) -> Path:
        """Where a damaged file is kept before it is replaced."""
        return self.path / f"{file.name}.damaged"

    def prepare(self) -> None:
        """Creates the directory, with its parents, and a `.gitignore` in it that hides all of it from git.

        The `.gitignore` is written only into an empty directory: in one that already holds files of the user, it would
        hide those too. Raises StorageError if the directory cannot be created, or a file in it is a link to outside.
        """
        for file in vars(self).values():
            if file != self.path:
                check_link(file)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not any(self.path.iterdir()):
                # Another process may write the same text at the same time.
                (self.path / ".gitignore").write_text("*\n", encoding="utf-8")
        except OSError as error:
            raise StorageError(
                f"cannot create or write the directory {self.path}: {error.strerror or error}",
                hint=f"Make it writable, or {CHOOSE_ANOTHER}.",
                slug="directory-unwritable",
            ) from error
