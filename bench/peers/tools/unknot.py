"""unknot, from the checkout: a detection, and `blame` of each test that is named to it."""

import json
from collections.abc import Sequence

from bench.kit.failure import BenchFailure
from bench.peers.tools.tool import Answer, Tool
from bench.peers.truth import Claim, groups, read_claims
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


def _blame(bench: Workbench, dependents: Sequence[str], answer: Answer, *options: str) -> None:
    """Each test from scratch: nothing is kept from one to the next."""
    answer.notes["each dependent test was given to it"] += 1
    fixes = 0
    for test in dependents:
        bench.renew()
        done = bench.run("unknot", "blame", test, "-q", "--format", "json", *options)
        try:
            found = json.loads(done.output[done.output.index("{") :])
        except ValueError:
            answer.notes[f"`{done.last_line()}`"] += 1
            continue
        needs = [claim["tests"] for claim in found["claims"] if claim["relation"].startswith("needs")]
        conflicts = [claim["tests"] for claim in found["claims"] if claim["relation"].startswith("broken")]
        fixes += any(claim["cut"] and claim["cut"]["diff"] for claim in found["claims"])
        if found["claims"]:
            answer.claims[test] = Claim(needs=groups(*needs), conflicts=groups(*conflicts))
    if fixes:
        answer.notes[f"with a tried change for {fixes}"] += 1


def _blame_only(bench: Workbench, dependents: Sequence[str], answer: Answer) -> None:
    _blame(bench, dependents, answer, "--no-reason")


TOOLS = (
    Tool("unknot", ("pytest==9.2.0",), _ask, is_unknot=True),
    Tool("unknot blame --no-reason, tests named", ("pytest==9.2.0",), _blame_only, is_unknot=True),
    Tool("unknot blame, tests named", ("pytest==9.2.0",), _blame, is_unknot=True),
)
