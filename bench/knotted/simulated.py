"""`python -m bench.knotted.simulated`: 50 simulated suites with dependencies of every kind: what is claimed falsely,
what is found, and what it costs. No test is run.

Each suite is searched three times: without a recording, with one that shows every flow, and with one that lacks a third
of them and has as many that mean nothing. A claim is false if an order refutes it (see `judge.py`).
"""

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bench.kit.result import markdown
from bench.kit.say import say
from bench.knotted.drawn import NO_PROOF
from bench.knotted.judge import Verdict, judged
from unknot.detect.algorithms import ALGORITHMS, DEFAULT
from unknot.detect.engine.options import Options
from unknot.hints.recording import RecordedFlows
from unknot.model.bits import bits
from unknot.model.dependencies import Conflict, Dependencies, Need
from unknot.model.outcome import Outcome
from unknot.model.suite import Suite, TestId
from unknot.oracle.count import CountingOracle
from unknot.oracle.simulated import HiddenConflict, HiddenTruth, SimulatedOracle

SUITES = 50
SIZES = (40, 100)
RECORDINGS = ("none", "right", "poor")
_SECONDS = (0.02, 0.12)
_CLEAN_STATE = 0.02
_FLAKY_TESTS = 0.02
_FLAKY_RATE = (0.05, 0.5)
_SECOND_PART = 0.2


@dataclass(frozen=True)
class Drawn:
    """One suite: what is hidden, the same as dependencies, and the pairs (reader, writer) of shared state."""

    hidden: HiddenTruth
    truth: Dependencies
    shared: frozenset[tuple[int, int]]


@dataclass
class Tally:
    planted: int = 0
    found: int = 0
    orders: int = 0
    tests: int = 0
    work: list[float] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    unfinished: int = 0

    def add(self, name: str, verdict: Verdict, counted: CountingOracle, size: int, *, complete: bool) -> None:
        self.planted += verdict.planted
        self.found += verdict.found
        self.orders += counted.orders
        self.tests += counted.tests
        self.work.append(counted.tests / size)
        self.false += [f"{name}: {text}" for text in verdict.false]
        self.missed += [f"{name}: {text}" for text in (*verdict.missed, *verdict.partly)]
        self.unfinished += not complete


def main() -> int:
    options = _options()
    rows = []
    is_right = True
    for recording in options.recordings:
        tally = searched(recording, options.suites, options.algorithm)
        for text in tally.false:
            say(f"{recording}: false: {text}")
        for text in tally.missed if options.verbose else ():
            say(f"{recording}: missed: {text}")
        is_right &= not tally.false
        rows.append(_row(recording, tally))
    head = ("recording", "suites", "planted", "found", "recall", "false", "orders", "test runs", "plain runs of work")
    sys.stdout.write(markdown((*head, "incomplete"), rows))
    return 0 if is_right else 1


def searched(recording: str, suites: int, algorithm: str = DEFAULT) -> Tally:
    """The suites of seeds 0, 1, 2 and so on, with this kind of recording."""
    tally = Tally()
    for seed in range(suites):
        drawn = draw(seed)
        tests = drawn.truth.suite
        oracle = SimulatedOracle(drawn.hidden, clean_state=_CLEAN_STATE, workers=2, shares_prefixes=True, seed=seed)
        counted = CountingOracle(oracle)
        flows = recorded(drawn, recording, random.Random(seed))
        found = ALGORITHMS[algorithm](tests, counted, Options(recorded=flows, seed=seed))
        verdict = judged(found, drawn.truth, drawn.hidden)
        tally.add(f"seed {seed}", verdict, counted, len(tests), complete=found.complete)
    return tally


def draw(seed: int) -> Drawn:
    """40 to 100 tests, a third with a part in a dependency; one in five of those has a part in a second one, as
    far as the suite stays green in its own order and every test passes after what it needs. One test in fifty is flaky,
    and has no other part."""
    chance = random.Random(seed)
    while True:
        drawn = _draw(chance)
        if _is_sound(drawn):
            return drawn


def _is_sound(drawn: Drawn) -> bool:
    """Whether all orders pass in which a planted dependency is proved: the dependent or victim after all it needs."""
    truth, hidden = drawn.truth, replace(drawn.hidden, flaky={})
    orders = [truth.suite.tests, *map(truth.closure, truth.suite.tests)]
    return all(
        outcome is Outcome.PASSED for order in orders for outcome in hidden.outcomes(order, random.Random(0))
    ) and all(_shows(hidden, truth, conflict) for conflict in truth.conflicts)


def _shows(hidden: HiddenTruth, truth: Dependencies, conflict: Conflict) -> bool:
    """Whether the victim fails after its polluters for no other reason than this conflict."""
    whole = dict.fromkeys(test for each in (*conflict.polluters, conflict.victim) for test in truth.closure(each))
    order = (*(test for test in whole if test != conflict.victim), conflict.victim)
    others = tuple(each for each in hidden.conflicts if each.victim != conflict.victim)
    there, gone = (list(each.outcomes(order, random.Random(0))) for each in (hidden, replace(hidden, conflicts=others)))
    good = [Outcome.PASSED] * (len(order) - 1)
    return [*good, Outcome.FAILED] == there and [*good, Outcome.PASSED] == gone


