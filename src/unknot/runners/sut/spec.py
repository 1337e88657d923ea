"""How to have a copy of the system under test, and how to put it back: the user's configuration as one value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

CLEAN_SECONDS = 0.5
"""What it costs to put a system back and to connect to it again, in seconds, for predictions only. A constant, as all
prices are: a detector's requests must not change from one day to the next."""


@dataclass(frozen=True)
class ResetSpec:
    """`kind` is a name that `resets` knows; `options` are that kind's own, with placeholders not yet filled."""

    kind: str = "restart"
    options: tuple[tuple[str, str | tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class InstanceSpec:
    """`start` are the words of a command that stays in the foreground while the system runs, or, with `daemon`, one
    that returns when it is up; `stop` one that ends it (a signal does otherwise). `prepare` is run once for each copy,
    before it is started for the first time. `ready` is what says that it is up: `http://…` (any status below 500),
    `port` (all ports accept), or the words of a command that succeeds; nothing means at once. Words may have the
    placeholders `{dir}`, `{port0}`, `{port1}`, …, `{worker}`; the environment has UNKNOT_DIR, UNKNOT_PORT_0, …,
    UNKNOT_WORKER. Without `start` there is nothing to be started: only directories and a reset. `files` are globs of
    what the system is made of; `coverage` names its packages and directories whose lines count as its own code.
    """

    start: tuple[str, ...] = ()
    daemon: bool = False
    stop: tuple[str, ...] = ()
    prepare: tuple[str, ...] = ()
    ready: tuple[str, ...] = ()
    ready_seconds: float = 30.0
    ports: int = 0
    environment: tuple[tuple[str, str], ...] = ()
    reset: ResetSpec = ResetSpec()
    files: tuple[str, ...] = ()
    coverage: tuple[str, ...] = ()

    def texts(self) -> Iterator[tuple[str, Sequence[str]]]:
        """Whatever may have placeholders, by its key in the configuration."""
        yield "start", self.start
        yield "stop", self.stop
        yield "prepare", self.prepare
        yield "ready", self.ready
        for name, value in self.environment:
            yield f"env.{name}", (value,)
        for name, option in self.reset.options:
            yield f"reset.{name}", (option,) if isinstance(option, str) else option
