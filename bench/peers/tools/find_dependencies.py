"""pytest-find-dependencies: runs the suite forwards and backwards, and bisects what then fails."""

import re
from collections.abc import Sequence

from bench.peers.tools.tool import Answer, Tool
from bench.peers.truth import Claim, groups
from bench.peers.workbench import Workbench

_RESULTS = re.compile(r"^=+ Results =+$", re.MULTILINE)
_DEPENDS = re.compile(r"^  (\S+) depends on (\S+)$", re.MULTILINE)
_PERMANENT = re.compile(r"^Tests failing permanently after all tests have run:\n((?:  \S+\n)+)", re.MULTILINE)
_ERROR = re.compile(r"^INTERNALERROR> (\w+Error\b.*)$", re.MULTILINE)


def _ask(bench: Workbench, dependents: Sequence[str], answer: Answer) -> None:
    del dependents  # it finds them by itself
    output = bench.run("pytest", "--find-dependencies").output
    if not _RESULTS.search(output):
        crash = _ERROR.search(output)
        answer.notes[f"crashed: `{crash.group(1)}`" if crash else "ended without a result"] += 1
        return
    for test, culprit in _DEPENDS.findall(output):
        answer.claims[test] = Claim(conflicts=groups([culprit]))
    for block in _PERMANENT.findall(output):
        for test in block.split():
            answer.claims[test] = Claim(dependent=False)
            answer.notes["called `failing permanently`"] += 1


TOOLS = tuple(
    Tool(f"pytest-find-dependencies {version}", (f"pytest-find-dependencies=={version}", "pytest==9.2.0"), _ask)
    for version in ("0.5.3", "0.6.0")
)
