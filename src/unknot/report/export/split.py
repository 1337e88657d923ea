"""Export for pytest-split: durations with which it cuts only where no dependency is cut.

pytest-split's own way (`duration_based_chunks`) gives each group a run of neighbours in the order of the suite, and
begins a new one before the first test at which the group has its share of seconds. So if the seconds of each block of
the suite that must not be cut are all written to the block's last test, and 0 to the others, every group begins with a
block, whatever the number of groups. Its other way, `least_duration`, pays no heed to neighbours: no file can help it.
"""

import json
import math
from collections.abc import Mapping, Sequence

from unknot.model.suite import Order, TestId

_GRAIN = 1024
"""Seconds are written in parts of 1/1024, which binary numbers hold exactly: pytest-split's sums are then exact too.
With rounded sums it may look for one group more than there is, and end with an IndexError."""


def split_durations(blocks: Sequence[Order], seconds: Mapping[TestId, float]) -> str:
    """The text of a `.test_durations` file. The blocks, one after another, are the suite in reference order."""
    durations: dict[str, float] = {}
    for block in blocks:
        weight = sum(seconds.get(test, 0.0) for test in block)
        durations.update(dict.fromkeys(block[:-1], 0.0))
        # Not 0: a block that weighs nothing behind the last share would be in no group.
        durations[block[-1]] = max(1, math.ceil(weight * _GRAIN)) / _GRAIN
    return json.dumps(durations, indent=4) + "\n"
