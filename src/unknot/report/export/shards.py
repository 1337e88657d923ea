"""Shards for CI: a matrix for GitHub, a job for GitLab."""

import json
from collections.abc import Mapping

from unknot.model.plan import Plan
from unknot.model.suite import TestId


def github_matrix(plan: Plan, seconds: Mapping[TestId, float]) -> str:
    """One line of JSON for `strategy.matrix`, to be appended to `$GITHUB_OUTPUT`. Each lane of the plan is a shard."""
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
    """A job that GitLab starts once for each shard; it numbers them from 1, as we do."""
    return (
        f"unknot:\n  parallel: {len(plan.lanes)}\n  script:\n"
        '    - unknot run --frozen --shard "$CI_NODE_INDEX/$CI_NODE_TOTAL"\n'
    )
