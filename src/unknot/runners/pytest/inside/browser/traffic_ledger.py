"""Where everything that is recorded is written, one JSON line for each event, within bounds."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TextIO

_TEXT = ("text/html", "text/plain", "text/xml", "application/xml", "application/xhtml", "json", "graphql", "text/csv")
_DECORATION = frozenset(
    {"image", "stylesheet", "script", "font", "media", "manifest", "texttrack", "websocket", "eventsource", "preflight"}
)

MOST_TEXT = 200_000
"""Characters of one page or answer; most pages have far fewer."""

MOST_BODY = 64_000
_MOST_OF_A_TEST = 8_000_000
_MOST_IN_ALL = 400_000_000
_MOST_NOTES = 100


def is_data_request(resource: str, url: str) -> bool:
    """Whether a request for this kind of resource is more than decoration."""
    return resource.lower() not in _DECORATION and not url.endswith("/favicon.ico")


@dataclass(eq=False)
class RecordedExchange:
    """A request and, as far as it is known, its answer. `moment` is when it began."""

    owner: str
    moment: int
    context: int
    method: str
    url: str
    body: str = ""
    body_type: str = ""
    referer: str = ""
    status: int = 0
    type: str = ""
    location: str = ""
    text: str = ""

    def answer(self, status: int, headers: Mapping[str, str]) -> None:
        """The names of headers are in lower case."""
        self.status = status
        self.type = headers.get("content-type", "")
        self.location = headers.get("location", "")

    @property
    def has_text(self) -> bool:
        """Whether the answer may show what tests have entered. An endless one (`text/event-stream`) has none."""
        return any(kind in self.type.lower() for kind in _TEXT)


class TrafficLedger:
    """`owner` is the test that causes what is recorded now, or empty for what a fixture does for several tests that
    share it. Threads may write at the same time. What exceeds the bounds is left out, with one note for each test."""

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

    def begin(
        self, context: int, method: str, url: str, headers: Mapping[str, str] | None = None, body: str = ""
    ) -> RecordedExchange:
        """A request that begins now; nothing is written yet. The names of headers are in lower case."""
        sent = headers or {}
        return RecordedExchange(
            self.owner, self.moment(), context, method, url, body, sent.get("content-type", ""), sent.get("referer", "")
        )

    def exchange(self, done: RecordedExchange) -> None:
        bounded = {"url": done.url[:MOST_BODY], "body": done.body[:MOST_BODY], "text": done.text[:MOST_TEXT]}
        self._bounded("exchange", {**vars(done), **bounded})

    def page(self, context: int, url: str, text: str) -> None:
        """What a page shows now."""
        facts = {"owner": self.owner, "context": context, "time": self.moment(), "url": url, "text": text[:MOST_TEXT]}
        self._bounded("page", facts)

    def write(self, kind: str, **facts: Any) -> None:
        line = json.dumps({"kind": kind, **facts}) + "\n"
        with self._lock:
            if self._file.closed:
                # A browser that outlives the session.
                return
            self._file.write(line)
            # A test may end the process.
            self._file.flush()

    def _bounded(self, kind: str, facts: dict[str, Any]) -> None:
        owner = facts["owner"]
        size = len(facts["text"]) + len(facts.get("body", "")) + 500
        with self._lock:
            so_far = self._of_test[owner] = self._of_test.get(owner, 0) + size
            self._in_all += size
            too_much = so_far > _MOST_OF_A_TEST or self._in_all > _MOST_IN_ALL
            is_first = too_much and owner not in self._lost
            if too_much:
                self._lost.add(owner)
        if is_first:
            self.write("lost", owner=owner)
            self.note(f"{owner or 'a fixture'}: there was more traffic than is kept; what pages showed is left out")
        if so_far <= 2 * _MOST_OF_A_TEST:
            self.write(kind, **{**facts, "text": "" if too_much else facts["text"]})
