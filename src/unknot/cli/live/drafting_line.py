"""The live line while tests are looked for."""

from unknot.app.generate.progress import DraftingProgress
from unknot.cli.live.crawl_line import time_left
from unknot.report.wording import counted


def drafting_line(progress: DraftingProgress) -> str:
    """
    >>> drafting_line(DraftingProgress(walks=2, steps=84, drafts=1, waiting=12, replays=20, seconds=10, budget=130))
    '2 walks, 84 steps · 1 draft kept, 12 to try · 20 replays · 2 min left'
    """
    parts = (
        f"{counted(progress.walks, 'walk')}, {counted(progress.steps, 'step')}",
        f"{counted(progress.drafts, 'draft')} kept, {progress.waiting:,} to try",
        counted(progress.replays, "replay"),
        time_left(progress.budget - progress.seconds),
    )
    return " · ".join(parts)
