"""Three real browser suites: names, strings, seconds, and the true dependencies behind a simulated oracle."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from unknot.model.candidates import StringUse
from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.suite import Reference, Suite, TestId
from unknot.oracle.simulated import HiddenTruth
from unknot.store.suite_data import read_suite_data
from unknot.web.hints.strings import in_every_test

_DATA = Path(__file__).resolve().parents[2] / "tests" / "data"

FREE = {
    "claroline": frozenset({"admin", "Sciences"}),
    "mrbs": frozenset[str](),
    "ppma": frozenset[str](),
}
"""Values that the suite's owner would call dependency-free: what the application has from its installation, here the
administrator's login and a category. In the other two suites the login is in every test, and is dropped by itself."""


@dataclass(frozen=True)
class Subject:
    """`free` are the values that no edge may rest on; `true` is the graph that validation must arrive at."""

    name: str
    suite: Suite
    uses: tuple[StringUse, ...]
    free: frozenset[str]
    truth: HiddenTruth
    reference: Reference
    true: DependencyGraph


def subjects() -> Iterator[Subject]:
    for name, free in FREE.items():
        data = read_suite_data(_DATA / "e2e-suites" / f"{name}.json")
        told = json.loads((_DATA / "e2e-suites" / f"{name}.json").read_text("utf-8"))
        timed = json.loads((_DATA / "timed-graphs" / f"{name}.json").read_text("utf-8"))
        tests = data.suite.tests
        seconds = dict(zip(tests, timed["seconds"], strict=True))
        needs: dict[TestId, tuple[frozenset[TestId], ...]] = {}
        for dependent, prerequisite in told["dependencies"]:
            needs[tests[dependent]] = (*needs.get(tests[dependent], ()), frozenset({tests[prerequisite]}))
        yield Subject(
            name=name,
            suite=data.suite,
            uses=data.uses,
            free=free | in_every_test(data.uses),
            truth=HiddenTruth(needs, seconds=seconds),
            reference=Reference(dict.fromkeys(tests, Outcome.PASSED), seconds),
            true=DependencyGraph(len(tests), map(tuple, told["dependencies"])).reduction(),
        )
