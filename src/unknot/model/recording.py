"""What was recorded while the suite ran once: which test left what behind, which read it, and on which lines."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from unknot.model.graph import DependencyGraph
from unknot.model.outcome import Outcome
from unknot.model.suite import Order, Suite, TestId, by_test


@dataclass(frozen=True)
class Frame:
    """A line of code. `file` is relative to the project's root where it lies below it, and absolute elsewhere."""

    file: str
    line: int
    function: str


REMOVED = "<removed>"
"""Shown in place of the value of a location that no longer exists."""

Stack = tuple[Frame, ...]
"""Innermost first: the place itself, if it is not in the user's code, then the user's lines that led there."""


@dataclass(frozen=True, order=True)
class Location:
    """Something that outlives a test. `kind` is "memory", "environment", "process", "file", "directory", "table",
    "port" or "subprocess"; `name` is how code refers to it: `shop.cart.CART['alice']`, `os.environ['MODE']`, a path."""

    kind: str
    name: str


@dataclass(frozen=True)
class Access:
    """One test's first read of a location, or its last write. `shown` is what the location held after a write;
    `restored` says that this was what it held before the first test."""

    test: TestId
    stack: Stack = ()
    shown: str = ""
    restored: bool = False


@dataclass(frozen=True)
class Account:
    """All that happened to one location, in reference order. `unseen` says why reads of it cannot be recorded, where
    that is so: then every later test may have read it."""

    location: Location
    writes: tuple[Access, ...] = ()
    reads: tuple[Access, ...] = ()
    unseen: str = ""


class FlowKind(StrEnum):
    """Read after write: the reader found what the writer left. Write after read: the writer came later, and must not
    come between the reader and the test that made what it found."""

    READ_AFTER_WRITE = "raw"
    WRITE_AFTER_READ = "war"


@dataclass(frozen=True)
class Flow:
    """A data dependency: a reason to suspect, not a proof. `harmless` says that the reader, run alone, makes the same
    content by itself: a cache."""

    kind: FlowKind
    writer: TestId
    reader: TestId
    location: Location
    written: Stack = ()
    read: Stack = ()
    shown: str = ""
    harmless: bool = False


@dataclass(frozen=True)
class Left:
    """Pollution: what a test left changed, whether or not another test reads it."""

    test: TestId
    location: Location
    written: Stack = ()
    shown: str = ""


_ON_DISK = ("file ", "subprocess ")
_OUTSIDE = frozenset({"file", "table", "port"})


def _is_in_file(name: str, what: Collection[str]) -> bool:
    """Whether this is a file, or a database and its tables in one of the files that were touched too, as in SQLite."""
    kind, _, place = name.partition(" ")
    database = place if kind == "database" else place.rpartition(": ")[0]
    return name.startswith(_ON_DISK) or (kind in ("database", "table") and f"file {database}" in what)


def outside_shared(recording: "Recording") -> list[frozenset[TestId]]:
    """For each file, table and port that a test writes and another one uses: these tests. Processes that run them at
    the same time would disturb each other."""
    found = []
    for account in recording.accounts:
        tests = frozenset(access.test for access in (*account.writes, *account.reads))
        if account.location.kind in _OUTSIDE and account.writes and len(tests) > 1:
            found.append(tests)
    return found


@dataclass(frozen=True)
class Recording:
    """One run of the whole suite in its own order. `outside` are the tests that touched what a fork cannot undo, with
    what it was. `notes` say what could not be recorded. `seconds` are how long tests took while they were recorded.
    `test_runs` counts the tests that were run for it, those of a second run and those run alone included.
    `has_memory`: what tests leave in memory was recorded too, which needs the parts in C."""

    tests: Order
    outcomes: Mapping[TestId, Outcome]
    accounts: tuple[Account, ...] = ()
    flows: tuple[Flow, ...] = ()
    left: tuple[Left, ...] = ()
    outside: Mapping[TestId, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: Mapping[TestId, float] = field(default_factory=dict)
    test_runs: int = 0
    has_memory: bool = True

    @property
    def users_of_servers(self) -> list[TestId]:
        """Tests that touched outside what is in no file: a server's database, a port. Processes that they start may
        write files and are taken to do no more."""
        return [test for test, what in self.outside.items() if not all(_is_in_file(name, what) for name in what)]

    @property
    def has_cleaners(self) -> bool:
        """Whether a test restored what another had left, and a third read it after that: in another order it might
        find it. Who read it before the first write shows only in a second look."""
        place = {test: number for number, test in enumerate(self.tests)}
        for account in self.accounts:
            writers = {write.test for write in account.writes}
            restored = min((place[write.test] for write in account.writes if write.restored), default=len(place))
            if any(place[read.test] > restored and read.test not in writers for read in account.reads):
                return True
        return False

    @cached_property
    def account_of(self) -> Mapping[Location, Account]:
        return {account.location: account for account in self.accounts}

    @cached_property
    def flows_to(self) -> Mapping[TestId, tuple[Flow, ...]]:
        """Read-after-write flows, harmless ones too, by their reader."""
        return by_test(self._read_after_write, lambda flow: flow.reader)

    @cached_property
    def _read_after_write(self) -> tuple[Flow, ...]:
        return tuple(flow for flow in self.flows if flow.kind is FlowKind.READ_AFTER_WRITE)

    def may_need(self, suite: Suite) -> DependencyGraph:
        """Dependent to prerequisite over the suite's positions: a test that reads what another left depends on it,
        caches aside."""
        return _graph(suite, ((flow.reader, flow.writer) for flow in self._read_after_write if not flow.harmless))


def _graph(suite: Suite, pairs: Iterable[tuple[TestId, TestId]]) -> DependencyGraph:
    index = suite.index
    return DependencyGraph(len(suite), {(index[a], index[b]) for a, b in pairs if a != b and a in index and b in index})
