"""whyflaky: random orders, then delta debugging for tests that pass alone."""

import json
from collections.abc import Sequence

from bench.peers.tools.tool import Answer, Tool
from bench.peers.truth import Claim, groups
from bench.peers.workbench import Workbench

_REPORT = "whyflaky.json"


def _ask(bench: Workbench, dependents: Sequence[str], answer: Answer) -> None:
    del dependents  # it finds them by itself
    done = bench.run("whyflaky", "scan", ".", "--json", _REPORT)
    report = bench.directory / _REPORT
    if not report.exists():
        answer.notes[f"`{done.last_line()}`"] += 1
        return
    found = json.loads(report.read_text(encoding="utf-8"))
    for entry in found["flakes"]:
        polluters = (entry["diagnosis"] or {}).get("polluters") or []
        broken = entry["kind"].startswith("always failing")
        conflicts = groups(polluters) if polluters else groups()
        answer.claims[entry["test_id"]] = Claim(conflicts=conflicts, dependent=not broken)
        if broken:
            answer.notes["called `always failing (brittle or broken)`"] += 1
    if found["cost"]["exhausted"]:
        answer.notes[f"its budget of {found['cost']['budget_trials']} runs was used up"] += 1


TOOLS = (Tool("whyflaky 0.1.0", ("whyflaky==0.1.0", "pytest==9.2.0"), _ask),)
