"""A pytest worker's workspace: its directories, its copy of the system under test, and the way to a clean state."""

import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.branch_layers import LayeredPlaces
from unknot.runners.sandbox.processes import kill_family
from unknot.runners.sandbox.workspace import Workspace
from unknot.runners.settings import Settings

if TYPE_CHECKING:
    from unknot.runners.sut.instance import SandboxedInstance

_LEFTOVER_SECONDS = 2.0
"""How long killed processes may take to end."""


class PytestWorkspace(Workspace):
    """A Workspace with pytest's scratch directory and, if the user described one, an instance."""

    def __init__(self, home: Path, number: int, settings: Settings, mark: Mapping[str, str] | None = None) -> None:
        """`mark` stands in the environment of whatever is started here."""
        super().__init__(home / str(number), settings.directory, worker=number, copies=settings.workdir == "copy")
        self.number = number
        self._mark = mark or {}
        self.settings = settings
        above = self.home / "scratch"
        above.mkdir()
        self._above_scratch = above
        self.scratch = above / "pytest"
        self._instance: SandboxedInstance | None = None

    @property
    def why_shared(self) -> str:
        """Why this worker has no HOME and /tmp of its own; empty if it has."""
        return self.overlays.problem

    @property
    def layered(self) -> LayeredPlaces:
        return self.layered_places(self._above_scratch)

    def layers_for(self, store: Path) -> LayeredPlaces:
        """For another worker that is forked here: with layers in this directory."""
        return replace(self.layered, store=str(store))

    def start_instance(self) -> None:
        """Starts this worker's copy of the system under test, if the user described one. `close` ends it."""
        if self.settings.instance is not None and self._instance is None:
            # Most suites have none, and need not wait for what it imports.
            from unknot.runners.sut.instance import SandboxedInstance

            self._instance = SandboxedInstance(self.settings.instance, self.directory)

    def close(self) -> None:
        if self._instance is not None:
            self._instance.close()
            self._instance = None
        super().close()

    def end_leftovers(self, *, spare: int = 0) -> None:
        """Kills what was started from here and still runs, in whatever session it hides, but for the process `spare`.
        Cost: one look at all processes, because this may happen after each order."""
        mark = f"TMPDIR={self.temporary}".encode()
        kill_family(mark, seconds=_LEFTOVER_SECONDS, spared=(spare,), looks=1)

    def reset(self) -> None:
        """Resets the system under test, then runs the user's own reset command where tests run, by a shell because it
        is a command line of the user's."""
        if self._instance is not None:
            self._instance.reset()
        if not self.settings.reset:
            return
        done = subprocess.run(
            self.overlays.words(["/bin/sh", "-c", self.settings.reset], self.directory),
            cwd=self.directory,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            raise RunnerError(
                f"the reset command `{self.settings.reset}` ended with status {done.returncode}:"
                f" {done.stderr.strip()[-500:]}",
                hint="run it by hand in the project directory; it must succeed from any state a test can leave",
                slug="reset-failed",
            )

    @property
    def variables(self) -> Mapping[str, str]:
        """What the system under test adds to the environment of tests. Changes with a reset that takes other ports."""
        return dict(self._instance.variables) if self._instance is not None else {}

    def environment(self) -> dict[str, str]:
        return {**super().environment(), **self._mark, **self.variables}
