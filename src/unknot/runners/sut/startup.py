"""From a directory that is empty to a system that is ready."""

from collections.abc import Callable, Sequence

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.ports import stranger
from unknot.runners.sut.commands import finish
from unknot.runners.sut.parts import InstanceParts
from unknot.runners.sut.paths import InstancePaths
from unknot.runners.sut.program import DidNotComeUp, described
from unknot.runners.sut.ready import PORT, wait_until
from unknot.runners.sut.spec import InstanceSpec

_PREPARE_SECONDS = 600.0
_PORT_TRIES = 3


class PortTaken(DidNotComeUp):
    """Another program listens where this one should."""


def bring_up(spec: InstanceSpec, paths: InstancePaths, arrange: Callable[[bool], InstanceParts]) -> None:
    """Prepares, starts, waits. If another program took a port meanwhile, all of it again with others, which
    `arrange(True)` gives: what was prepared may have the numbers in it. Raises DidNotComeUp or another RunnerError; the
    program may still run then."""
    lost: list[int] = []
    for _ in range(_PORT_TRIES):
        now = arrange(bool(lost))
        _prepare(now)
        try:
            start(spec, now)
        except DidNotComeUp as problem:
            now.program.stop()
            if isinstance(problem, PortTaken) or now.ports.taken(lingering=False):
                lost += now.ports.numbers
                paths.empty()
                continue
            raise
        return
    raise RunnerError(
        f"the instance did not come up: its ports were taken by others {_PORT_TRIES} times in a row"
        f" ({', '.join(map(str, lost))})",
        hint="check what listens there (`ss -tlnp`); the program must listen on UNKNOT_PORT_0, …, and on nothing else",
        slug="no-free-ports",
    )


def start(spec: InstanceSpec, now: InstanceParts) -> None:
    """Raises DidNotComeUp with the end of the log if it is not ready in time, or ends before."""
    now.program.start(spec.ready_seconds)
    wait(spec, now)
    if spec.start and not spec.daemon and spec.ports:
        _check_listeners(now)


def wait(spec: InstanceSpec, now: InstanceParts) -> None:
    """Until it is ready, at most `ready_seconds`. Raises DidNotComeUp."""
    if wait_until(now.check, spec.ready_seconds, is_running=now.program.is_running):
        return
    if now.program.is_running():
        raise DidNotComeUp(
            f"the instance was not ready after {spec.ready_seconds:g} seconds"
            f" (checked: {_checked(spec, now)}){now.check_log.printed('the check')}{now.around.log.printed()}",
            hint="if it only needs longer, raise `ready-seconds` of the instance",
            slug="instance-not-ready",
        )
    ended = now.program.how_it_ended()
    if ended == described(0):
        hint = "if it puts itself into the background, say `daemon = true` for the instance"
    elif taken := now.ports.taken():
        hint = (
            f"port {taken[0]} cannot be used now: another program has it, or connections of the last run linger there;"
            ' a server sets SO_REUSEADDR against that, and `reset = "restart"` takes other ports'
        )
    else:
        hint = "start it by hand in the project directory, with UNKNOT_DIR and UNKNOT_PORT_0, … set"
    raise DidNotComeUp(
        f"the instance ended before it was ready: `{_shown(spec.start)}`{ended and ' ended ' + ended}"
        f"{now.around.log.printed()}",
        hint=hint,
        slug="instance-not-started",
    )


def _prepare(now: InstanceParts) -> None:
    if not now.prepare:
        return
    status = finish(now.prepare, now.around, seconds=_PREPARE_SECONDS)
    if status != 0:
        how = f"took longer than {_PREPARE_SECONDS:g} seconds" if status is None else f"ended {described(status)}"
        raise RunnerError(
            f"`{_shown(now.prepare)}`, which prepares the instance, {how}{now.around.log.printed()}",
            hint="run it by hand in the project directory, with UNKNOT_DIR set to an empty directory",
            slug="instance-prepare-failed",
        )


def _check_listeners(now: InstanceParts) -> None:
    """What answers may be another program, while ours is still about to find its port taken."""
    own = [member.pid for member in now.program.members()]
    for port in now.ports.numbers:
        if name := stranger(port, own):
            raise PortTaken(f"the instance's port {port} is taken by another program, {name}", slug="port-taken")


def _checked(spec: InstanceSpec, now: InstanceParts) -> str:
    if spec.ready != (PORT,):
        return _shown(spec.ready)
    silent = [str(port) for port in now.ports.numbers if port not in now.ports.taken(lingering=False)]
    return f"{PORT}; nothing listens on {', '.join(silent)}" if silent else PORT


def _shown(words: Sequence[str]) -> str:
    text = " ".join(words)
    return text if len(text) <= 200 else f"{text[:200]}…"
