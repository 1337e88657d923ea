"""A directory of the system's, copied and put back."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.snapshot import Snapshot, TimeTrust
from unknot.runners.sandbox.tree import times_show_writes
from unknot.runners.sut.commands import InstanceContext
from unknot.runners.sut.resets.protocol import Reset, ResetOptions

_TICK_SECONDS = 0.02


class DirectoryReset(Reset):
    """Files with their contents, owners, permissions and times, symbolic links, hard links inside the directory, empty
    directories. What is new is removed. Files are changed in place, so that a program that has them open sees it.
    Sockets and pipes that were there are left alone, others are removed. Extended attributes are not kept.

    The system is stopped meanwhile, unless `live` says that it may run: then it must not write while a state is kept
    or put back, and must not remember in memory what it has read. Where the file system can share blocks (btrfs, XFS)
    a copy costs nothing to speak of; elsewhere keeping is a copy, and putting back reads both sides, or only looks at
    the times of files where these can be trusted, and writes the blocks that differ.
    """

    OPTIONS = frozenset({"path", "live", "links"})
    can_fork = True

    def __init__(self, options: ResetOptions, context: InstanceContext) -> None:
        self.needs_stop = not options.flag("live")
        self._links = options.flag("links")
        self._top = options.path("path", options.text("path", "{dir}"))
        self._store = context.store
        self._kept: dict[str, Snapshot] = {}
        if self._links and not self.needs_stop:
            raise options.wrong(
                "links", "cannot be true together with `live`", hint="a running program may write to files"
            )
        if Path(context.store).resolve().is_relative_to(self._top):
            raise options.wrong("path", f"is {self._top}, which holds unknot's own files", hint="name one below it")

    def keep(self, name: str) -> None:
        with self._explained("keep the state of"):
            self.forget(name)
            trusts = self.needs_stop and times_show_writes(self._top)
            links = self._links and trusts
            if links:
                time.sleep(_TICK_SECONDS)  # so that a write from now on gives a file another time
            store = self._store / f"directory-{name}"
            shutil.rmtree(store, ignore_errors=True)  # of an attempt that broke off
            self._kept[name] = Snapshot(
                self._top, store, trust=TimeTrust.SETTLED if trusts else TimeTrust.NEVER, links=links
            )

    def put_back(self, name: str) -> None:
        with self._explained("put back"):
            self._kept[name].restore()

    def forget(self, name: str) -> None:
        if name in self._kept:
            self._kept.pop(name).remove()

    @contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise RunnerError(
                f"cannot {doing} {self._top}: {problem}",
                hint="check that there is space on disk, and that nothing else writes there",
                slug="reset-failed",
            ) from problem
