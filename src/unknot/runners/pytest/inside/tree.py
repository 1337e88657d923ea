"""Runs a tree of tests: each path from the root to a leaf is an order, run from a clean state.

A node is one test. A process that has run a node forks a child for every branch below it but the last, which it runs
itself; so a prefix that several orders share is executed once, and nothing that one branch does in memory is seen by
another. A branch that is known to write files, or to start processes that do, gets a layer of its own over them.

    {"items": [4, 7, 9], "following": [7, None, None], "branches": [[1], [], []], "roots": [0, 2], "layered": []}

is two orders: items 4, 7 and item 9 alone. `following[k]` is the item that pytest takes to come next, which decides
what is torn down after node k; the caller sees to it that this is right for every branch. `layered` are the nodes from
which a test can be reached that is known to leave traces outside its process.
"""

import contextlib
import mmap
import os
import signal
import sys
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from unknot.recorder.inside.second_pass.fork_safety import reset_sigchld
from unknot.runners.pytest.inside.channel import Channel
from unknot.runners.pytest.inside.descriptors import open_descriptors, why_not_share
from unknot.runners.pytest.inside.footprint import Footprint
from unknot.runners.pytest.inside.process_setup import collapse
from unknot.runners.pytest.inside.reports import ReportCollector
from unknot.runners.pytest.inside.verdict import Verdict
from unknot.runners.sandbox.branch_layers import BranchLayers
from unknot.runners.sandbox.lifeline import die_with_parent
from unknot.runners.sandbox.processes import has_company


