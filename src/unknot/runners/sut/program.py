"""The program that is the system under test: started, watched, and ended with all that came of it."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Sequence

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.processes import ProcessInfo, family, kill_family
from unknot.runners.sut.commands import InstanceContext, finish, kill_group, start

_STOP_COMMAND_SECONDS = 60.0
_GRACE = 10.0
"""Seconds to end after the signal to end."""

_LITTLE_GRACE = 1.0
"""For a program that did not end the last time either."""

_KILL_SECONDS = 5.0
"""For killed processes to end."""

_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.05


class DidNotComeUp(RunnerError):
    """The program ended too early, or was not ready in time."""


class Program:
    """One program, started as often as wanted; without words, nothing that runs. `mark` (`NAME=value`) stands in the
    environment that `context` has and in that of nothing else; by it everything that the program starts is found again,
    also in another session.

    With `daemon` the command ends when the system is up, and what it has left behind is the system. A system that does
    not descend from the command, such as a container, is taken to run until it is stopped: only a check can show it.
    """

    def __init__(
        self, words: Sequence[str], stop_words: Sequence[str], context: InstanceContext, mark: bytes, *, daemon: bool
    ) -> None:
        self._words = words
        self._stop_words = stop_words
        self._context = context
        self._mark = mark
        self._daemon = daemon
        self._process: subprocess.Popen[bytes] | None = None
        self._seen: list[ProcessInfo] = []
        self._is_up = False
        self._grace = _GRACE

    def start(self, seconds: float) -> None:
        """Returns at once, or, for a daemon, when its command has ended. Raises DidNotComeUp if that failed or took
        longer than `seconds`; RunnerError if there is no such program, or a daemon cannot be found and has no command
        that stops it."""
        self._is_up = True
        if not self._words:
            return
        if not self._daemon:
            self._process = start(self._words, self._context)
            return
        status = finish(self._words, self._context, seconds=seconds)
        if status != 0:
            how = f"took longer than {seconds:g} seconds" if status is None else f"ended {described(status)}"
            hint = "start it by hand in the project directory, with UNKNOT_DIR and UNKNOT_PORT_0, … set"
            if status is None:
                hint = (
                    "a program that stays in the foreground is no daemon; one that needs longer needs `ready-seconds`"
                )
            raise DidNotComeUp(
                f"the start command of the instance, `{self._words[0]}`, {how}{self._context.log.printed()}",
                hint=hint,
                slug="instance-not-started",
            )
        if not self.members() and not self._stop_words:
            self._check_is_found()

    def _check_is_found(self) -> None:
        """Raises RunnerError for a daemon that could not be ended: it may run, but has neither parent nor mark."""
        # A process that is just being replaced by another program shows no environment.
        time.sleep(_LONGEST_PAUSE)
        if not self.members():
            raise RunnerError(
                f"the start command of the instance, `{self._words[0]}`, has ended and left no process that can be"
                " found again, so nothing could end what it has started",
                hint="say how it is stopped: `stop` of the instance; or let it stay in the foreground, or keep its"
                " environment; end what runs now by hand",
                slug="instance-not-found",
            )

    def is_running(self) -> bool:
        """Whether there is a process. Cost: one system call; for a daemon whose processes were replaced, a look at all
        processes."""
        if not self._is_up:
            return False
        if self._process is not None:
            return self._process.poll() is None
        if not self._words:
            return True
        if self._seen and not any(member.lives() for member in self._seen):
            self._is_up = bool(self.members())
        return self._is_up

    def how_it_ended(self) -> str:
        """In words; empty if it runs or that is not known."""
        status = self._process.poll() if self._process is not None else None
        return "" if status is None else described(status)

    def members(self) -> list[ProcessInfo]:
        """Its processes now; they are remembered, in case that they lose what they are known by. Cost: a look at every
        process of the machine."""
        found = family(self._mark, session=self._own_session())
        self._seen = [*found, *(member for member in self._seen if member not in found and member.lives())]
        return found

    def stop(self) -> None:
        """Signals it to end, waits, kills what is left: its group, and whatever carries the mark. To be called twice,
        or before a start, does no harm. Raises RunnerError only if a process cannot be killed."""
        try:
            if self._is_up and self._words:
                self._end_gently(self.members())
        finally:
            self._kill()

    def _own_session(self) -> int:
        """Its number is sure to be its own only until its end was noticed."""
        return self._process.pid if self._process is not None and self._process.returncode is None else 0

    def _end_gently(self, members: Sequence[ProcessInfo]) -> None:
        """First those whose parent is none of them, which are responsible for the others. What they leave behind gets
        the signal, too, but not as much time."""
        known = {member.pid for member in members}
        groups = {member.group for member in members if member.parent not in known} - {os.getpgrp()}
        if self._process is not None:
            groups = {self._process.pid}
        if self._stop_words:
            # If it fails, what is left is killed in the end.
            with contextlib.suppress(RunnerError):
                finish(self._stop_words, self._context, seconds=_STOP_COMMAND_SECONDS)
        else:
            _terminate(groups)
        if not self._end_within(self._grace, [member for member in members if member.group in groups]):
            self._grace = _LITTLE_GRACE
        if left := [member for member in members if member.group not in groups and member.lives()]:
            _terminate({member.group for member in left} - {os.getpgrp()})
            self._end_within(_LITTLE_GRACE, left)

    def _end_within(self, seconds: float, members: Sequence[ProcessInfo]) -> bool:
        deadline, pause = time.monotonic() + seconds, _FIRST_PAUSE
        waiting = list(members)
        while True:
            waiting = [member for member in waiting if member.lives()]
            if not waiting and (self._process is None or self._process.poll() is not None):
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE)

    def _kill(self) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                kill_group(self._process.pid)
            self._process.wait()
        is_gone = kill_family(self._mark, seconds=_KILL_SECONDS, seen=self._seen)
        self._process, self._seen, self._is_up = None, [], False
        if not is_gone:
            raise RunnerError(
                "processes of the instance cannot be killed",
                hint="look for those in state D (`ps axo pid,stat,cmd`): they wait for a disk or a network",
                slug="processes-remain",
            )


def _terminate(groups: Iterable[int]) -> None:
    for group in groups:
        kill_group(group, signal.SIGTERM)
        # A stopped process gets no signal before it continues.
        kill_group(group, signal.SIGCONT)


def described(status: int) -> str:
    if status >= 0:
        return f"with status {status}"
    with contextlib.suppress(ValueError):
        return f"by signal {signal.Signals(-status).name}"
    return f"by signal {-status}"
