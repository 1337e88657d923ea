"""Where everything that is seen is written down, one JSON line for each event, within bounds."""

import json
import threading
from typing import Any, TextIO

from unknot.runners.pytest.inside.browser.page_scripts import Kept

_TEXT = ("text/html", "text/plain", "text/xml", "application/xml", "application/xhtml", "json", "graphql", "text/csv")
_DECORATION = frozenset(
    {"image", "stylesheet", "script", "font", "media", "manifest", "texttrack", "websocket", "eventsource", "preflight"}
)


def is_text(content_type: str) -> bool:
    """Whether an answer of this type may show what tests have entered. An endless one (`text/event-stream`) is none."""
    return any(kind in content_type.lower() for kind in _TEXT)


def is_data_request(resource: str, url: str) -> bool:
    """Whether a request for this kind of resource is more than decoration."""
    return resource.lower() not in _DECORATION and not url.endswith("/favicon.ico")


MOST_TEXT = 200_000
"""Characters of one page or answer; most pages have far fewer."""

MOST_BODY = 64_000
_MOST_OF_A_TEST = 8_000_000
_MOST_IN_ALL = 400_000_000
_MOST_NOTES = 100


class TrafficLedger:
    """Knows whose doing everything is at the moment: `owner` is a test, or empty for what is done for several tests by
    a fixture that they share. Threads may write at the same time. What goes beyond the bounds is left out, and that is
    said once for each test."""

    def __init__(self, file: TextIO) -> None:
        self.owner = ""
        self._file = file
        self._lock = threading.Lock()
        self._time = 0
        self._contexts = 0
        self._of_test: dict[str, int] = {}
        self._in_all = 0
        self._notes: set[str] = set()
        self._lost: set[str] = set()

    def moment(self) -> int:
        """A number for what begins now: larger than all before it."""
        with self._lock:
            self._time += 1
            return self._time

    @property
    def now(self) -> int:
        """The number of what has begun last."""
        return self._time

    def new_context(self) -> int:
        """A number for one set of cookies and storage, and the fact that a browser was seen."""
        with self._lock:
            self._contexts += 1
            self._time += 1
            number = self._contexts
        self.write("context", owner=self.owner, context=number)
        return number

    def note(self, text: str) -> None:
        with self._lock:
            is_new = text not in self._notes and len(self._notes) < _MOST_NOTES
            self._notes.add(text)
        if is_new:
            self.write("note", text=text)

    def not_started(self, problem: Exception) -> None:
        """A browser that the suite wanted; the suite itself reports the problem in full."""
        first = next(iter(str(problem).strip().splitlines()), type(problem).__name__)
        self.note(f"the browser could not be started: {first[:300]}")

    def exchange(self, owner: str, **facts: Any) -> None:
        for name in ("text", "body"):
            facts[name] = facts[name][: MOST_TEXT if name == "text" else MOST_BODY]
        facts["url"] = facts["url"][:MOST_BODY]
        self._bounded("exchange", owner, facts)

    def page(self, owner: str, **facts: Any) -> None:
        self._bounded("page", owner, {**facts, "text": facts["text"][:MOST_TEXT]})

    def look(self, context: int, moment: str, kept: Kept) -> None:
        self.write(
            "look",
            owner=self.owner,
            context=context,
            moment=moment,
            time=self.moment(),
            entries=kept.entries,
            places=kept.places,
        )

    def write(self, kind: str, **facts: Any) -> None:
        line = json.dumps({"kind": kind, **facts}) + "\n"
        with self._lock:
            if self._file.closed:
                # A browser that outlives the session.
                return
            self._file.write(line)
            # A test may end the process.
            self._file.flush()

    def _bounded(self, kind: str, owner: str, facts: dict[str, Any]) -> None:
        size = len(facts["text"]) + len(facts.get("body", "")) + 500
        with self._lock:
            so_far = self._of_test[owner] = self._of_test.get(owner, 0) + size
            self._in_all += size
            too_much = so_far > _MOST_OF_A_TEST or self._in_all > _MOST_IN_ALL
        if too_much:
            facts = {**facts, "text": ""}
            self._lose(owner)
            if so_far > 2 * _MOST_OF_A_TEST:
                return
        self.write(kind, owner=owner, **facts)

    def _lose(self, owner: str) -> None:
        """Says once that not all of what this test does is written down."""
        with self._lock:
            is_new = owner not in self._lost
            self._lost.add(owner)
        if is_new:
            self.write("lost", owner=owner)
            self.note(f"{owner or 'a fixture'}: there was more traffic than is kept; what pages showed is left out")
