"""What follows from a specification once directories and ports are known, and how it comes up."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.ports import Ports, foreign_listener
from unknot.runners.sut.commands import InstanceContext, InstancePaths, Log, finish
from unknot.runners.sut.placeholders import filled, filled_words
from unknot.runners.sut.program import DidNotComeUp, Program, described
from unknot.runners.sut.ready import PORT, make_check, wait_until
from unknot.runners.sut.resets.kinds import make_reset
from unknot.runners.sut.server_coverage import ServerCoverage
from unknot.runners.sut.spec import InstanceSpec

MARK = "UNKNOT_INSTANCE"

_PREPARE_SECONDS = 600.0


class PortTaken(DidNotComeUp):
    """Another program listens where this one should."""


class InstanceParts:
    """An instance's parts for one choice of ports. Nothing of it runs at first."""

    def __init__(
        self,
        spec: InstanceSpec,
        ports: Ports,
        paths: InstancePaths,
        work: Path,
        worker: int,
        environment: Mapping[str, str],
        coverage: ServerCoverage | None = None,
    ) -> None:
        """`environment`, which has the instance's mark, is what its own starts from. `coverage` measures the program,
        not the commands that prepare or check it. Raises UsageError if the
        configuration cannot be used."""
        self._spec = spec
        self.ports = ports
        self.placeholders = _placeholders(paths.directory, ports.numbers, worker)
        numbered = {f"UNKNOT_PORT_{index}": str(port) for index, port in enumerate(ports.numbers)}
        self.variables = {"UNKNOT_DIR": str(paths.directory), "UNKNOT_WORKER": str(worker), **numbered}
        chosen = {name: filled(value, self.placeholders) for name, value in spec.environment}
        own = {**environment, **chosen, **self.variables, "TMPDIR": str(paths.temporary)}
        self._context = InstanceContext(paths.directory, work, paths.store, Log(paths.log), own, self.placeholders)
        self.program = Program(
            filled_words(spec.start, self.placeholders),
            filled_words(spec.stop, self.placeholders),
            replace(self._context, environment=coverage.environment(own)) if coverage else self._context,
            f"{MARK}={environment[MARK]}".encode(),
            daemon=spec.daemon,
        )
        checking = replace(self._context, log=Log(paths.check_log))
        self._check_log = checking.log
        self.check = make_check(filled_words(spec.ready, self.placeholders), ports.numbers, checking)
        self.reset = make_reset(spec.reset, self._context)

    def prepare(self) -> None:
        if not self._spec.prepare:
            return
        words = filled_words(self._spec.prepare, self.placeholders)
        status = finish(words, self._context, seconds=_PREPARE_SECONDS)
        if status != 0:
            how = f"took longer than {_PREPARE_SECONDS:g} seconds" if status is None else f"ended {described(status)}"
            raise RunnerError(
                f"`{_shown(words)}`, which prepares the instance, {how}{self._context.log.printed()}",
                hint="run it by hand in the project directory, with UNKNOT_DIR set to an empty directory",
                slug="instance-prepare-failed",
            )

    def start(self) -> None:
        """Raises DidNotComeUp with the end of the log if it is not ready in time, or ends before."""
        self.program.start(self._spec.ready_seconds)
        self.wait()
        if self._spec.start and not self._spec.daemon and self._spec.ports:
            self._check_listeners()

    def wait(self) -> None:
        """Until it is ready, at most `ready_seconds`. Raises DidNotComeUp."""
        seconds = self._spec.ready_seconds
        if wait_until(self.check, seconds, is_running=self.program.is_running):
            return
        printed = self._context.log.printed()
        if self.program.is_running():
            raise DidNotComeUp(
                f"the instance was not ready after {seconds:g} seconds"
                f" (checked: {self._checked()}){self._check_log.printed('the check')}{printed}",
                hint="if it only needs longer, raise `ready-seconds` of the instance",
                slug="instance-not-ready",
            )
        ended = self.program.how_it_ended()
        if ended == described(0):
            hint = "if it puts itself into the background, say `daemon = true` for the instance"
        elif taken := self.ports.taken():
            hint = (
                f"port {taken[0]} cannot be used now: another program has it, or connections of the last run linger"
                ' there; a server sets SO_REUSEADDR against that, and `reset = "restart"` takes other ports'
            )
        else:
            hint = "start it by hand in the project directory, with UNKNOT_DIR and UNKNOT_PORT_0, … set"
        raise DidNotComeUp(
            f"the instance ended before it was ready: `{_shown(self._spec.start)}`{ended and ' ended ' + ended}"
            f"{printed}",
            hint=hint,
            slug="instance-not-started",
        )

    def _check_listeners(self) -> None:
        """What answers may be another program, while ours is still about to find its port taken."""
        own = [member.pid for member in self.program.members()]
        for port in self.ports.numbers:
            if name := foreign_listener(port, own):
                raise PortTaken(f"the instance's port {port} is taken by another program, {name}", slug="port-taken")

    def _checked(self) -> str:
        if self._spec.ready != (PORT,):
            return _shown(self._spec.ready)
        listening = self.ports.taken(lingering=False)
        silent = [str(port) for port in self.ports.numbers if port not in listening]
        return f"{PORT}; nothing listens on {', '.join(silent)}" if silent else PORT


def can_fork(spec: InstanceSpec) -> bool:
    """Whether an instance can keep states in the midst of an order. A program that must be stopped for that would lose
    what it holds in memory, and the rest of the order would meet another system than without: so then not."""
    nowhere = Path("/nonexistent")
    values = _placeholders(nowhere / "dir", range(spec.ports), 0)
    context = InstanceContext(nowhere / "dir", nowhere / "work", nowhere / "store", Log(nowhere), {}, values)
    reset = make_reset(spec.reset, context)
    return reset.can_fork and not (reset.needs_stop and spec.start)


def _placeholders(directory: Path, ports: Sequence[int], worker: int) -> dict[str, str]:
    numbered = {f"port{index}": str(port) for index, port in enumerate(ports)}
    return {"dir": str(directory), "worker": str(worker), **numbered}


def _shown(words: Sequence[str]) -> str:
    text = " ".join(words)
    return text if len(text) <= 200 else f"{text[:200]}…"
