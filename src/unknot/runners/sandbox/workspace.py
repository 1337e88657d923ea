"""The directories that tests run in: a working copy of the project and a TMPDIR, put back before each order."""

import errno
import functools
import os
import re
import secrets
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.sandbox.branch_layers import LayeredPlaces
from unknot.runners.sandbox.originals import Originals, SharedPlaces
from unknot.runners.sandbox.overlays import Overlays, shared_on_purpose, shared_places
from unknot.runners.sandbox.tree import is_within, remove
from unknot.runners.sandbox.working_copy import WorkingCopy, project_root, resolved

_LEAST_BYTES = 1024 * 1024
_LEAST_INODES = 16

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


def check_room(directories: Iterable[Path]) -> None:
    """Raises RunnerError if nearly nothing is left in one of these. Cost: one call for each."""
    for directory in directories:
        try:
            status = os.statvfs(directory)
        except OSError:
            continue
        if status.f_blocks and status.f_bavail * status.f_frsize < _LEAST_BYTES:
            raise full(directory, f"{status.f_bavail * status.f_frsize:,} bytes are left")
        if status.f_files and status.f_favail < _LEAST_INODES:
            raise full(directory, f"{status.f_favail} more files can be made")


def full(directory: Path, left: str) -> RunnerError:
    return RunnerError(
        f"the disk of {directory} is full ({left}), so the results of the tests mean nothing",
        hint="free some space, or set TMPDIR to a directory with more of it; what was learned before is kept",
        slug="disk-full",
    )


def cannot_write(directory: Path, problem: OSError) -> RunnerError:
    """Something of our own could not be written."""
    if problem.errno in _NO_ROOM:
        return full(directory, problem.strerror or "no space left on device")
    return RunnerError(
        f"{directory} cannot be put back into a clean state: {problem}",
        hint="check the owner of the files there; tests must not make files that they cannot remove themselves",
        slug="clean-state-failed",
    )


@functools.cache
def _originals_of_collecting() -> Path:
    """One for all workers of this process, which collect at the same time: what the first one found counts."""
    return Path(tempfile.gettempdir(), f"unknot-{secrets.token_hex(8)}").resolve()


