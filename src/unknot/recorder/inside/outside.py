"""All that tests do outside of their process, from one audit hook."""

from typing import Any

from unknot.recorder.inside.audit import AuditListener
from unknot.recorder.inside.collector import Collector
from unknot.recorder.inside.database.databases import Databases
from unknot.recorder.inside.database.dbapi import Drivers
from unknot.recorder.inside.database.sqlite import Sqlite
from unknot.recorder.inside.files.files import Files
from unknot.recorder.inside.files.processes import Processes
from unknot.recorder.inside.files.sockets import Sockets
from unknot.recorder.inside.ledger import Ledger


class Outside(AuditListener):
    """Files, ports, subprocesses and databases. Every collector hears the events that it wants, through one hook.

    `install` once, `start` before the suite's first import, `stop` at the end; `begin_test` before each test and
    `end_of_test` at each border after it, while the ledger still names the test.
    """

    def __init__(self, ledger: Ledger, scratch: str, roots: tuple[str, ...]) -> None:
        self._databases = Databases(ledger)
        self.files = Files(ledger, scratch, roots)
        self._collectors: tuple[Collector, ...] = (
            self.files,
            Processes(ledger),
            Sockets(ledger),
            Sqlite(ledger, self._databases),
            Drivers(ledger, self._databases),
        )
        super().__init__(frozenset().union(*(collector.events for collector in self._collectors)))
        self._listeners = {
            event: tuple(collector for collector in self._collectors if event in collector.events)
            for event in self._events
        }

    def start(self) -> None:
        for collector in self._collectors:
            collector.start()
        super().start()

    def stop(self) -> None:
        super().stop()
        for collector in self._collectors:
            collector.stop()

    def begin_test(self) -> None:
        self._databases.begin_test()
        for collector in self._collectors:
            collector.begin_test()

    def end_of_test(self) -> None:
        for collector in self._collectors:
            collector.end_of_test()

    def touched_outside(self) -> set[str]:
        """What the test has touched, since `begin_test`, that a fork of the process shares with the others: files
        beyond its own scratch directory, processes, ports, databases on disk or elsewhere."""
        return set().union(self._databases.touched, *(collector.touched_outside() for collector in self._collectors))

    def _take(self, event: str, arguments: tuple[Any, ...]) -> None:
        for collector in self._listeners[event]:
            collector.hear(event, arguments)
