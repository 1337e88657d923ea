"""Which test wrote and which test read each location: one line per event, in the order of the events."""

import json
import os
from collections.abc import Sequence
from typing import Protocol

from unknot.recorder.inside.stack import Frame, Stacks

_getpid = os.getpid

WROTE, READ, REMOVED = "wrote", "read", "removed"


class LineFile(Protocol):
    """Where the lines go: a file, or what is like one."""

    def write(self, line: str, /) -> object: ...


class Ledger:
    """Writes events as lines of JSON. For each test and location it writes the first read, which shows what the test
    found, and all writes, of which the last shows what the test left.

    Never raises and never runs the suite's code: audit hooks call it in the middle of the suite's own statements.
    Writes nothing while no test is running, and nothing in a child process that a test has forked.
    """

    def __init__(self, file: LineFile, stacks: Stacks) -> None:
        self.test = ""
        self.fixture = ""
        self.touched: set[str] = set()
        """What the current test has changed or connected to that a fork of the process would share: files beyond its
        own scratch directory, processes, ports, databases on disk or on a server."""
        self.stacks = stacks
        self._file = file
        self._process = _getpid()
        self._read_locations: set[tuple[str, str]] = set()

    def begin(self, test: str) -> None:
        self.test = test
        self.touched.clear()
        self._read_locations.clear()
        self.fact(begins=test)

    def end(self) -> None:
        if self.touched:
            self.fact(test=self.test, outside=sorted(self.touched))
        self.test = ""
        self.fixture = ""

    def read(self, kind: str, name: str, stack: Sequence[Frame] | None = None, **more: object) -> None:
        """The current test has read this location. Recorded once for each test. In `more`, `seen` is a fingerprint of
        the content that the test read."""
        if self.test and not self.has_read(kind, name):
            self._read_locations.add((kind, name))
            self._event(READ, kind, name, stack, more)

    def has_read(self, kind: str, name: str) -> bool:
        """Whether such a read of the current test is recorded already."""
        return (kind, name) in self._read_locations

    def wrote(self, kind: str, name: str, stack: Sequence[Frame] | None = None, **more: object) -> None:
        """The current test has changed this location. In `more`, `shown` is the new content as readable text,
        `fingerprint` can be compared, and `path` leads there from a root."""
        self._event(WROTE, kind, name, stack, more)

    def removed(self, kind: str, name: str, stack: Sequence[Frame] | None = None) -> None:
        """The current test has removed this location: a deleted file, a deleted key."""
        self._event(REMOVED, kind, name, stack, {})

    def note(self, text: str) -> None:
        """Something that was not examined, for the user to know."""
        self.fact(note=text)

    def fact(self, **more: object) -> None:
        """Anything else that the analysis needs."""
        if _getpid() == self._process:
            self._file.write(json.dumps(more) + "\n")

    def _event(self, did: str, kind: str, name: str, stack: Sequence[Frame] | None, more: dict[str, object]) -> None:
        if self.test and _getpid() == self._process:
            where = self.stacks.here() if stack is None else stack
            known = {key: value for key, value in {"fixture": self.fixture, **more}.items() if value not in ("", None)}
            self.fact(test=self.test, did=did, kind=kind, name=name, stack=where, **known)
