"""`python bench/resets/run.py [--sizes KB …] [--rounds N]`: seconds of each reset on real servers, side by side."""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.kit.result import machine
from bench.kit.say import say
from bench.resets.systems import SYSTEMS, System
from unknot.model.errors import RunnerError
from unknot.runners.sandbox.sandbox import OpenSandbox
from unknot.runners.sut.instance import Instance
from unknot.runners.sut.spec import InstanceSpec, ResetSpec

_SIZES = (100, 10_000, 200_000)


@dataclass(frozen=True)
class Row:
    """`begin` is from nothing to ready, the clean state kept; `resets` are from a spoilt state to ready, in rounds."""

    system: str
    reset: str
    kilobytes: int
    begin: float
    resets: tuple[float, ...]
    problem: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.resets)


def main() -> int:
    options = _options()
    rows = []
    for kilobytes in options.sizes:
        for system in SYSTEMS:
            if options.systems and system.name not in options.systems:
                continue
            for name, reset in system.resets.items():
                say(f"{kilobytes:,} KB, {system.name}, {name}")
                rows.append(_measured(system, name, reset, kilobytes, options.rounds))
    about = machine()
    sys.stdout.write(f"{about['cores']} cores, Python {about['python']}, homes in {_place()}\n\n{_table(rows)}")
    return 0


def _measured(system: System, name: str, reset: ResetSpec, kilobytes: int, rounds: int) -> Row:
    sandbox = OpenSandbox()
    try:
        work = sandbox.sandbox.home / "work"
        work.mkdir()
        spec = _with_reset(system.spec(kilobytes), reset)
        instance = Instance(spec, sandbox.sandbox, work, dict(os.environ))
        try:
            began = time.monotonic()
            instance.begin()
            begin = time.monotonic() - began
            clean = system.count(instance.placeholders)
            seconds = []
            problem = ""
            for _ in range(rounds):
                system.spoil(instance.placeholders)
                began = time.monotonic()
                instance.reset()
                seconds.append(time.monotonic() - began)
                if system.count(instance.placeholders) != clean:
                    problem = "does not reset"
            return Row(system.name, name, kilobytes, begin, tuple(seconds), problem)
        finally:
            instance.stop()
    except RunnerError as error:
        return Row(system.name, name, kilobytes, 0.0, (0.0,), error.message)
    finally:
        sandbox.close()


def _with_reset(spec: InstanceSpec, reset: ResetSpec) -> InstanceSpec:
    return replace(spec, reset=reset)


def _table(rows: Sequence[Row]) -> str:
    lines = [
        "| system | data | reset | begin s | reset s | restart is … times as long | |",
        "|---|--:|---|--:|--:|--:|---|",
    ]
    restarts = {(row.system, row.kilobytes): row.median for row in rows if row.reset == "restart"}
    for row in rows:
        restart = restarts.get((row.system, row.kilobytes), 0.0)
        ratio = f"{restart / row.median:.1f}" if row.median else ""
        size = f"{row.kilobytes / 1000:g} MB"
        lines.append(
            f"| {row.system} | {size} | {row.reset} | {row.begin:.2f} | {row.median:.3f} | {ratio} | {row.problem} |"
        )
    return "\n".join(lines) + "\n"


def _place() -> str:
    return os.environ.get("TMPDIR") or "memory (tmpfs)"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=_SIZES, metavar="KB", help="kilobytes of data")
    parser.add_argument("--systems", nargs="+", metavar="NAME", choices=[system.name for system in SYSTEMS])
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="resets of each; the median is told")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