class Workspace:
    """One worker's directories below `home`: the working copy, if `copies` is set, and TMPDIR. Tests run in
    `directory`, which is the project directory `project` as it is found here. Ids and paths of the project are
    translated between the user's view and the view from here. The working copy is called as the project is: a package
    imports itself by that name. What tests write to HOME, /tmp and the like is kept in `overlays`."""

    def __init__(self, home: Path, project: Path, *, worker: int, copies: bool) -> None:
        self.home = home
        self.home.mkdir(parents=True)
        self.worker = worker
        self.temporary = self.home / "tmp"
        self.root = project_root(project)
        self.beyond: set[str] = set()
        empty = self.home / "empty"
        empty.mkdir()
        self._beside = self.home / "project"
        """The directory above the working copy: empty but for that."""
        copy = self._beside / (self.root.name or "root")
        # The directory above has the output of commands.
        through = [self.home.parent] if copies else [self.home.parent, self.root]
        self._layers = self.home / "layers"
        self.overlays = Overlays(self._layers, shared_places(self.root, is_copied=copies), through)
        self.originals = self.home / "originals"
        """Where the process under test keeps what an order changes and all workers share."""
        self.originals_of_collecting = _originals_of_collecting()
        self._exempt = shared_on_purpose() if copies else [*shared_on_purpose(), str(self.root)]
        self._pristine = [WorkingCopy.make(empty, self.temporary)]
        if copies:
            self._pristine.append(WorkingCopy.make(self.root, copy))
        self._copies = list(self._pristine)
        # Read for each test of each order, and always the same.
        self._seen_root = copy if copies else self.root
        self.directory = self._seen_root / project.relative_to(self.root)
        # `/app` is not meant by `tests/app`, nor by `/apple`.
        self._root_in_id = re.compile(rf"(?<![\w.]){re.escape(str(self.root))}(?!\w)")

    def here(self, path: str) -> str:
        """A path argument of the user's, as it is called in this workspace."""
        if os.path.isabs(path) and Path(path).is_relative_to(self.root):
            return str(self._seen_root / Path(path).relative_to(self.root))
        return path

    def original(self, path: str) -> Path:
        """The user's own file behind a path of this workspace."""
        if Path(path).is_relative_to(self._seen_root):
            return self.root / Path(path).relative_to(self._seen_root)
        return Path(path)

    def id_here(self, test: str) -> str:
        """A test's id as it is in this workspace: a parameter may hold the project's path. Assumes that neither a
        letter, digit or dot stands right before it nor a letter or digit right after: that is another path."""
        return self._root_in_id.sub(lambda _: str(self._seen_root), test)

    def original_id(self, test: str) -> str:
        return test.replace(str(self._seen_root), str(self.root))

    def start_over(self) -> None:
        """Back to what was there before anything was collected. Raises RunnerError if that cannot be done."""
        self._copies = list(self._pristine)
        self.overlays.start_over()
        self.clean_up((), unknown=True)
        self._put_back(self.originals_of_collecting)

    def accept(self, wrote: Sequence[str], *, unknown: bool) -> None:
        """What collecting the suite wrote is part of the clean state that every order begins with."""
        for number, copy in enumerate(self._copies):
            if (unknown or any(copy.holds(path) for path in wrote)) and not copy.is_unchanged():
                self._copies[number] = copy.accept(self.home / f"clean-{number}")
        self.overlays.accept()

    def clean_up(self, wrote: Sequence[str], *, unknown: bool) -> None:
        """Back to the clean state on disk; with `unknown`, after finding out what changed. Files outside our
        directories are recorded in `beyond`, not restored. Raises RunnerError if something cannot be restored."""
        self.overlays.reset()
        try:
            if unknown:
                for copy in self._copies:
                    copy.restore_all()
            for copy in self._copies:
                wrote = copy.restore(wrote)
            self._clear_beside()
            restored = self._put_back(self.originals)
        except OSError as problem:
            raise cannot_write(self.home, problem) from problem
        self.beyond.update(path for path in wrote if path not in restored and not self._is_private(path))

    def check_room(self) -> None:
        """Raises RunnerError if nearly nothing is left where tests write: then their results mean nothing."""
        check_room([self.home])

    def _put_back(self, originals: Path) -> set[str]:
        """Returns what it was that all workers share."""
        restored, lost = Originals(str(originals)).restore()
        self.beyond.update(lost)
        return {*restored, *lost}

    @property
    def places(self) -> SharedPlaces:
        """Known once something was started here."""
        overlays = self.overlays
        return SharedPlaces(str(self.home), overlays.covers, overlays.passed, self._exempt)

    def layered_places(self, *more: Path) -> LayeredPlaces:
        """With more directories that only tests of this worker write to. Known once something was started here."""
        can_lay = not self.overlays.problem and self._seen_root.parent == self._beside
        own = [str(path) for path in (self._beside, self.temporary, *more)] if can_lay else []
        return LayeredPlaces(str(self._layers), own, self.overlays.covers, self.overlays.passed)

    def _clear_beside(self) -> None:
        """Cost: one look at a directory with one entry."""
        if self._seen_root.parent == self._beside:
            for entry in list(os.scandir(self._beside)):
                if entry.path != str(self._seen_root):
                    remove(entry.path)

    def _is_private(self, name: str) -> bool:
        path = str(resolved(name))
        return is_within(path, str(self._beside)) or self.overlays.keeps(path)

    def close(self) -> None:
        """To be called when nothing runs here any more. What is started next starts over."""
        self.overlays.close()
        self._put_back(self.originals)
        self._put_back(self.originals_of_collecting)

    def is_unchanged(self) -> bool:
        """Whether the directories are in their clean state. Cost: a walk of them."""
        return not self.overlays.is_changed() and all(copy.is_unchanged() for copy in self._copies)

    def environment(self) -> dict[str, str]:
        """The user's, with this worker's number and temporary directory. The hash seed is fixed: a process under
        test that iterates over a set would otherwise give different results from worker to worker."""
        environment = dict(os.environ)
        environment["UNKNOT_WORKER"] = str(self.worker)
        environment["TMPDIR"] = str(self.temporary)
        environment.setdefault("PYTHONHASHSEED", "0")
        environment.pop("PYTEST_XDIST_WORKER", None)
        return environment
