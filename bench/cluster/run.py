"""`python bench/cluster/run.py`: seconds slept over workers times wall time, for local workers and a dask cluster.

Sleeps cost no processor, so the figure says what handing out orders costs, and what the end of an asking loses when
not all workers have something left. Worker processes and slots are opened before the clock starts."""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from dask_cluster import started_cluster

from bench.cluster.sleeping import SleepingSpec
from bench.kit.result import markdown, publish
from bench.kit.say import say
from unknot.model.run import OrderRequest
from unknot.model.suite import Suite, TestId
from unknot.runners.dispatch.slot_runner import SlotRunner
from unknot.runners.protocol import Listing
from unknot.runners.workers.cluster import connect
from unknot.runners.workers.slot import Workers
from unknot.runners.workers.threads import ThreadWorkers

_CHECKOUT = Path(__file__).resolve().parents[2]
_TESTS = 40
_SHORTEST, _LONGEST = 0.05, 0.5
_LONGEST_ORDER = 4
_COUNTS = (2, 4, 8)
_WANTED = 0.85


@dataclass(frozen=True)
class Row:
    kind: str
    workers: int
    orders: int
    slept: float
    wall: float

    @property
    def efficiency(self) -> float:
        return self.slept / (self.workers * self.wall)


def main() -> int:
    options = _options()
    if options.row:
        kind, count = options.kinds[0], options.workers[0]
        with _local(count) if kind == "local" else _dask(count) as workers:
            row = _measured(kind, workers, count, options.seconds, options.seed)
        sys.stdout.write(json.dumps(asdict(row)))
        return 0
    rows = [_by_a_caller_of_its_own(kind, count, options) for kind in options.kinds for count in options.workers]
    head = ["workers", "count", "orders", "slept (s)", "wall (s)", "efficiency"]
    cells = [
        [row.kind, str(row.workers), str(row.orders), f"{row.slept:.1f}", f"{row.wall:.1f}", f"{row.efficiency:.3f}"]
        for row in rows
    ]
    result = {"seed": options.seed, "rows": [{**asdict(row), "efficiency": row.efficiency} for row in rows]}
    publish(markdown(head, cells), result, options.json)
    return 0 if all(row.efficiency >= _WANTED for row in rows) else 1


def _by_a_caller_of_its_own(kind: str, count: int, options: argparse.Namespace) -> Row:
    """As a user would: no process connects to a second cluster after the first."""
    command = [sys.executable, __file__, kind, "--workers", str(count), "--row"]
    more = ["--seconds", str(options.seconds), "--seed", str(options.seed)]
    row = Row(**json.loads(subprocess.run([*command, *more], check=True, stdout=subprocess.PIPE).stdout))
    say(f"{kind}, {count} workers: {row.efficiency:.3f}")
    return row


def _measured(kind: str, workers: Workers, count: int, seconds: float, seed: int) -> Row:
    """Orders for about so many seconds of wall time."""
    chance = random.Random(seed)
    suite = Suite(tuple(TestId(f"sleep-{number}") for number in range(_TESTS)))
    lengths = {test: chance.uniform(_SHORTEST, _LONGEST) for test in suite.tests}
    requests: list[OrderRequest] = []
    slept = 0.0
    while slept < seconds * count:
        order = tuple(chance.sample(suite.tests, chance.randint(1, _LONGEST_ORDER)))
        requests.append(OrderRequest(order, len(requests)))
        slept += sum(lengths[test] for test in order)
    with SlotRunner(SleepingSpec(lengths), Listing(suite, (), _CHECKOUT, (), ()), workers) as oracle:
        list(oracle.run_in_turn([OrderRequest(suite.tests[:1], -number) for number in range(8 * count)]))
        began = time.monotonic()
        answered = sum(1 for _ in oracle.run_orders(requests))
        wall = time.monotonic() - began
    assert answered == len(requests)
    return Row(kind, count, len(requests), slept, wall)


@contextmanager
def _local(count: int) -> Iterator[Workers]:
    yield ThreadWorkers(count)


@contextmanager
def _dask(count: int) -> Iterator[Workers]:
    os.environ["PYTHONPATH"] = str(_CHECKOUT)
    # Every worker would look at its stack a hundred times a second, all on the cores of one machine.
    os.environ["DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED"] = "False"
    with tempfile.TemporaryDirectory() as directory, started_cluster(Path(directory), count) as cluster:
        yield connect(cluster.address)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=["local", "dask"])
    parser.add_argument("--workers", type=int, nargs="*", default=_COUNTS)
    parser.add_argument("--seconds", type=float, default=15.0, help="wall time of each row, if nothing were lost")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--row", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
