"""One copy of the system under test, for one slot."""

import contextlib
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.ports import Ports
from unknot.runners.sandbox.sandbox import OpenSandbox, Sandbox
from unknot.runners.sandbox.workspace import check_room
from unknot.runners.sut.commands import InstancePaths, Log
from unknot.runners.sut.parts import MARK, InstanceParts, PortTaken
from unknot.runners.sut.program import DidNotComeUp
from unknot.runners.sut.ready import wait_until
from unknot.runners.sut.resets.protocol import CLEAN
from unknot.runners.sut.server_coverage import ServerCoverage
from unknot.runners.sut.spec import InstanceSpec

_PORT_TRIES = 3

_ALIVE_SECONDS = 5.0
"""A system that is busy may take a moment to answer."""


class Instance:
    """The system's directory, ports and program, and the way back to its clean state.

    Whatever belongs to it carries the slot's mark and one of its own in its environment, and a TMPDIR of its own. The
    ports, and so `variables` and `placeholders`, may change with `reset` and `renew`: read them again for each order.
    After `stop`, and after `begin` has raised, nothing of it is left.
    """

    def __init__(
        self,
        spec: InstanceSpec,
        sandbox: Sandbox,
        directory: Path,
        environment: Mapping[str, str],
        *,
        measured: bool = False,
    ) -> None:
        """`directory` is where its commands run; `environment` is what they start from. `measured`: `coverage` says
        which lines of Python its programs run."""
        self._spec = spec
        self._paths = InstancePaths(sandbox.home)
        self.coverage = ServerCoverage(self._paths.coverage, directory, spec.coverage) if measured else None
        self._log = Log(self._paths.log)
        self._work = directory
        self._worker = sandbox.number
        self._environment = {**environment, **sandbox.mark, MARK: secrets.token_hex(8)}
        self._now: InstanceParts | None = None
        self._kept: set[str] = set()

    @property
    def variables(self) -> Mapping[str, str]:
        """For the environment of tests: UNKNOT_DIR, UNKNOT_WORKER, UNKNOT_PORT_0, …"""
        return self._arranged.variables

    @property
    def placeholders(self) -> Mapping[str, str]:
        """For words: dir, worker, port0, …"""
        return self._arranged.placeholders

    @property
    def mark(self) -> bytes:
        """Stands in the environment of whatever belongs to it, and of nothing else."""
        return f"{MARK}={self._environment[MARK]}".encode()

    def begin(self) -> None:
        """From nothing to ready, and the clean state kept. Raises RunnerError with the end of the log if it does not
        come up, UsageError if the configuration cannot be used."""
        try:
            self._paths.recreate()
            self._log.clear()
            self._bring_up()
            self.keep(CLEAN)
        except BaseException as problem:
            with contextlib.ExitStack() as ending:
                ending.callback(self.stop)
                if isinstance(problem, RunnerError):
                    # What a program prints, or cannot even print, on a full disk does not show the reason.
                    check_room((self._paths.directory, self._work))
            raise

    def reset(self) -> None:
        """Back to the clean state, and ready. A system that died, or does not start in that state, is started from
        scratch."""
        now = self._arranged
        self._log.cut()
        try:
            if self._is_rebuilt:
                self._halt()
                self._paths.make_empty(self._paths.directory, self._paths.temporary)
                self._bring_up()
            elif now.reset.needs_stop or now.program.is_running():
                self.put_back(CLEAN)
            else:
                self.renew()
        except DidNotComeUp:
            self.renew()
        except RunnerError:
            # The reset may need the program, which may have died since the last check.
            if self._is_rebuilt or self.is_alive():
                raise
            self.renew()

    def renew(self) -> None:
        """Stopped, thrown away, and begun from nothing, on the same ports if possible. States kept are lost."""
        if self._now is not None:
            self._now.program.stop()
            self._forget_elsewhere(self._now)
            self._now = self._parts(self._now.ports)
        self.begin()

    def keep(self, name: str) -> None:
        """Remembers the present state. If that needs a stop, the program is stopped for it and started again."""
        now = self._arranged
        self._kept.add(name)
        if not now.reset.needs_stop:
            now.reset.keep(name)
        elif not self._is_rebuilt:
            self._halt()
            now.reset.keep(name)
            now.start()

    def put_back(self, name: str) -> None:
        """Back to a state that was kept, and ready. Raises DidNotComeUp if the system does not start from it."""
        now = self._arranged
        if now.reset.needs_stop:
            self._halt()
            self._paths.make_empty(self._paths.temporary)
            now.reset.put_back(name)
            now.start()
            return
        if not now.program.is_running():
            self._halt()
            now.start()
        now.reset.put_back(name)
        now.wait()

    def forget(self, name: str) -> None:
        self._arranged.reset.forget(name)
        self._kept.discard(name)

    def is_alive(self) -> bool:
        """Whether its process is there, and it is ready. Cost: one check."""
        if self._now is None:
            return False
        self._log.cut()
        return wait_until(self._now.check, _ALIVE_SECONDS, is_running=self._now.program.is_running)

    def story(self) -> str:
        """The end of what it printed, and what its commands printed."""
        return self._log.story()

    def stop(self) -> None:
        """Ends all of it and gives back its ports and directories. Does no harm when called twice, or half-way through
        `begin`."""
        now, self._now = self._now, None
        if now is not None:
            try:
                now.program.stop()
                self._forget_elsewhere(now)
            finally:
                now.ports.release()
        self._paths.remove()

    @property
    def _arranged(self) -> InstanceParts:
        if self._now is None:
            raise RunnerError("the instance is not there: it was not begun, or was stopped", slug="instance-lost")
        return self._now

    def _forget_elsewhere(self, now: InstanceParts) -> None:
        """States of a system that we have not started, such as a database server that is always there, do not go away
        with the instance."""
        if not self._spec.start:
            for name in self._kept:
                with contextlib.suppress(RunnerError):
                    now.reset.forget(name)
        self._kept.clear()

    def _halt(self) -> None:
        """Stops the program, if there is one: to look for processes would cost some milliseconds for nothing."""
        if self._spec.start:
            self._arranged.program.stop()

    @property
    def _is_rebuilt(self) -> bool:
        """Whether the clean state is never kept, but made by `prepare` and `start` each time."""
        return self._spec.reset.kind == "restart"

    def _bring_up(self) -> None:
        """Prepares, starts, waits. If another program took a port meanwhile, all of it again with others: what was
        prepared may have the numbers in it. Raises DidNotComeUp or another RunnerError; the program may still run
        then."""
        lost: list[int] = []
        for _ in range(_PORT_TRIES):
            now = self._on_good_ports(bool(lost))
            now.prepare()
            try:
                now.start()
            except DidNotComeUp as problem:
                now.program.stop()
                if not isinstance(problem, PortTaken) and not now.ports.taken(lingering=False):
                    raise
                lost += now.ports.numbers
                self._paths.make_empty(self._paths.directory, self._paths.temporary)
            else:
                return
        raise RunnerError(
            f"the instance did not come up: its ports were taken by others {_PORT_TRIES} times in a row"
            f" ({', '.join(map(str, lost))})",
            hint="check what listens there (`ss -tlnp`); the program must listen on UNKNOT_PORT_0, …, and on nothing"
            " else",
            slug="no-free-ports",
        )

    def _parts(self, ports: Ports) -> InstanceParts:
        paths, work, worker = self._paths, self._work, self._worker
        return InstanceParts(self._spec, ports, paths, work, worker, self._environment, self.coverage)

    def _on_good_ports(self, others: bool) -> InstanceParts:
        """The present choice of ports, unless another program listens there or `others` are wanted."""
        now = self._now
        if now is not None and not others and not now.ports.taken(lingering=False):
            return now
        if now is not None:
            now.program.stop()
            now.ports.release()
            self._now = None
        ports = Ports(self._spec.ports)
        try:
            self._now = self._parts(ports)
        except BaseException:
            ports.release()
            raise
        return self._now


class SandboxedInstance:
    """An instance in a sandbox of its own: ended with `close`, or with this process however that ends."""

    def __init__(self, spec: InstanceSpec, directory: Path, *, measured: bool = False) -> None:
        """Returns when it is ready. `directory` is where its commands run."""
        self._sandbox = OpenSandbox()
        self._instance = Instance(spec, self._sandbox.sandbox, directory, dict(os.environ), measured=measured)
        self._is_new = True
        try:
            self._instance.begin()
        except BaseException:
            self._sandbox.close()
            raise

    @property
    def variables(self) -> Mapping[str, str]:
        """For the environment of tests. May change with a reset."""
        return self._instance.variables

    @property
    def coverage(self) -> ServerCoverage | None:
        """What its programs run, if it is measured."""
        return self._instance.coverage

    def reset(self) -> None:
        """Does nothing the first time: a new instance is clean."""
        if self._is_new:
            self._is_new = False
        else:
            self._instance.reset()

    def close(self) -> None:
        try:
            self._instance.stop()
        finally:
            self._sandbox.close()
