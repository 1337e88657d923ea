"""A worker: one thread, one browser, one copy of the application."""

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from unknot.app.crawl.browser_settings import BrowserSettings
from unknot.app.crawl.browsers import open_playwright
from unknot.app.crawl.crawl_record import CrawlRecord
from unknot.app.crawl.target import Target, host_of
from unknot.model.errors import RunnerError
from unknot.web.application.protocol import Application
from unknot.web.application.renamed_origin import RenamedOrigin
from unknot.web.crawl.crawl import crawl
from unknot.web.crawl.explorer import Explorer

if TYPE_CHECKING:
    from unknot.app.crawl.lasting_application import LastingApplication

_PATIENCE_SECONDS = 15.0
"""How long the end of a browser may take to show."""


Work = Callable[[Application, "LastingApplication"], None]
"""With an application: as its addresses are named, and as it is."""


class BrowserWorker:
    """Playwright is bound to its thread, so a worker has all of it for itself: with a browser in common, one that hangs
    or is ended would stop the others too. `problem` says why it ended, if not because it was told to. What it does is
    `work`, with the application as it is named, and as it is."""

    def __init__(
        self,
        name: str,
        target: Target,
        settings: BrowserSettings,
        work: "Work",
    ) -> None:
        self.problem: BaseException | None = None
        self._target = target
        self._settings = settings
        self._work = work
        self._application: LastingApplication | None = None
        self._was_ended = False
        self._ended = threading.Event()
        # A login that never returns must not keep the process.
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        return not self._ended.is_set()

    def wait(self, seconds: float) -> None:
        """For its end. Not by `Thread.join`: interrupted by Ctrl-C, this takes a thread that lives for one that has
        ended, and the interpreter then crashes at its end."""
        if self._ended.wait(seconds):
            self._thread.join()

    def check(self, most_seconds: float) -> None:
        """Ends what hangs: first the browser, and if that does not help, as with a login function that sleeps, the
        whole crawl, by RunnerError."""
        application = self._application
        if application is None:
            return
        busy = application.busy_for()
        if busy > most_seconds and not self._was_ended:
            self._was_ended = True
            application.end_browser()
        elif busy > most_seconds + _PATIENCE_SECONDS:
            raise RunnerError(
                f"the login did not end within {busy:.0f} s"
                if self._settings.login
                else f"the browser hangs for {busy:.0f} s",
                hint="Try your login function by hand; use Playwright's own waiting, which ends.",
                slug="crawl-login-failed" if self._settings.login else "browser-lost",
            )
        elif busy <= most_seconds:
            # With what came after the browser was ended, also if no look at it fell in between.
            self._was_ended = False

    def _run(self) -> None:
        try:
            with open_playwright() as playwright, ExitStack() as resources:
                from unknot.app.crawl.lasting_application import LastingApplication

                application = LastingApplication(playwright, self._target, self._settings)
                resources.callback(application.close)
                self._application = application
                seen: Application = application
                if self._target.is_put_back:
                    seen = RenamedOrigin(application, lambda: application.host, host_of(self._target.named))
                self._work(seen, application)
        except BaseException as problem:  # noqa: BLE001 - raised again in the thread that waits for this one
            self.problem = problem
        finally:
            self._application = None
            self._ended.set()


class CrawlWorker(BrowserWorker):
    """One that explores and records."""

    def __init__(
        self,
        number: int,
        target: Target,
        record: CrawlRecord,
        explorer: Explorer,
        settings: BrowserSettings,
        screenshots: Path,
    ) -> None:
        def explore(seen: Application, application: "LastingApplication") -> None:
            for step in crawl(seen, explorer, record.reader, self._goes_on, record.guard):
                record.record(number, step, application.screenshot, screenshots)

        super().__init__(f"crawl-{number}", target, settings, explore)
        self._record = record

    def explore(self, goes_on: Callable[[], bool]) -> None:
        """Starts, and ends when it does not go on any more."""
        self._goes_on = goes_on
        self.start()

    @property
    def unmeasured(self) -> str:
        """Why server lines are not measured, or not all; empty if they are, and if nothing was asked."""
        return self._target.coverage.problem if self._target.coverage is not None and self._record.steps else ""
