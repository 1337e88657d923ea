"""`python bench/load/run.py`: a whole detection of a suite whose every test is a process that sleeps for 1 ms.

What unknot adds to an order is (wall time − time in the suite's own processes) / orders, with one worker. The time in
the suite's own processes is measured side by side: a loop that does nothing else starts the same processes in the same
sequence, so that both meet the same machine. `own` is the processor time of unknot's own processes for each order, with
what it takes to start processes, which the loop needs as well. Memory is the peak of the process that the user starts.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.result import markdown, publish
from bench.kit.say import say
from bench.load.detection import Detection, detect
from bench.load.replay import Replay
from bench.load.suites import KINDS, Sleeping

_MOST_MEGABYTES = 300.0
_MOST_ADDED = 0.005


@dataclass(frozen=True)
class Row:
    kind: str
    tests: int
    detection: Detection
    suite_seconds: float

    @property
    def added(self) -> float:
        """Seconds for each order."""
        return (self.detection.seconds - self.suite_seconds) / self.detection.orders

    @property
    def own(self) -> float:
        """Seconds of processor time for each order."""
        return self.detection.processor_seconds / self.detection.orders

    @property
    def is_good(self) -> bool:
        return self.added < _MOST_ADDED and self.detection.peak_mb < _MOST_MEGABYTES

    def cells(self) -> list[str]:
        done = self.detection
        return [
            self.kind,
            str(self.tests),
            str(done.orders),
            str(done.runs),
            f"{done.seconds:.1f}",
            f"{self.suite_seconds:.1f}",
            f"{1000 * self.added:.2f}",
            f"{1000 * self.added * done.orders / done.runs:.2f}",
            f"{1000 * self.own:.2f}",
            f"{done.peak_mb:.0f}",
        ]


def main() -> int:
    options = _options()
    rows = []
    for kind in options.kinds:
        rows.append(_measured(kind, options.tests, options.detect))
        say(f"{kind}: {1000 * rows[-1].added:.2f} ms added to an order, {rows[-1].detection.peak_mb:.0f} MB")
    head = ["processes", "tests", "orders", "tests run", "wall (s)", "suite (s)", "added to an order (ms)"]
    head += ["to a test run (ms)", "own (ms)", "peak (MB)"]
    told = [{**asdict(row), "added": row.added, "own": row.own} for row in rows]
    publish(markdown(head, [row.cells() for row in rows]), {"rows": told}, options.json)
    return 0 if all(row.is_good for row in rows) else 1


def _measured(kind: str, tests: int, more: Sequence[str]) -> Row:
    with tempfile.TemporaryDirectory(prefix="unknot-load-") as directory:
        suite = Sleeping(kind, tests, Path(directory))
        suite.write()
        replay = Replay(suite)
        replay.start()
        try:
            done = detect(suite, more)
        finally:
            replay.is_over.set()
            replay.join()
        return Row(kind, tests, done, replay.spent)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(KINDS), metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--tests", type=int, default=2000)
    parser.add_argument("--detect", action="append", default=[], metavar="OPTION", help="for `unknot detect`")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
