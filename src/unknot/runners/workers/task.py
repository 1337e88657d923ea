"""What is handed to a worker, and what comes back."""

import hashlib
import pickle
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import unknot
from unknot.model.errors import RunnerError
from unknot.model.suite import Order
from unknot.runners.protocol import Listing
from unknot.runners.workers.slot import SlotSpec


@dataclass(frozen=True)
class ProjectSeen:
    """`files` are those that tests are made of; `digest` is of their names and bytes."""

    root: Path
    files: tuple[Path, ...]
    digest: str

    @classmethod
    def by(cls, listing: Listing) -> "ProjectSeen":
        """Cost: every file of the listing is read once."""
        files = tuple(sorted({*listing.files, *listing.modules}))
        return cls(listing.root, files, _digest(files))

    def problem_here(self) -> str:
        """What is different in this process's eyes; empty if nothing is."""
        if not self.root.is_dir():
            return f"the project directory {self.root} is not there"
        if missing := next((file for file in self.files if not file.exists()), None):
            return f"{missing} is not there"
        if _digest(self.files) != self.digest:
            return f"the files below {self.root} are not the same as where unknot was started"
        return ""


def _digest(files: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for file in files:
        content = file.read_bytes() if file.is_file() else b""
        found.update(f"{file}\0{len(content)}\0".encode(errors="surrogateescape") + content)
    return found.hexdigest()


_SAME_VERSIONS = "install the same versions on the workers as here"


def versions() -> tuple[str, str]:
    """Of Python, as far as it matters, and of unknot."""
    return ".".join(platform.python_version_tuple()[:2]), unknot.__version__


@dataclass(frozen=True)
class SessionSpec:
    """All that the tasks of a session have in common. `project` is what a worker elsewhere must find."""

    spec: SlotSpec
    tests: Order
    project: ProjectSeen | None
    versions: tuple[str, str]

    def packed(self) -> bytes:
        """Once for many tasks: to copy bytes costs next to nothing."""
        return pickle.dumps(self, protocol=pickle.HIGHEST_PROTOCOL)

    @classmethod
    def unpacked(cls, packed: bytes, where: str) -> "SessionSpec":
        """Raises RunnerError if this process is not one that can run the session's tasks; `where` names it."""
        try:
            kit = pickle.loads(packed)
        except (ImportError, AttributeError) as problem:
            raise RunnerError(
                f"worker {where} cannot run this suite: {problem}", hint=_SAME_VERSIONS, slug="worker-failed"
            ) from problem
        assert isinstance(kit, SessionSpec)
        if kit.versions != versions():
            raise RunnerError(
                different_versions(f"worker {where}", versions(), kit.versions),
                hint=_SAME_VERSIONS,
                slug="worker-version",
            )
        if kit.project is not None and (problem_here := kit.project.problem_here()):
            raise RunnerError(
                f"worker {where}: {problem_here}",
                hint="the project must be at the same path on every worker, with the same files: share the directory,"
                " or copy it there",
                slug="worker-failed",
            )
        return kit


def different_versions(name: str, there: tuple[str, str], here: tuple[str, str]) -> str:
    return f"{name} has Python {there[0]} and unknot {there[1]}, but here are Python {here[0]} and unknot {here[1]}"


@dataclass(frozen=True)
class Task:
    """Orders for one slot of a session, one after another, as positions in the suite. With `renew`, the slot throws
    away what it holds first. With `in_lanes`, the caller itself runs again what a killed process has left. An
    `exclusive` task waits until no other one runs in its process: its tests write what workers share."""

    session: str
    kit: bytes
    orders: tuple[tuple[int, ...], ...]
    shares: bool = False
    renew: bool = False
    in_lanes: bool = False
    exclusive: bool = False


def orders_of(task: Task, tests: Order) -> Sequence[Order]:
    return [tuple(tests[position] for position in order) for order in task.orders]
