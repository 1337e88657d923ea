"""Who wrote and who read what: one line for each, in the order in which it happened."""

import json
import os
from collections.abc import Sequence
from typing import IO

from unknot.recorder.inside.stack import Frame, Stacks

_getpid = os.getpid

WROTE, READ, REMOVED = "wrote", "read", "removed"


class Ledger:
    """Writes events as lines of JSON. Of one test, one line for each thing done to one location: the first read, for
    that is what it found; all writes, for the last one is what it left.

    Never raises and never runs the suite's code: it is called from audit hooks and in the middle of the suite's own
    statements. Says nothing while no test is at work, and nothing in a child that a test has forked.
    """

    def __init__(self, file: IO[str], stacks: Stacks) -> None:
        self.test = ""
        self.fixture = ""
        self.stacks = stacks
        self._file = file
        self._process = _getpid()
        self._seen: set[tuple[str, str]] = set()

    def begin(self, test: str) -> None:
        self.test = test
        self._seen.clear()
        self.fact(begins=test)

    def end(self) -> None:
        self.test = ""
        self.fixture = ""

    def read(self, kind: str, name: str, stack: Sequence[Frame] | None = None, **more: object) -> None:
        """The test at work has looked at this location. Taken once for each test. Of `more`, `seen` is a fingerprint of
        what it saw there."""
        if self.test and not self.has_read(kind, name) and self._is_here():
            self._seen.add((kind, name))
            self._event(READ, kind, name, self.stacks.here() if stack is None else stack, **more)

    def has_read(self, kind: str, name: str) -> bool:
        """Whether that is known of the test at work already."""
        return (kind, name) in self._seen

    def wrote(self, kind: str, name: str, stack: Sequence[Frame] | None = None, **more: object) -> None:
        """The test at work has changed this location. Of `more`, `shown` is what it holds now, for people, `sign` a
        fingerprint of that, by which two contents can be compared, and `road` the way there from a root."""
        if self.test and self._is_here():
            self._event(WROTE, kind, name, self.stacks.here() if stack is None else stack, **more)

    def removed(self, kind: str, name: str, stack: Sequence[Frame] | None = None) -> None:
        """The test at work has made away with this location: a file deleted, a key taken out."""
        if self.test and self._is_here():
            self._event(REMOVED, kind, name, self.stacks.here() if stack is None else stack)

    def note(self, text: str) -> None:
        """Something that was not looked into, for the user to know."""
        self.fact(note=text)

    def fact(self, **more: object) -> None:
        """Something else that the analysis must know."""
        if self._is_here():
            self._line(more)

    def _is_here(self) -> bool:
        return _getpid() == self._process

    def _event(self, did: str, kind: str, name: str, stack: Sequence[Frame], **more: object) -> None:
        told = {key: value for key, value in more.items() if value not in ("", None)}
        whose = {"fixture": self.fixture} if self.fixture else {}
        self._line({"test": self.test, "did": did, "kind": kind, "name": name, "stack": stack, **whose, **told})

    def _line(self, event: dict[str, object]) -> None:
        self._file.write(json.dumps(event) + "\n")
