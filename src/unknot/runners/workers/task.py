"""What is handed to a worker, and what comes back."""

import pickle
import platform
from collections.abc import Sequence
from dataclasses import dataclass

import unknot
from unknot.model.errors import RunnerError
from unknot.model.suite import Order
from unknot.runners.workers.project import ProjectSeen
from unknot.runners.workers.slot import Answered, SlotSpec

_SAME_VERSIONS = "install the same versions on the workers as here"


def versions() -> tuple[str, str]:
    """Of Python, as far as it matters, and of unknot."""
    return ".".join(platform.python_version_tuple()[:2]), unknot.__version__


@dataclass(frozen=True)
class Kit:
    """All that the tasks of a session have in common. `project` is what a worker elsewhere must find."""

    spec: SlotSpec
    tests: Order
    project: ProjectSeen | None
    versions: tuple[str, str]

    def packed(self) -> bytes:
        """Once for many tasks: to copy bytes costs next to nothing."""
        return pickle.dumps(self, protocol=pickle.HIGHEST_PROTOCOL)

    @classmethod
    def unpacked(cls, packed: bytes, where: str) -> "Kit":
        """Raises RunnerError if this process is not one that can run the session's tasks; `where` names it."""
        try:
            kit = pickle.loads(packed)
        except (ImportError, AttributeError) as problem:
            raise RunnerError(f"worker {where} cannot run this suite: {problem}", hint=_SAME_VERSIONS) from problem
        assert isinstance(kit, Kit)
        if kit.versions != versions():
            raise RunnerError(different_versions(f"worker {where}", versions(), kit.versions), hint=_SAME_VERSIONS)
        if kit.project is not None and (problem_here := kit.project.problem_here()):
            raise RunnerError(
                f"worker {where}: {problem_here}",
                hint="the project must be at the same path on every worker, with the same files: share the directory,"
                " or copy it there",
            )
        return kit


def different_versions(who: str, there: tuple[str, str], here: tuple[str, str]) -> str:
    return f"{who} has Python {there[0]} and unknot {there[1]}, but here are Python {here[0]} and unknot {here[1]}"


@dataclass(frozen=True)
class Task:
    """Orders for one slot of a session, one after another, as positions in the suite. With `renew`, the slot throws
    away what it holds first."""

    session: str
    kit: bytes
    orders: tuple[tuple[int, ...], ...]
    shares: bool = False
    renew: bool = False


@dataclass(frozen=True)
class Reply:
    """One answer for each order of the task; `slot` names who gave them, and stays the same while a slot lives."""

    answers: tuple[Answered, ...]
    slot: str


def orders_of(task: Task, tests: Order) -> Sequence[Order]:
    return [tuple(tests[position] for position in order) for order in task.orders]
