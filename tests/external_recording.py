"""A recorder of what is outside of the process, without a suite: its tests are `with` blocks."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from unknot.recorder.inside.audit import AuditListener
from unknot.recorder.inside.external import ExternalRecorder
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.stack import Stacks


class _Unhooked(ExternalRecorder):
    """Gets its events from the one hook."""

    def install(self) -> None:
        pass


class _OneHook(AuditListener):
    """An audit hook stays for ever: one for all the tests that use this. Calls the recorder without a frame between."""

    def listen(self, outside: ExternalRecorder | None) -> None:
        self._active = outside is not None
        if outside is not None:
            self._on_event = outside._on_event  # type: ignore[method-assign]


def _recorder(ledger: Ledger, scratch: str = "", *roots: str) -> ExternalRecorder:
    return _Unhooked(ledger, {"scratch": scratch, "roots": roots})


def _all_events() -> frozenset[str]:
    made = _recorder(Ledger(io.StringIO(), Stacks(())))
    made.close()
    return made._events


_hook = _OneHook(_all_events())
_hook.install()


class RecordedTests:
    def __init__(self, scratch: Path, roots: tuple[Path, ...]) -> None:
        self._text = io.StringIO()
        self.ledger = Ledger(self._text, Stacks((str(Path(__file__).parent / "recorder"),)))
        self.outside = _recorder(self.ledger, str(scratch), *map(str, roots))
        self.touched: dict[str, set[str]] = {}

    @contextmanager
    def test(self, name: str) -> Iterator[None]:
        self.outside.begin_test(name)
        try:
            yield
        finally:
            self.outside.end_test()
            self.touched[name] = set(self.ledger.touched)

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._text.getvalue().splitlines()]

    def did(self, test: str, kind: str) -> set[tuple[str, str]]:
        """What the test did, and to what."""
        return {(e["did"], e["name"]) for e in self.events() if e.get("test") == test and e.get("kind") == kind}

    def notes(self) -> list[str]:
        return [event["note"] for event in self.events() if "note" in event]

    def stack(self, test: str, did: str, name: str) -> list[Any]:
        [event] = [e for e in self.events() if (e.get("test"), e.get("did"), e.get("name")) == (test, did, name)]
        stack: list[Any] = event["stack"]
        return stack


@contextmanager
def recorded_tests(scratch: Path, *roots: Path) -> Iterator[RecordedTests]:
    """No event may be lost to an error in the recorder."""
    made = RecordedTests(scratch, roots)
    _hook.listen(made.outside)
    try:
        yield made
    finally:
        _hook.listen(None)
        made.outside.close()
    assert [note for note in made.notes() if "incomplete" in note] == [], made.notes()
