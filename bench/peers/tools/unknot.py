"""unknot, from the checkout."""

import json
from collections.abc import Sequence

from bench.kit.failure import BenchFailure
from bench.peers.tools.tool import Answer, Tool
from bench.peers.truth import read_claims
from bench.peers.workbench import Workbench
from unknot.store.known_result import read_known_result
from unknot.store.state_directory import STATE, StateDirectory


def _ask(bench: Workbench, dependents: Sequence[str], answer: Answer) -> None:
    del dependents  # it finds them by itself
    done = bench.run("unknot", "detect", "--no-cache", "-q")
    lock = bench.directory / "unknot.lock.json"
    if not lock.exists():
        raise BenchFailure(f"`{done.last_line()}`")
    found = json.loads(lock.read_text(encoding="utf-8"))
    answer.claims.update(read_claims(found))
    cost = read_known_result(lock, StateDirectory(bench.directory / STATE)).cost
    answer.notes[f"{cost.orders} orders, {cost.tests} test runs"] += 1
    if not found["complete"]:
        answer.notes["says that its answer is not complete"] += 1


TOOLS = (Tool("unknot", ("pytest==9.2.0",), _ask, is_unknot=True),)
