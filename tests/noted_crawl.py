"""What a crawl of a test reports."""

from collections.abc import Callable

from unknot.app.crawl.crawl import CrawlResult
from unknot.app.progress import ProgressListener

Crawl = Callable[..., CrawlResult]


class Notes(ProgressListener):
    def __init__(self) -> None:
        self.notes: list[str] = []
        self.lines: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def status(self, text: str) -> None:
        self.lines.append(text)
