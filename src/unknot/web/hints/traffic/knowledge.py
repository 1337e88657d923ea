"""What each test sent, requested and was shown; which write created each value, and which writes changed it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unknot.model.suite import Suite, TestId
from unknot.model.traffic import Exchange, Traffic
from unknot.web.hints.traffic.bodies import path_of
from unknot.web.hints.traffic.requests import collection, items, segments
from unknot.web.hints.traffic.values import found_in, is_searched, plain, request, values_of
from unknot.web.hints.traffic.writes import TrafficWrite, sent_by_nearly_all, writes_of


@dataclass(frozen=True)
class TrafficOfTest:
    """What one test used, each with the first request: values that it sent, resources that its addresses name,
    collections that it viewed, values and resources that it was shown."""

    sent: dict[str, str] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Knowledge:
    """By position in the suite. `makers` has, for each value, the first write that sent it, unless it existed before; a
    value that nearly all tests send has none. `subjects` has, for the time of each write, the values of the resources
    that it is about."""

    known: tuple[TrafficOfTest, ...]
    writes: tuple[TrafficWrite, ...]
    makers: Mapping[str, TrafficWrite]
    subjects: Mapping[int, frozenset[str]]

    @classmethod
    def of(cls, traffic: Traffic, suite: Suite) -> "Knowledge":
        """Cost: every text is searched for every value and resource that a test wrote."""
        writes = writes_of(traffic, suite)
        common = sent_by_nearly_all(traffic, suite)
        values = frozenset(value for write in writes for value in write.values) - common
        searched = frozenset(filter(is_searched, values | {item for write in writes for item in write.named}))
        shown = [found_in(searched, exchange.text) for exchange in traffic.exchanges]
        known = {test: TrafficOfTest() for test in suite.tests}
        for exchange, found in zip(traffic.exchanges, shown, strict=True):
            if exchange.test in known:
                _learn(known[exchange.test], exchange, found)
        _learn_from_pages(known, traffic, searched)
        makers = _makers(traffic.exchanges, writes, values, shown)
        subjects = _subjects(traffic.exchanges, writes, makers, shown)
        return cls(tuple(known.values()), writes, makers, subjects)


def _learn(known: TrafficOfTest, exchange: Exchange, shown: frozenset[str]) -> None:
    where = request(exchange)
    for value in (*values_of(exchange), *map(plain, segments(exchange.address)[1:])):
        known.sent.setdefault(value, where)
    for item in items(exchange.address):
        known.named.setdefault(item, where)
    if not items(exchange.address):
        known.places.setdefault(collection(exchange.address), where)
    for value in shown:
        known.shown.setdefault(value, where)


def _learn_from_pages(known: Mapping[TestId, TrafficOfTest], traffic: Traffic, searched: frozenset[str]) -> None:
    for page in traffic.pages:
        if page.test in known:
            for value in found_in(searched, page.text):
                known[page.test].shown.setdefault(value, f"the page {path_of(page.address)}")


def _makers(
    exchanges: Sequence[Exchange],
    writes: Sequence[TrafficWrite],
    values: frozenset[str],
    shown: Sequence[frozenset[str]],
) -> dict[str, TrafficWrite]:
    """A write that sends a value that a page showed before, such as a choice from a list, did not create it. A page
    that repeats what was just sent to it does not count."""
    writing = {write.time: write for write in writes}
    makers: dict[str, TrafficWrite] = {}
    there: set[str] = set()
    for time, exchange in enumerate(exchanges):
        if time in writing:
            for value in writing[time].values:
                if value in values and value not in there:
                    makers.setdefault(value, writing[time])
        there |= shown[time] - frozenset(values_of(exchange))
    return makers


def _own(item: str, values: set[str], makers: Mapping[str, TrafficWrite]) -> set[str]:
    return {value for value in values if makers[value].place == collection(item)} or values


def _subjects(
    exchanges: Sequence[Exchange],
    writes: Sequence[TrafficWrite],
    makers: Mapping[str, TrafficWrite],
    shown: Sequence[frozenset[str]],
) -> dict[int, frozenset[str]]:
    """The values of a resource are those with which it was created, and those that tests created and that are shown at
    its own address. Of the latter, if possible, only those created in its own collection count: the page of a book also
    shows the names of all categories."""
    writing = {write.time: write for write in writes}
    values_of_thing: dict[str, set[str]] = {}
    subjects: dict[int, frozenset[str]] = {}
    for time, exchange in enumerate(exchanges):
        if time in writing:
            write = writing[time]
            subjects[time] = frozenset(
                value for item in write.named for value in _own(item, values_of_thing.get(item, set()), makers)
            )
            made = {value for value in write.values if makers.get(value) is write}
            for item in write.named:
                values_of_thing.setdefault(item, set()).update(made)
        for item in items(exchange.address)[-1:]:
            values_of_thing.setdefault(item, set()).update(value for value in shown[time] if value in makers)
    return subjects