def _draw(chance: random.Random) -> Drawn:
    size = chance.randint(*SIZES)
    tests = tuple(TestId(f"test_{place // 10:02}.py::test_{place:03}") for place in range(size))
    free = chance.sample(range(size), size)
    needs: list[tuple[int, list[int]]] = []
    conflicts: list[tuple[int, list[int], list[int]]] = []

    flaky, free = free[: round(size * _FLAKY_TESTS)], free[round(size * _FLAKY_TESTS) :]
    used: list[int] = []

    def take(count: int) -> list[int]:
        taken, free[:] = free[:count], free[count:]
        if used and chance.random() < _SECOND_PART and (other := chance.choice(used)) not in taken:
            free.append(taken.pop())
            taken.append(other)
        used.extend(taken)
        return sorted(taken)

    for _ in range(size // 20):
        *setters, dependent = take(chance.choice((2, 2, 3, 4)))
        needs.append((dependent, setters))
    for _, setters in needs[: size // 40]:
        if earlier := [place for place in free if place < setters[0]]:
            free.remove(earlier[0])
            needs.append((setters[0], [earlier[0]]))
    for _ in range(size // 30):
        victim, polluter = take(2)
        conflicts.append((victim, [polluter], []))
    for _ in range(size // 30):
        polluter, *cleaners, victim = take(chance.choice((3, 4)))
        conflicts.append((victim, [polluter], cleaners))
    for _ in range(size // 40):
        victim, *polluters = take(3)
        conflicts.append((victim, polluters, []))
    return _drawn(tests, needs, conflicts, flaky, chance)


def _drawn(
    tests: Sequence[TestId],
    needs: Sequence[tuple[int, list[int]]],
    conflicts: Sequence[tuple[int, list[int], list[int]]],
    flaky: Iterable[int],
    chance: random.Random,
) -> Drawn:
    def named(places: Iterable[int]) -> tuple[TestId, ...]:
        return tuple(tests[place] for place in places)

    clauses: dict[TestId, tuple[frozenset[TestId], ...]] = {}
    for dependent, setters in needs:
        clauses[tests[dependent]] = (*clauses.get(tests[dependent], ()), frozenset(named(setters)))
    hidden = HiddenTruth(
        clauses,
        tuple(
            HiddenConflict(tests[victim], frozenset(named(polluters)), frozenset(named(cleaners)))
            for victim, polluters, cleaners in conflicts
        ),
        {tests[place]: chance.uniform(*_FLAKY_RATE) for place in flaky},
        {test: chance.uniform(*_SECONDS) for test in tests},
    )
    truth = Dependencies(
        Suite(tuple(tests)),
        dict.fromkeys(tests, Outcome.PASSED),
        hidden.seconds,
        tuple(Need(tests[dependent], named(setters), NO_PROOF) for dependent, setters in needs),
        tuple(
            Conflict(tests[victim], named(polluters), named(cleaners), NO_PROOF)
            for victim, polluters, cleaners in conflicts
        ),
        flaky=named(flaky),
    )
    shared = {(dependent, setter) for dependent, setters in needs for setter in setters}
    shared |= {(victim, each) for victim, polluters, cleaners in conflicts for each in (*polluters, *cleaners)}
    return Drawn(hidden, truth, frozenset(shared))


def recorded(drawn: Drawn, kind: str, chance: random.Random) -> RecordedFlows | None:
    """What a recording of the suite's own order shows: who wrote what a test reads, then or at any time."""
    if kind == "none":
        return None
    size = len(drawn.truth.suite)
    pairs = sorted(drawn.shared)
    if kind == "poor":
        pairs = [pair for pair in pairs if chance.random() < 2 / 3]
        pairs += [(chance.randrange(size), chance.randrange(size)) for _ in pairs]
    pairs = [(reader, writer) for reader, writer in pairs if reader != writer]
    any_time = tuple(bits(writer for each, writer in pairs if each == reader) for reader in range(size))
    before = tuple(row & ((1 << reader) - 1) for reader, row in enumerate(any_time))
    return RecordedFlows(before, any_time, any_time)


def _row(recording: str, tally: Tally) -> list[str]:
    work = sorted(tally.work)
    return [
        recording,
        str(len(work)),
        str(tally.planted),
        str(tally.found),
        f"{100 * tally.found / max(1, tally.planted):.1f} %",
        str(len(tally.false)),
        f"{tally.orders:,}",
        f"{tally.tests:,}",
        f"{work[len(work) // 2]:.1f} (median)",
        str(tally.unfinished),
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Simulated suites with everything: false claims, recall, cost.")
    parser.add_argument("--suites", type=int, default=SUITES, metavar="N", help=f"how many (default: {SUITES})")
    parser.add_argument("--algorithm", choices=sorted(ALGORITHMS), default=DEFAULT)
    parser.add_argument("--recordings", nargs="+", choices=RECORDINGS, default=RECORDINGS)
    parser.add_argument("-v", "--verbose", action="store_true", help="name what was missed")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
