"""Recordings told in a few lines: who wrote and who read what, where."""

from collections.abc import Sequence
from dataclasses import dataclass

from unknot.model.outcome import Outcome
from unknot.model.recording import Access, Account, Flow, FlowKind, Frame, Left, Location, Recording, Stack
from unknot.model.suite import TestId


@dataclass(frozen=True)
class Did:
    """`at` are the places, innermost first: "shop/cart.py:36 tests/test_cart.py:9"."""

    test: str
    location: Location
    at: str = ""
    shown: str | None = None
    restored: bool = False
    unseen: str = ""


def wrote(test: str, kind: str, name: str, shown: str = "", at: str = "", *, restored: bool = False) -> Did:
    return Did(test, Location(kind, name), at, shown, restored)


def read(test: str, kind: str, name: str, at: str = "") -> Did:
    return Did(test, Location(kind, name), at)


def told(tests: Sequence[str], events: Sequence[Did], *, unseen: str = "", harmless: bool = False) -> Recording:
    """As the recorder would have it, had it seen these events in the suite's own order."""
    order = [TestId(test) for test in tests]
    accounts = []
    flows = []
    left = []
    for location in dict.fromkeys(event.location for event in events):
        here = sorted((e for e in events if e.location == location), key=lambda e: order.index(TestId(e.test)))
        writes = [_access(event) for event in here if event.shown is not None]
        reads = [_access(event) for event in here if event.shown is None]
        accounts.append(Account(location, tuple(writes), tuple(reads), unseen))
        for one in reads:
            before = [write for write in writes if order.index(write.test) < order.index(one.test)]
            if before:
                flows.append(_flow(location, before[-1], one, harmless=harmless))
        left += [Left(one.test, location, one.stack, one.shown) for one in writes if not one.restored]
    return Recording(tuple(order), dict.fromkeys(order, Outcome.PASSED), tuple(accounts), tuple(flows), tuple(left))


def _access(event: Did) -> Access:
    return Access(TestId(event.test), _stack(event.at), event.shown or "", event.restored)


def _flow(location: Location, write: Access, one: Access, *, harmless: bool) -> Flow:
    kind = FlowKind.READ_AFTER_WRITE
    return Flow(kind, write.test, one.test, location, write.stack, one.stack, write.shown, harmless)


def _stack(at: str) -> Stack:
    places = [place.rsplit(":", 1) for place in at.split()]
    return tuple(Frame(file, int(line), "f") for file, line in places)
