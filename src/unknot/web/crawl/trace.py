"""What a crawl did: its steps, in the order in which they were taken."""

from dataclasses import dataclass

from unknot.web.crawl.explorer import ChosenStep
from unknot.web.crawl.view import View


@dataclass(frozen=True)
class TakenStep:
    """One step of a trace, or a reset if nothing was chosen."""

    before: View | None
    chosen: ChosenStep | None
    after: View
