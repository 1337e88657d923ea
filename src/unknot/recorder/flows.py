"""From what happened to what flowed: last writer before each reader, in reference order.

Reference
    Bell et al., "Efficient Dependency Detection for Safe Java Test Acceleration", ESEC/FSE 2015, section 3; Gambi et
    al., "Practical Test Dependency Detection", ICST 2018, section III-A.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from unknot.model.outcome import Outcome
from unknot.model.recording import REMOVED, Access, Account, Flow, FlowKind, Left, Location, Recording
from unknot.model.suite import TestId
from unknot.recorder.events import Event, Events

_READ = "read"
_ONLY_SEEDED = frozenset({"random.getstate()", "numpy.random.get_state()"})
"""Every draw changes these. It matters only if they were seeded: then two runs leave the same state."""


def recording(first: Events, second: Events | None, outcomes: Mapping[TestId, Outcome]) -> Recording:
    """The result of the first pass, or of both."""
    return _Analysis(first, second).recording(outcomes)


class _Analysis:
    def __init__(self, first: Events, second: Events | None) -> None:
        self._first = first
        self._second = second or Events()
        self._place = {test: number for number, test in enumerate(first.tests)}
        self._again = frozenset(self._second.tests)
        written_again = [event for event in self._second.events if event.did != _READ]
        self._left_again = {(event.test, event.location): event.fingerprint for event in written_again}
        self._lines = {(event.test, event.location): event.stack for event in written_again if event.stack}
        self._writes: dict[Location, dict[TestId, Event]] = defaultdict(dict)
        self._reads: dict[Location, dict[TestId, Event]] = defaultdict(dict)
        # The second pass watches from the start: only there a write shows that changes nothing before another did.
        only_there = (event for event in self._second.events if event.did == _READ or event.unchanged)
        for event in (*first.events, *only_there):
            self._take(event)
        self._take_writes_of_entries()

    def _take(self, event: Event) -> None:
        if event.test not in self._place:
            return
        if event.did == _READ:
            self._reads[event.location].setdefault(event.test, event)
        elif not self._is_only_drawn(event):
            stack = self._lines.get((event.test, event.location)) or event.stack
            shown = REMOVED if event.did == "removed" else event.shown
            write = replace(event, stack=stack, shown=shown)
            if event.unchanged:
                self._writes[event.location].setdefault(event.test, write)
            else:
                self._writes[event.location][event.test] = write

    def _take_writes_of_entries(self) -> None:
        """A read of all entries of a container finds what the last writer of any of them wrote."""
        containers = [one for one, reads in self._reads.items() if any(read.all for read in reads.values())]
        written = sorted(self._writes)
        for container in containers:
            entries = (f"{container.name}[", f"{container.name}{{")
            for location in (one for one in written if one.name.startswith(entries)):
                self._writes[container].update(self._writes[location])

    def _is_only_drawn(self, event: Event) -> bool:
        again = self._left_again.get((event.test, event.location))
        return event.location.name in _ONLY_SEEDED and event.test in self._again and again != event.fingerprint

    def recording(self, outcomes: Mapping[TestId, Outcome]) -> Recording:
        written = sorted(self._writes)
        return Recording(
            tests=tuple(self._first.tests),
            outcomes=outcomes,
            accounts=tuple(map(self._account, written)),
            flows=tuple(flow for location in written for flow in self._flows(location)),
            left=tuple(
                Left(write.test, location, write.stack, write.shown)
                for location in written
                for write in self._in_order(self._writes[location])
                if not write.restored and not write.fixture
            ),
            outside=self._first.outside,
            notes=tuple(dict.fromkeys((*self._first.notes, *self._second.notes))),
            seconds=self._first.seconds,
            test_runs=len(self._first.tests) + len(self._second.tests) + len({test for test, _ in self._second.alone}),
            has_memory="memory" not in self._first.unrecorded,
        )

    def _account(self, location: Location) -> Account:
        return Account(
            location,
            writes=tuple(map(_access, self._in_order(self._writes[location]))),
            reads=tuple(map(_access, self._in_order(self._reads[location]))),
            unseen=self._first.unseen.get(location, ""),
        )

    def _in_order(self, by_test: Mapping[TestId, Event]) -> list[Event]:
        return sorted(by_test.values(), key=lambda event: self._place[event.test])

    def _flows(self, location: Location) -> Iterator[Flow]:
        writes = [
            write
            for write in self._in_order(self._writes[location])
            if not (write.restored and write.unchanged)  # it may clean up, but in this order it did not
        ]
        for read in self._in_order(self._reads[location]):
            place = self._place[read.test]
            before = [write for write in writes if self._place[write.test] < place]
            after = [write for write in writes if self._place[write.test] > place]
            if before and not self._makes_itself(read.test, before[-1]):
                yield _flow(FlowKind.READ_AFTER_WRITE, before[-1], read, self._is_harmless(before[-1], read))
            if (
                after
                and not after[0].restored
                and not self._makes_itself(read.test, after[0])
                and not _is_its_own(read)
            ):
                yield _flow(FlowKind.WRITE_AFTER_READ, after[0], read, False)

    def _is_harmless(self, write: Event, read: Event) -> bool:
        if _is_its_own(read):
            return True
        alone, seen_alone = self._second.alone.get((read.test, read.location), (None, None))
        own = self._writes[read.location].get(read.test)
        # A nested change by another test is not recorded as a write of this location.
        found = write.fingerprint if read.found is None or read.cut else read.found
        return is_harmless(
            found=found,
            left=found if own is None else own.fingerprint,
            alone=alone,
            clean=write.clean,
            seen=read.seen,
            seen_alone=seen_alone,
        )

    def _makes_itself(self, test: TestId, event: Event) -> bool:
        """Whether a fixture did it that this test has too: alone, it would have set it up for itself."""
        return bool(event.fixture) and event.fixture in self._first.uses.get(test, frozenset())


def _is_its_own(read: Event) -> bool:
    """Whether the reader had written something else there before it read. Adding to a container does not count: the
    rest is what it has found."""
    return None not in (read.seen, read.found) and read.seen != read.found and not read.whole


def _access(event: Event) -> Access:
    return Access(event.test, event.stack, event.shown, event.restored)


def _flow(kind: FlowKind, write: Event, read: Event, harmless: bool) -> Flow:
    return Flow(kind, write.test, read.test, read.location, write.stack, read.stack, write.shown, harmless)


UNKNOWN: object = None
"""A fingerprint that was not taken: the test did not pass alone, or was not run alone. Nothing follows from it."""


def is_harmless(
    *,
    found: object,
    left: object,
    alone: object,
    clean: object = UNKNOWN,
    seen: object = UNKNOWN,
    seen_alone: object = UNKNOWN,
) -> bool:
    """Decides whether a flow makes no difference to its reader, by fingerprints of the location at different moments:
    what the reader `found` and `left` in the suite; what it leaves when it runs `alone` from the `clean` state; and
    what it first read, in the suite (`seen`) and alone (`seen_alone`). UNKNOWN is equal to nothing.

    Running the reader alone tries it with another content, the clean one, in place of what the writer left. Two
    observations then mean that it makes no difference to the reader which of the two it gets:

    - *It makes the same itself.* Alone it leaves just what it found in the suite, and in the suite it did not change
      that: lazy initialisation, memo tables, registries filled by an import, flags that say "already done". All three
      must agree. A reader that continues from what it found (a counter, a list to which every test appends) has
      left != found; so has one that reads and then resets; one that found more than it makes has alone != found.
    - *It overwrites before it reads.* Whatever was there, what it first reads is the same: a set-up that assigns or
      clears, and a test that then uses what it has assigned.

    If the writer had only restored the clean state, the reader has been tried with one content only, and nothing
    follows: without this writer it may find what an earlier one left. Where the clean state is UNKNOWN, that case is
    not recognised.

    Assumes that the reader is a function of what it reads: one that draws random numbers or reads the clock shows
    different fingerprints, and is not harmless. Implies nothing about other contents that the location might have, left
    by writers that have not run before this reader.
    """
    if UNKNOWN in (found, left, alone) or found == clean:
        return False
    makes_it_itself = found == left == alone
    overwrites_first = clean is not UNKNOWN and seen is not UNKNOWN and seen == seen_alone
    return makes_it_itself or overwrites_first
