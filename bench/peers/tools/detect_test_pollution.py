"""detect-test-pollution: bisects the other tests for the polluter of a test that is named to it."""

import re
from collections.abc import Sequence

from bench.peers.tools.tool import Answer, Tool
from bench.peers.truth import Claim, groups
from bench.peers.workbench import Workbench

_FOUND = re.compile(r"^-> the polluting test is: (.+)$", re.MULTILINE)


def _ask(bench: Workbench, dependents: Sequence[str], answer: Answer) -> None:
    answer.notes["each dependent test was given to it"] += 1
    for test in dependents:
        done = bench.run("detect-test-pollution", "--failing-test", test, "--tests", "tests")
        if found := _FOUND.search(done.output):
            answer.claims[test] = Claim(conflicts=groups([found.group(1)]))
        else:
            answer.notes[f"`{done.last_line()}`"] += 1


TOOLS = (Tool("detect-test-pollution 1.2.0", ("detect-test-pollution==1.2.0", "pytest==9.2.0"), _ask),)
