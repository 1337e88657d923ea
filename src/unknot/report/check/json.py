"""`check` for programs. Documented in docs/reference/json.md."""

import json

from unknot import __version__
from unknot.report.check.findings import CheckReport
from unknot.report.reasons import sentences
from unknot.store.known_result import cost_to_json
from unknot.store.lock import claim_to_json, escape_surrogates


def check_json(check: CheckReport) -> str:
    now = check.comparison.now
    document = {
        "format": 1,
        "tool": f"unknot {__version__}",
        "new": [
            {
                "kind": finding.rule,
                **claim_to_json(finding.claim),
                "why": list(sentences(finding.claim.why)),
                **({"line": finding.line} if finding.line else {}),
                "commands": [command for _, command in finding.commands],
            }
            for finding in check.findings
        ],
        "gone": [{**claim_to_json(claim), "why": list(sentences(claim.why))} for claim in check.comparison.gone],
        "flaky": list(now.flaky),
        "failing": list(now.failing),
        "complete": now.complete,
        "updated": check.is_update,
        "cost": cost_to_json(now.cost),
    }
    return escape_surrogates(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"
