"""How much a detector itself thinks and keeps on a large suite, measured in a process of its own."""

import multiprocessing
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.detectors.families import scattered
from bench.detectors.measure import Alarm, hide
from unknot.detect.algorithms import ALGORITHMS
from unknot.detect.engine.options import Options
from unknot.model.run import OrderRequest, Run
from unknot.oracle.protocol import Oracle, Price
from unknot.oracle.simulated import SimulatedOracle

MOST_SECONDS = 60.0
MOST_MEGABYTES = 1_000.0

_PATIENCE = 4 * MOST_SECONDS
"""CPU seconds after which it is stopped: by how much a limit is missed is worth knowing, but not for ever."""


@dataclass(frozen=True)
class Endurance:
    """`thinking` is CPU seconds outside the simulated oracle; `megabytes` the peak of the whole process, with Python,
    the oracle, and every answer that the detector keeps."""

    detector: str
    factor: float
    tests_of_suite: int
    dependencies: int
    thinking: float
    answering: float
    megabytes: float
    orders: int
    tests: int
    complete: bool
    right: bool


def endure(detector: str, factor: float, size: int, edges: int, seed: int) -> Endurance:
    """In a fresh interpreter, so that its peak of memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_endure, (detector, factor, size, edges, seed))


def _endure(detector: str, factor: float, size: int, edges: int, seed: int) -> Endurance:
    hidden = hide(scattered(size, edges, seed))
    oracle = _Timed(SimulatedOracle(hidden.truth, clean_state=factor))
    began = time.process_time()
    with Alarm().after(_PATIENCE):
        dependencies = ALGORITHMS[detector](hidden.suite, oracle, Options(reorders=False, reference=hidden.reference))
    took = time.process_time() - began
    index = hidden.suite.index
    found = {(index[need.dependent], index[other]) for need in dependencies.needs for other in need.any_of}
    return Endurance(
        detector,
        factor,
        size,
        edges,
        thinking=took - oracle.seconds,
        answering=oracle.seconds,
        megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        orders=dependencies.cost.orders,
        tests=dependencies.cost.tests,
        complete=dependencies.complete,
        right=found == set(hidden.reduced.edges()),
    )


class _Timed:
    """Counts the CPU seconds that the inner oracle takes."""

    def __init__(self, inner: Oracle) -> None:
        self._inner = inner
        self.seconds = 0.0

    @property
    def price(self) -> Price:
        return self._inner.price

    def run_orders(self, requests: Sequence[OrderRequest]) -> Iterator[Run]:
        answers = self._inner.run_orders(requests)
        while True:
            began = time.process_time()
            run = next(answers, None)
            self.seconds += time.process_time() - began
            if run is None:
                return
            yield run
