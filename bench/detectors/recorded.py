"""What right and wrong recordings save sieve: orders and tests, proofs included, on the benchmark's graphs.

    python -m bench.detectors.recorded

Prints a Markdown table. A right recording has every dependency as a flow and nothing else; "half missing" lacks every
other one; "x 10" has nine false ones for each true one.
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import replace

from bench.detectors.families import FAMILIES, Edges, Subject, drawn, drawn_with
from bench.detectors.measure import Hidden, hide
from bench.detectors.subjects import PUBLISHED, web_suites
from unknot.detect.engine.options import Options
from unknot.detect.sieve.sieve import sieve
from unknot.hints.recording import RecordedFlows
from unknot.oracle.count import CountingOracle
from unknot.oracle.simulated import SimulatedOracle

SIZES = (50, 100, 202)
SPARSE = (0.001, 0.005)
PRICES = {"fast tests, cheap": (0.005, 0.005), "slow tests, cheap": (1.0, 0.01), "slow tests, expensive": (1.0, 10.0)}
"""Seconds of a test, and of a clean state."""
KINDS = ("right", "half missing", "x 10", "trusted")


def main() -> None:
    _tell(["graph", "tests", "needs", "price", "without", *KINDS])
    _tell(["---"] * (5 + len(KINDS)))
    for subject in _subjects():
        hidden = hide(subject)
        for price, (seconds, clean_state) in PRICES.items():
            kinds = {kind: _cost(hidden, seconds, clean_state, _options(subject, kind)) for kind in ("", *KINDS)}
            needs = sum(1 for _ in hidden.reduced.edges())
            _tell([subject.family, str(subject.size), str(needs), price, *kinds.values()])


def _tell(cells: list[str]) -> None:
    sys.stdout.write("| " + " | ".join(cells) + " |\n")
    sys.stdout.flush()


def _subjects() -> Iterator[Subject]:
    for size in SIZES:
        for family in FAMILIES:
            yield drawn(family, size, 0, 0)
        for probability in SPARSE:
            sparse = drawn_with(probability, size, 0, 0)
            yield replace(sparse, family=f"{sparse.family} = {probability}")
    yield from (suite for suite in web_suites() if suite.family.endswith(PUBLISHED))


def _options(subject: Subject, kind: str) -> Options:
    if not kind:
        return Options(reorders=False)
    rows = [0] * subject.size
    for dependent, prerequisite in _flows(subject, kind):
        rows[dependent] |= 1 << prerequisite
    recorded = RecordedFlows(tuple(rows), tuple(rows), tuple(rows))
    return Options(reorders=False, recorded=recorded, trusts_recording=kind == "trusted")


def _flows(subject: Subject, kind: str) -> Edges:
    if kind == "half missing":
        return subject.edges[::2]
    if kind != "x 10":
        return subject.edges
    chance = random.Random(subject.size)
    pairs = [(later, earlier) for later in range(subject.size) for earlier in range(later)]
    false = chance.sample(pairs, min(len(pairs) // 2, 9 * (len(subject.edges) or subject.size)))
    return (*subject.edges, *false)


def _cost(hidden: Hidden, seconds: float, clean_state: float, options: Options) -> str:
    """Orders and tests, and whether the graph found is another than the hidden one."""
    each = {test: whole * seconds for test, whole in hidden.reference.seconds.items()}
    counted = CountingOracle(SimulatedOracle(replace(hidden.truth, seconds=each), clean_state=clean_state))
    dependencies = sieve(hidden.suite, counted, replace(options, reference=replace(hidden.reference, seconds=each)))
    index = hidden.suite.index
    found = {(index[need.dependent], index[other]) for need in dependencies.needs for other in need.any_of}
    wrong = "" if found == set(hidden.reduced.edges()) else " (other graph)"
    return f"{counted.orders} / {counted.tests}{wrong}"


if __name__ == "__main__":
    main()
