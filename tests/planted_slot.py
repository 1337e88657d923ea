"""A slot whose tests sleep, and depend on each other as was planted. Worker processes import it by its name."""

import os
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.model.outcome import Outcome
from unknot.model.run import Result
from unknot.model.suite import Order, Suite, TestId
from unknot.runners.protocol import Listing
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.workers.slot import Answered


@dataclass(frozen=True)
class PlantedSpec:
    """A test passes if what it needs ran before it and nothing that breaks it did. `log` is a directory in which a
    file is made for every slot that was opened, and a line added for every order that was begun. `raising` are tests
    that make the slot raise."""

    needs: Mapping[TestId, frozenset[TestId]] = field(default_factory=dict)
    broken_by: Mapping[TestId, frozenset[TestId]] = field(default_factory=dict)
    seconds: float = 0.0
    log: Path | None = None
    raising: frozenset[TestId] = frozenset()
    has_server: bool = False
    can_share: bool = False
    clean_state: float = 0.1

    def open(self, sandbox: Sandbox) -> "PlantedSlot":
        return PlantedSlot(self, sandbox)


class PlantedSlot:
    def __init__(self, spec: PlantedSpec, sandbox: Sandbox) -> None:
        self._spec = spec
        self._sandbox = sandbox
        self._write_line("opened", str(sandbox.home))
        if spec.has_server:
            script = "setsid sleep 1000 >/dev/null 2>&1 & echo $!"
            started = subprocess.run(
                ["sh", "-c", script], env={**os.environ, **sandbox.mark}, stdout=subprocess.PIPE, text=True, check=True
            )
            self._write_line("server", started.stdout.strip())

    def _write_line(self, file: str, line: str) -> None:
        if self._spec.log is not None:
            with open(self._spec.log / file, "a", encoding="utf-8") as lines:
                lines.write(f"{os.getpid()} {self._sandbox.number} {line}\n")

    def answer(
        self,
        orders: Sequence[Order],
        *,
        shares: bool,
        in_lanes: bool = False,  # noqa: ARG002
    ) -> Generator[Answered, None, None]:
        earlier: set[Order] = set()
        for order in orders:
            self._write_line("began", " ".join(order) + (" shares" if shares else ""))
            results = tuple(self._result(order, position) for position in range(len(order)))
            shared = max((len(each) for each in earlier if order[: len(each)] == each), default=0) if shares else 0
            if shares:
                earlier.update(order[:end] for end in range(1, len(order) + 1))
            yield Answered(results, len(order) - shared, sum(each.seconds for each in results))
            self._write_line("ended", " ".join(order))

    def _result(self, order: Order, position: int) -> Result:
        spec, test, before = self._spec, order[position], frozenset(order[:position])
        self._misbehave(test)
        time.sleep(spec.seconds)
        is_good = spec.needs.get(test, frozenset()) <= before and before.isdisjoint(spec.broken_by.get(test, ()))
        return Result(Outcome.PASSED if is_good else Outcome.FAILED, spec.seconds, "" if is_good else "as planted")

    def _misbehave(self, test: TestId) -> None:
        if test in self._spec.raising:
            raise RunnerError(f"{test} raises", slug="worker-failed", hint="do not ask for it")

    def renew(self) -> None:
        self._write_line("renewed", "")

    def close(self) -> None:
        self._write_line("closed", str(self._sandbox.home))


def suite_of(count: int) -> Suite:
    return Suite(tuple(TestId(f"t{number:02}") for number in range(count)))


def listing_of(suite: Suite, root: Path) -> Listing:
    file = root / "suite.txt"
    file.write_text("\n".join(suite.tests), encoding="utf-8")
    return Listing(suite, (file,) * len(suite), root, (), ())
