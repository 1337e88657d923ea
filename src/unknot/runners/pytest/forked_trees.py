"""Runs trees of orders by processes that are forked off a pytest which all workers share."""

from collections.abc import Sequence

from unknot.runners.dispatch import prefix_tree
from unknot.runners.dispatch.work_queue import Group
from unknot.runners.pytest.forked_process import ForkedProcess
from unknot.runners.pytest.pytest_trees import PytestTrees, TreeWork
from unknot.runners.pytest.shared_collection import SharedCollection
from unknot.runners.pytest.slot import PytestSlot, PytestSlotSpec
from unknot.runners.sandbox.originals import Originals
from unknot.runners.sandbox.processes import kill_family
from unknot.runners.sandbox.sandbox import PART, OpenSandbox, Sandbox
from unknot.runners.sandbox.workspace import check_room
from unknot.runners.workers.pool import OpenSlot
from unknot.runners.workers.task import SessionSpec, versions

_LEFTOVER_SECONDS = 2.0


class ForkedWorkspace:
    """One worker's share of a collection: a directory for pipes and a log. Tests run where the suite was collected,
    with layers of the worker's own over all that they write. Nothing is restored: a process that has written something
    is `spoilt`, and the next order gets another one."""

    def __init__(self, sandbox: Sandbox, collection: SharedCollection) -> None:
        self.settings = collection.settings
        self.number = sandbox.number
        self.home = sandbox.home
        self.beyond: set[str] = set()
        self.is_spoilt = False
        self._collection = collection
        self.part = sandbox.mark[PART]
        self.originals = self.home / "originals"

    why_shared = ""

    def start_instance(self) -> None:
        """There is none, nor a reset command: see `why_not_shared`."""

    def original_id(self, test: str) -> str:
        return self._collection.workspace.original_id(test)

    def reset(self) -> None:
        pass

    def check_room(self) -> None:
        check_room((self.home,))

    def start_over(self) -> None:
        self.is_spoilt = True

    def close(self) -> None:
        self.clean_up((), unknown=True)

    def clean_up(self, wrote: Sequence[str], *, unknown: bool) -> None:
        restored, lost = Originals(str(self.originals)).restore()
        self.beyond.update(lost)
        kept = {path for path in wrote if self._collection.keeps(path)}
        self.beyond.update(path for path in wrote if path not in restored and path not in kept)
        self.is_spoilt |= unknown or bool(kept)

    def end_leftovers(self, *, spare: int = 0) -> None:
        kill_family(f"{PART}={self.part}".encode(), seconds=_LEFTOVER_SECONDS, spared=(spare,), looks=1)


class ForkedTrees(PytestTrees):
    """Forks off `collection`. If that process is gone, the suite is collected again there."""

    _workspace: ForkedWorkspace

    def __init__(self, workspace: ForkedWorkspace, collection: SharedCollection) -> None:
        super().__init__(workspace)
        self._collection = collection
        self.collected = collection.collected
        self.forks = True
        self._process = self._forked()

    def _forked(self) -> ForkedProcess:
        self._workspace.is_spoilt = False
        return self._collection.fork(self._workspace)

    def _begin(self, tree: prefix_tree.Tree, orders: Group, work: TreeWork) -> None:  # noqa: ARG002
        if self._workspace.is_spoilt:
            self._end_process(gently=True)
        if self._process is None:
            self._process = self._forked()
        self._process.cut_log()
        self._process.send({"do": "fork", "tree": tree.wire(self._tracing)})


def open_forked_slot(spec: PytestSlotSpec, collection: SharedCollection, sandbox: OpenSandbox) -> OpenSlot:
    """On a part of the sandbox in which the suite was collected. `spec` is for a slot in its place, should it be lost.
    Raises RunnerError."""
    part = sandbox.part()
    try:
        workspace = ForkedWorkspace(part.sandbox, collection)
        slot = PytestSlot(spec, workspace, ForkedTrees(workspace, collection))
    except BaseException:
        part.close()
        raise
    return OpenSlot(slot, part, SessionSpec(spec, slot.collected.suite.tests, None, versions()))
