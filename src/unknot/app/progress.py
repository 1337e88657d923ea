"""What an operation reports while it runs, for a terminal, a notebook or a log."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from unknot.model.run import Result
from unknot.model.suite import Order, TestId

if TYPE_CHECKING:
    # Most operations search nothing, and need not wait for what this imports.
    from unknot.app.crawl.progress import CrawlProgress
    from unknot.app.generate.progress import DraftingProgress
    from unknot.detect.engine.session import Progress


class ProgressListener:
    """Ignores everything: override the methods you need. They are called in the thread that runs the operation and
    must not block. Texts are plain, without markup, and may quote what tests printed."""

    def note(self, text: str) -> None:
        """Something that the user should know about the result."""

    def status(self, text: str) -> None:
        """What is being done now."""

    def result(self, text: str) -> None:
        """A line about a test that belongs to the result of a run."""

    def search(self, progress: "Progress") -> None:
        """How far the search for dependencies has got."""

    def search_finished(self) -> None:
        """The search for dependencies has ended."""

    def crawl(self, progress: "CrawlProgress") -> None:
        """How far a crawl has got; several times a second."""

    def crawl_finished(self) -> None:
        """A crawl has ended, or was interrupted."""

    def drafting(self, progress: "DraftingProgress") -> None:
        """How far the search for tests of an application has got; several times a second."""

    def drafting_finished(self) -> None:
        """The search for tests has ended, or was interrupted."""

    def after_test(self, test: TestId, result: Result) -> None:
        """A test was executed."""

    def begin_run(self, tests: Order, details: str, lanes: int) -> None:
        """The tests of a run are known, and what their framework reports of the collection."""

    def end_run(self) -> None:
        """Every verdict has been given, and nothing was interrupted; only clearing away is left."""

    def verdict(self, test: TestId, result: Result) -> None:
        """The result that counts for a test of a run."""

    def failed_before(self) -> Collection[TestId]:
        """Tests that are to run first, because they failed the last time."""
        return ()

    def has_enough(self, failures: int) -> bool:  # noqa: ARG002 - for those that override it
        """Whether a run ends now that so many of its tests have failed, or seem to have."""
        return False

    def is_interrupted(self) -> bool:
        """Whether the user has stopped the operation: nothing is started then that is not needed for the result."""
        return False
