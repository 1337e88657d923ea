"""What follows from a specification once directories and ports are known."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from unknot.runners.sandbox.ports import Ports
from unknot.runners.sut.commands import CommandContext, Log
from unknot.runners.sut.paths import InstancePaths
from unknot.runners.sut.placeholders import filled_words, own_environment, placeholders, variables
from unknot.runners.sut.program import Program
from unknot.runners.sut.ready import Check, make_check
from unknot.runners.sut.resets.kinds import make_reset
from unknot.runners.sut.resets.protocol import Reset, ResetContext
from unknot.runners.sut.spec import InstanceSpec

MARK = "UNKNOT_INSTANCE"


@dataclass(frozen=True)
class InstanceContext:
    """What an instance has as long as it is there. `environment` is what its own starts from; `token` is its alone."""

    paths: InstancePaths
    work: Path
    worker: int
    environment: Mapping[str, str]
    token: str


@dataclass(frozen=True)
class InstanceParts:
    """An instance's parts for one choice of ports. Nothing of it runs yet."""

    ports: Ports
    variables: Mapping[str, str]
    placeholders: Mapping[str, str]
    around: CommandContext
    prepare: tuple[str, ...]
    program: Program
    check: Check
    check_log: Log
    reset: Reset

    @classmethod
    def make(cls, spec: InstanceSpec, ports: Ports, has: InstanceContext) -> "InstanceParts":
        """Raises UsageError if what the user said cannot be meant."""
        directory = has.paths.directory
        values = placeholders(directory, ports.numbers, has.worker)
        given = variables(directory, ports.numbers, has.worker)
        always = {**given, MARK: has.token, "TMPDIR": str(has.paths.temporary)}
        environment = own_environment(has.environment, spec.environment, values, always)
        around = CommandContext(has.work, environment, Log(has.paths.log))
        checking = CommandContext(has.work, environment, Log(has.paths.check_log))
        return cls(
            ports=ports,
            variables=given,
            placeholders=values,
            around=around,
            prepare=filled_words(spec.prepare, values),
            program=Program(
                filled_words(spec.start, values),
                filled_words(spec.stop, values),
                around,
                f"{MARK}={has.token}".encode(),
                daemon=spec.daemon,
            ),
            check=make_check(filled_words(spec.ready, values), ports.numbers, checking),
            check_log=checking.log,
            reset=make_reset(spec.reset, ResetContext(directory, has.work, has.paths.store, environment, values)),
        )


def can_fork(spec: InstanceSpec) -> bool:
    """Whether an instance can keep states in the midst of an order. A program that must be stopped for that would lose
    what it holds in memory, and the rest of the order would meet another system than without: so then not."""
    nowhere = Path("/nonexistent")
    values = placeholders(nowhere / "dir", range(spec.ports), 0)
    reset = make_reset(spec.reset, ResetContext(nowhere / "dir", nowhere / "work", nowhere / "store", {}, values))
    return reset.can_fork and not (reset.needs_stop and spec.start)
