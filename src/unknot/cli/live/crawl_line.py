"""The live line of a crawl."""

from unknot.app.crawl.progress import CrawlProgress
from unknot.report.wording import counted

_SHORTEST = 5.0
"""Before that, a rate is chance."""


def crawl_line(progress: CrawlProgress) -> str:
    """
    >>> crawl_line(CrawlProgress(kinds=3, tried=20, left=5, steps=30, seconds=10, budget=130))
    '3 kinds of pages · 20 of 25 actions · 30 steps, 3.0/s · 2 min left'
    """
    rate = f", {progress.steps / progress.seconds:.1f}/s" if progress.seconds >= _SHORTEST else ""
    parts = (
        f"{counted(progress.kinds, 'kind')} of pages",
        f"{progress.tried:,} of {counted(progress.tried + progress.left, 'action')}",
        f"{counted(progress.steps, 'step')}{rate}",
        progress.coverage,
        time_left(progress.budget - progress.seconds),
    )
    return " · ".join(filter(None, parts))


def time_left(seconds: float) -> str:
    return f"{seconds / 60:.0f} min left" if seconds >= 100 else f"{max(0, seconds):.0f} s left"
