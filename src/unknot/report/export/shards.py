"""A plan for tools that split a suite: id lists, a GitHub matrix, a GitLab job, durations for pytest-split."""

import json
import math
from collections.abc import Mapping, Sequence

from unknot.model.errors import UsageError
from unknot.model.plan import Plan
from unknot.model.sanitise import shown
from unknot.model.suite import Order, TestId

_GRAIN = 1024
"""Durations are multiples of 1/1024 s, which floats represent exactly, so pytest-split's sums are exact. With rounded
sums it can look for one group too many and end with an IndexError."""


def split_durations(blocks: Sequence[Order], seconds: Mapping[TestId, float]) -> str:
    """The text of a `.test_durations` file with which pytest-split never cuts a block.

    Assumes that `blocks`, one after another, are the suite in reference order, and that pytest-split uses its default
    algorithm, `duration_based_chunks`. That one gives each group a run of neighbouring tests and starts a new group at
    the first test where the current one has its share of seconds. So the last test of each block carries the seconds
    of the whole block and the others carry 0: every group starts with a block, for any number of groups. The
    algorithm `least_duration` ignores neighbours; no durations file can make it safe.
    """
    durations: dict[str, float] = {}
    for block in blocks:
        weight = sum(seconds.get(test, 0.0) for test in block)
        durations.update(dict.fromkeys(block[:-1], 0.0))
        # Not 0: pytest-split would put a block of weight 0 after the last share into no group.
        durations[block[-1]] = max(1, math.ceil(weight * _GRAIN)) / _GRAIN
    return json.dumps(durations, indent=4) + "\n"


def id_lists(plan: Plan, noun: str = "lane") -> Mapping[str, str]:
    """The text of each file, by its name, in plan order. Names contain numbers, never ids.

    `lane-2.txt` lists all that the second worker runs. A lane of several orders, each of which needs a clean state,
    becomes `lane-2.1.txt`, `lane-2.2.txt` and so on: run each in a process of its own, in this sequence. Raises
    UsageError if an id contains a line break.
    """
    texts: dict[str, str] = {}
    for number, lane in enumerate(plan.lanes, 1):
        if len(lane.orders) <= 1:
            texts[f"{noun}-{number}.txt"] = _lines(lane.tests)
        else:
            for part, order in enumerate(lane.orders, 1):
                texts[f"{noun}-{number}.{part}.txt"] = _lines(order)
    return texts


def _lines(order: Order) -> str:
    for test in order:
        if len(test.splitlines()) != 1 or "\0" in test or not _is_text(test):
            raise UsageError(
                f"the id {shown(test)} does not fit on one line",
                hint="Rename the test, or export as JSON.",
                slug="id-unusable",
            )
    return "".join(f"{test}\n" for test in order)


def _is_text(test: str) -> bool:
    try:
        test.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def github_matrix(plan: Plan, seconds: Mapping[TestId, float]) -> str:
    """One line of JSON for `strategy.matrix`, to append to `$GITHUB_OUTPUT`. Each lane of the plan is a shard."""
    include = [
        {
            "shard": number,
            "of": len(plan.lanes),
            "seconds": round(sum(seconds.get(test, 0.0) for test in lane.tests), 3),
            "tests": len(lane.tests),
        }
        for number, lane in enumerate(plan.lanes, 1)
    ]
    return json.dumps({"include": include}, separators=(",", ":")) + "\n"


def gitlab_job(plan: Plan) -> str:
    """A job that GitLab starts once per shard; both number shards from 1."""
    return (
        f"unknot:\n  parallel: {len(plan.lanes)}\n  script:\n"
        '    - unknot run --frozen --shard "$CI_NODE_INDEX/$CI_NODE_TOTAL"\n'
    )
