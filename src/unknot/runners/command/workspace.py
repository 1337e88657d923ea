"""Where a slot works: its working copy, its directories, its instance, and the way back to a clean state."""

import contextlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.model.run import Result
from unknot.runners.command.launcher import Launcher
from unknot.runners.command.output import Output, in_words
from unknot.runners.command.placeholders import filled
from unknot.runners.command.spec import CommandSpec
from unknot.runners.dispatch.crash_attribution import AttemptEnd, OrderAttempt
from unknot.runners.sandbox.processes import kill_family
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.sandbox.tree import remove
from unknot.runners.sandbox.workspace import Workspace, cannot_write, check_room
from unknot.runners.settings import Settings
from unknot.runners.sut.instance import Instance
from unknot.runners.sut.spec import InstanceSpec

_RECOVER_SECONDS = 30.0
_GLANCE = 0.1
"""Seconds between two looks at what a running command has printed."""


class CommandWorkspace:
    """Everything that commands of one slot find around them. `values` are what placeholders mean here.

    After `clean` the working copy, TMPDIR and the private directory are as they were at the beginning, no process of an
    earlier order runs, and the instance was reset. Assumes that tests keep to these places.
    """

    def __init__(
        self, command: CommandSpec, instance: InstanceSpec | None, settings: Settings, sandbox: Sandbox
    ) -> None:
        self._command = command
        self._settings = settings
        self._sandbox = sandbox
        self.files = Workspace(
            sandbox.home / str(sandbox.number),
            settings.directory,
            worker=sandbox.number,
            copies=settings.workdir == "copy",
        )
        self.launcher = Launcher(sandbox.mark, self.files.overlays)
        self.private = self.files.home / "dir"
        self.results = self.files.home / "results"
        self._talk = Output(self.files.home / "reset", is_results=False, together=True)
        self._base = {**self.files.environment(), **sandbox.mark}
        self.instance: Instance | None = None
        self._is_gone = False
        if instance is not None:
            self.instance = Instance(instance, sandbox, self.files.directory, self._base)
        else:
            self.private.mkdir()
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        if self.instance is not None:
            self.instance.begin()
            # What preparing it has written into the working copy belongs to the clean state.
            self.files.accept((), unknown=True)

    @property
    def values(self) -> dict[str, str]:
        if self.instance is not None:
            return {**self.instance.placeholders, "results": str(self.results)}
        return {"dir": str(self.private), "worker": str(self._sandbox.number), "results": str(self.results)}

    @property
    def ours(self) -> tuple[Path, Path]:
        """Where a command may write its results: the slot's own directory, and where it runs."""
        return self._sandbox.home.resolve(), self.files.directory.resolve()

    @property
    def environment(self) -> Mapping[str, str]:
        """The user's, with what tests need to know of their workspace."""
        if self.instance is not None:
            variables = self.instance.variables
        else:
            variables = {"UNKNOT_DIR": str(self.private), "UNKNOT_WORKER": str(self._sandbox.number)}
        names = [name for name, _ in self._command.environment]
        texts = filled([text for _, text in self._command.environment], self.values)
        return {**self._base, **variables, **dict(zip(names, texts, strict=True))}

    def start(self, words: Sequence[str], output: Output, *, sweeps: bool) -> None:
        self.launcher.start(words, self.files.directory, self.environment, output.stdout, output.stderr, sweeps=sweeps)

    def wait(self, output: Output, limit: float) -> int | None:
        """The status of the command, or None if it still runs at `limit`, a reading of `time.monotonic`."""
        while True:
            seconds = limit - time.monotonic()
            status = self.launcher.wait(max(0.0, min(seconds, _GLANCE)))
            if status is not None:
                return status
            if seconds <= 0:
                return None
            output.hold_down()

    def clean(self, *, resets_instance: bool = True) -> None:
        """Raises RunnerError if there is no way back."""
        self.files.clean_up((), unknown=True)
        self._tidy_private()
        if self._settings.reset:
            self._run_reset()
        if self.instance is not None and resets_instance:
            if self._is_gone:
                self.instance.renew()
                self._is_gone = False
            else:
                self.instance.reset()

    def is_untouched(self) -> bool:
        """Whether nothing but the instance differs from the clean state."""
        return not self.launcher.has_leftovers() and self.files.is_unchanged()

    def has_lost_instance(self) -> bool:
        """Whether the instance is gone. If so, the next clean state is made from nothing. Cost: its own check."""
        if self.instance is not None and not self.instance.is_alive():
            self._is_gone = True
        return self._is_gone

    def loss(self, before: tuple[Result, ...], position: int | None) -> OrderAttempt:
        """The instance is gone: the last test may have ended it, or something outside."""
        assert self.instance is not None
        story = f"the instance is gone\n{self.instance.story()}".strip()
        return OrderAttempt(AttemptEnd.CRASHED, before, position, story, may_be_foreign=True)

    def check_room(self) -> None:
        check_room([self.files.home, self.files.directory, self.files.temporary, Path(self.values["dir"])])

    def recover(self) -> None:
        """After the launcher was lost: what it had started is found the hard way, but for the instance. By the slot's
        mark, not by TMPDIR: a process that it was just about to start still has the launcher's own environment."""
        for name, value in self._sandbox.mark.items():
            kill_family(
                f"{name}={value}".encode(),
                seconds=_RECOVER_SECONDS,
                spared_mark=self.instance.mark if self.instance is not None else b"",
            )

    def renew(self) -> None:
        self.launcher.close()
        self.files.start_over()
        self._tidy_private()
        if self.instance is not None:
            self.instance.renew()
            self._is_gone = False
            self.files.accept((), unknown=True)

    def close(self) -> None:
        with contextlib.ExitStack() as closing:
            if self.instance is not None:
                closing.callback(self.instance.stop)
            closing.callback(self.files.close)
            closing.callback(self.launcher.close)

    def _tidy_private(self) -> None:
        if self.instance is not None:
            return
        try:
            if not self.private.is_dir() or self.private.is_symlink():
                remove(str(self.private))
                self.private.mkdir()
            for entry in self.private.iterdir():
                remove(str(entry))
        except OSError as problem:
            raise cannot_write(self.files.home, problem) from problem

    def _run_reset(self) -> None:
        """The user's own command line, and the only thing here that a shell reads."""
        command = f"the reset command `{self._settings.reset}`"
        self.start(["/bin/sh", "-c", self._settings.reset], self._talk, sweeps=False)
        status = self.wait(self._talk, time.monotonic() + self._settings.timeout)
        if status is None:
            self.launcher.sweep()
        if status != 0:
            ended = f"did not end in {self._settings.timeout:g} s" if status is None else in_words(status)
            raise RunnerError(
                f"{command} {ended}: {self._talk.story()[-500:]}",
                hint="run it by hand in the project directory; it must succeed from any state a test can leave",
                slug="reset-failed",
            )
