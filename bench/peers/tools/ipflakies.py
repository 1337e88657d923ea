"""iPFlakies, the Python sibling of iDFlakies and iFixFlakies: random orders find dependent tests; for a test that
is named to it, pairs find polluters and setters."""

import json
from collections.abc import Sequence

from bench.peers.tools.tool import Answer, Tool
from bench.peers.truth import Claim, groups
from bench.peers.workbench import Workbench

_RESULTS = "ipflakies_result"


def _search(bench: Workbench, dependents: Sequence[str], answer: Answer) -> None:
    """It says which tests depend on the order, and not on what."""
    del dependents
    done = bench.run("python", "-m", "ipflakies", terminal=True)
    result = bench.directory / _RESULTS / "flakies.json"
    if not result.exists():
        answer.notes[f"`{done.last_line()}`"] += 1
        return
    found = json.loads(result.read_text(encoding="utf-8"))
    answer.claims.update({test: Claim() for test in found if test != "time"})
    answer.notes["100 random orders; names no causes"] += 1


def _name(bench: Workbench, dependents: Sequence[str], answer: Answer) -> None:
    answer.notes["each dependent test was given to it"] += 1
    for test in dependents:
        bench.renew()
        done = bench.run("python", "-m", "ipflakies", "-t", test, terminal=True)
        results = list((bench.directory / _RESULTS).glob("*/minimized.json"))
        if not results:
            answer.notes[f"`{done.last_line()}`"] += 1
            continue
        found = json.loads(results[0].read_text(encoding="utf-8"))
        if found["type"] == "brittle":
            setters = found.get("state-setter", {})
            answer.claims[test] = Claim(needs=groups(setters) if setters else groups())
        elif polluters := found.get("polluter"):
            answer.claims[test] = Claim(conflicts=groups(*([polluter] for polluter in polluters)))


_REQUIREMENTS = ("ipflakies==1.1.1", "pytest==6.2.5")
_PYTHONS = ("3.9", "3.10")

TOOLS = (
    Tool("iPFlakies 1.1.1, search", _REQUIREMENTS, _search, _PYTHONS),
    Tool("iPFlakies 1.1.1, tests named", _REQUIREMENTS, _name, _PYTHONS),
)