class ExitFlag:
    """A byte of memory that parent and child share. An exit status would not do: a test can leave with any. Nor would
    a pipe: a test can close it. Parents wait for one child at a time, so that one byte serves a whole tree."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 1)

    def clear(self) -> None:
        self._shared[0] = 0

    def say(self, status: int) -> None:
        """Called by the child as the last thing it does; `status` is not 0."""
        self._shared[0] = status

    def status(self) -> int:
        """What the child said; 0 if it was ended before it could."""
        return self._shared[0]


UNTOUCHED, MARKED = 1, 2
"""What a branch says at its end: whether it left traces, outside the process, that a sibling could see."""

_MANY = 100
"""From so many forks on, making them cheaper is worth a tenth of a second."""

_PATHS_REPORTED = 1000
"""A test that writes more files than this has its whole working directory compared instead."""


class StartDirectory:
    """The directory in which every order starts: the one that is current when this is made. A test may remove it and
    make another one of its name; a process stays in the old one."""

    def __init__(self) -> None:
        try:
            self._path = os.getcwd()
        except FileNotFoundError:
            self._path = ""
        self._held = -1
        self._seen: tuple[int, int] | None = None
        self.enter()

    def enter(self) -> None:
        """Goes to the directory that has the name now. It is kept open, so that none can be made with its number."""
        with contextlib.suppress(OSError):
            found = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            os.fchdir(found)
            if self._held < 0:
                self._held = found
            else:
                # The same number, so that it is not taken for a descriptor of a test.
                os.dup2(found, self._held, inheritable=False)
                os.close(found)
        self.seen()

    def seen(self) -> None:
        """Takes what the name leads to now as what was entered."""
        self._seen = self._identity()

    def was_exchanged(self) -> bool:
        """Whether the name leads to another directory, or to none, since it was entered or this was last called."""
        before, self._seen = self._seen, self._identity()
        return before != self._seen

    def _identity(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self._path)
        except OSError:
            return None
        return status.st_dev, status.st_ino


class TreeRunner:
    """Executes trees for one worker. `current` collects the reports of the test under way."""

    def __init__(
        self,
        items: Sequence[Any],
        channel: Channel,
        footprint: Footprint,
        layers: BranchLayers,
        scratch: str,
        mark: str,
        *,
        reports: ReportCollector | None = None,
        before_exit: Callable[[], None] = lambda: None,
    ) -> None:
        """`mark` stands in the environment of whatever a test starts. `reports` gets what pytest reports; `before_exit`
        is called by each child in the end."""
        self._items = items
        self._channel = channel
        self._footprint = footprint
        self._layers = layers
        self._scratch = scratch
        self._reports = reports
        self._before_exit = before_exit
        self._mark = mark.encode()
        self._owner = os.getpid()
        self._roots_run = 0
        self._is_collapsed = False
        self._has_marked = False
        self._has_company = False
        self._layered: AbstractSet[int] = frozenset()
        self._exit_flag = ExitFlag()
        self._start = StartDirectory()
        self._descriptors = open_descriptors()
        self.current: Verdict | None = None

    def run_forked(self, tree: dict[str, Any]) -> None:
        """Called by the trunk: every root in a child of its own. Stops at the first root that leaves traces, so that
        the caller can undo them, and names the roots that are still to be run."""
        roots: Sequence[int] = tree["roots"]
        self._layered = frozenset(tree["layered"])
        self._roots_run += len(roots)
        if self._roots_run > _MANY and not self._is_collapsed:
            self._is_collapsed = True
            collapse()
        self._start.enter()
        for done, root in enumerate(roots, start=1):
            if self._fork(tree, root, is_root=True) != UNTOUCHED and done < len(roots):
                self._channel.send({"event": "left", "nodes": roots[done:]})
                break
        self._channel.send({"event": "done"})

    def run_here(self, tree: dict[str, Any]) -> None:
        """Called in a fresh process: one order, no fork."""
        (root,) = tree["roots"]
        self._path(tree, root)
        self._channel.send({"event": "done"})

    def _fork(self, tree: dict[str, Any], node: int, *, is_root: bool) -> int:
        self._exit_flag.clear()
        parent = os.getpid()
        restore_sigchld = reset_sigchld()
        child = os.fork()
        if child == 0:
            restore_sigchld()
            self._live_as_child(tree, node, parent, is_root=is_root)
        if is_root:
            self._channel.send({"event": "child", "pid": child, "node": node})
        _, status = os.waitpid(child, 0)
        restore_sigchld()
        if is_root:
            _kill_group(child)
        if said := self._exit_flag.status():
            return said
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        why = f"killed by signal {number}" if number else f"left the process with status {os.WEXITSTATUS(status)}"
        self._channel.send({"event": "broke", "node": node, "why": why, "signal": number})
        return MARKED

    def _live_as_child(self, tree: dict[str, Any], node: int, parent: int, *, is_root: bool) -> None:
        """Never returns: what lies above on the stack belongs to the parent."""
        try:
            self._owner = os.getpid()
            self._has_marked = False
            self._footprint.forget_own()
            can_run = is_root or node not in self._layered or self._lay(node)
            die_with_parent(parent)
            if is_root:
                os.setpgid(0, 0)
            reseed_libraries()
            if can_run:
                self._path(tree, node)
            self._before_exit()
            self._exit_flag.say(MARKED if self._has_marked else UNTOUCHED)
        finally:
            os._exit(0)

    def _lay(self, node: int) -> bool:
        """Whether this branch has a layer of its own now. If not, it is run from the beginning, and by itself."""
        try:
            self._layers.lay()
        except OSError as problem:
            self._has_marked = True
            if not isinstance(problem, FileNotFoundError):
                self._channel.send({"event": "unlayered", "why": str(problem)})
            self._channel.send({"event": "left", "nodes": [node]})
            return False
        self._start.seen()
        self._descriptors = open_descriptors()
        return True

    def _path(self, tree: dict[str, Any], node: int) -> None:
        """Runs down from `node`; the last branch is run by this process itself."""
        self._channel.send({"event": "start", "node": node})
        while True:
            self._test(tree, node)
            branches: Sequence[int] = tree["branches"][node]
            is_at_fork = len(branches) > 1
            if is_at_fork and (left := self._cannot_be_forked(branches[:-1])):
                self._channel.send({"event": "left", "nodes": left})
                branches = [branch for branch in branches if branch not in left]
            for place, branch in enumerate(branches[:-1], start=1):
                if self._fork(tree, branch, is_root=False) != UNTOUCHED:
                    self._has_marked = True
                    self._channel.send({"event": "left", "nodes": branches[place:]})
                    return
            if not branches:
                return
            node = branches[-1]
            if is_at_fork:
                # Where there is only one way on, the end of a test means that the next begins.
                self._channel.send({"event": "start", "node": node})

    def _cannot_be_forked(self, branches: Sequence[int]) -> Sequence[int]:
        """All of them if only one process can go on from here."""
        by_layers = not self._layered.isdisjoint(branches)
        return branches if self._has_company or why_not_share(self._descriptors, by_layers=by_layers) else ()

    def _test(self, tree: dict[str, Any], node: int) -> None:
        item = self._items[tree["items"][node]]
        following = tree["following"][node]
        self.current = verdict = Verdict()
        self._footprint.start()
        try:
            item.config.hook.pytest_runtest_protocol(
                item=item, nextitem=None if following is None else self._items[following]
            )
        except BaseException as stop:  # noqa: BLE001 - pytest.exit() and KeyboardInterrupt pass through the protocol
            self._leave_if_stray()
            self._end(node, "crashed", verdict, f"the test stopped the whole run: {stop!r}")
            os._exit(1)
        self._leave_if_stray()
        self._account(node)
        self._end(node, verdict.outcome, verdict, verdict.story)

    def _end(self, node: int, outcome: str, verdict: Verdict, story: str) -> None:
        message = {
            "event": "end",
            "node": node,
            "outcome": outcome,
            "seconds": round(verdict.seconds, 6),
            "story": story,
        }
        if self._reports is not None:
            message["details"] = self._reports.taken()
        self._channel.send(message)

    def _leave_if_stray(self) -> None:
        """A test that forks and lets its child return would run the rest of the order a second time."""
        if os.getpid() != self._owner:
            os._exit(0)

    def _account(self, node: int) -> None:
        """Reports what the test wrote where others could see it."""
        self._footprint.stop()
        paths = self._footprint.beyond(self._scratch)
        is_exchanged = self._start.was_exchanged()
        leaves_process = self._footprint.started_process and has_company(self._mark)
        self._has_company |= leaves_process
        is_kept = not leaves_process and all(map(self._layers.places.keep, paths))
        if self._layers.is_laid:
            self._has_marked |= not is_kept
        else:
            self._has_marked |= is_exchanged or self._footprint.marks(self._scratch)
        unknown = is_exchanged or self._footprint.started_process or len(paths) > _PATHS_REPORTED
        if paths or unknown:
            shared = self._footprint.wrote_shared
            wrote = {"paths": paths[:_PATHS_REPORTED], "unknown": unknown, "shared": shared, "kept": is_kept}
            self._channel.send({"event": "wrote", "node": node, **wrote})


def _kill_group(leader: int) -> None:
    """What a test started and left running must not live on into the next order."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def reseed_libraries() -> None:
    """A fresh process draws other numbers; so must a forked one. The standard library does this by itself."""
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
