"""What each test sent, requested and was shown; which write created each value, and which writes changed it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from unknot.model.suite import Suite
from unknot.model.traffic import Exchange, Traffic
from unknot.web.hints.traffic.bodies import path_of
from unknot.web.hints.traffic.requests import collection, is_login, items, removes, segments
from unknot.web.hints.traffic.values import found_in, ids_of, is_searched, named_by, plain, request, values_of

_NEARLY_ALL = 0.8
_MANY = 3
"""A write that this many tests repeat, with the same response each time, is not needed from another test: each does it
itself, like a login or the choice of a language."""


@dataclass(frozen=True, eq=False)
class TrafficWrite:
    """`time` is its position among all exchanges; `values` are what it sent and the ids that it received, `named` the
    resources that it is about, `place` their collection."""

    time: int
    position: int
    exchange: Exchange
    values: tuple[str, ...]
    named: tuple[str, ...]
    place: str
    removes: bool


@dataclass(frozen=True)
class TrafficOfTest:
    """What one test used, each with the first request: values that it sent, resources that its addresses name,
    collections that it viewed, values and resources that it was shown."""

    sent: dict[str, str] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)

    def add(self, exchange: Exchange, shown: frozenset[str]) -> None:
        where = request(exchange)
        for value in (*values_of(exchange), *map(plain, segments(exchange.address)[1:])):
            self.sent.setdefault(value, where)
        for item in items(exchange.address):
            self.named.setdefault(item, where)
        if not items(exchange.address):
            self.places.setdefault(collection(exchange.address), where)
        self.add_shown(shown, where)

    def add_shown(self, values: frozenset[str], where: str) -> None:
        for value in values:
            self.shown.setdefault(value, where)


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
        writes = _writes(traffic, suite)
        values = frozenset(value for write in writes for value in write.values) - _sent_by_nearly_all(traffic, suite)
        searched = frozenset(filter(is_searched, values | {item for write in writes for item in write.named}))
        writing = {write.time: write for write in writes}
        steps = [
            (exchange, found_in(searched, exchange.text), writing.get(time))
            for time, exchange in enumerate(traffic.exchanges)
        ]
        known = {test: TrafficOfTest() for test in suite.tests}
        for exchange, shown, _ in steps:
            if exchange.test in known:
                known[exchange.test].add(exchange, shown)
        for page in traffic.pages:
            if page.test in known:
                known[page.test].add_shown(found_in(searched, page.text), f"the page {path_of(page.address)}")
        makers = _makers(steps, values)
        return cls(tuple(known.values()), writes, makers, _subjects(steps, makers))

    @cached_property
    def nameless(self) -> list[TrafficWrite]:
        """Writes that created no value."""
        making = {write.time for write in self.makers.values()}
        return [write for write in self.writes if write.time not in making]


def _writes(traffic: Traffic, suite: Suite) -> tuple[TrafficWrite, ...]:
    """The writes in chronological order that may affect other tests."""
    index = suite.index
    done = [
        (time, each)
        for time, each in enumerate(traffic.exchanges)
        if each.writes and each.test in index and not is_login(each.address)
    ]
    tests_of: dict[object, set[str]] = {}
    for _, each in done:
        tests_of.setdefault(_sameness(each), set()).add(each.test)
    return tuple(
        TrafficWrite(
            time,
            index[each.test],
            each,
            tuple(dict.fromkeys((*values_of(each), *ids_of(each)))),
            named_by(each),
            collection(each.address),
            removes(each.method, each.address),
        )
        for time, each in done
        if len(tests_of[_sameness(each)]) < _MANY
    )


def _sameness(exchange: Exchange) -> object:
    return (exchange.method, exchange.address, exchange.fields, exchange.status, collection(exchange.location))


def _sent_by_nearly_all(traffic: Traffic, suite: Suite) -> frozenset[str]:
    """Values that nearly all tests send: they imply no dependency."""
    sending = [traffic.exchanges_of[test] for test in suite.tests if test in traffic.exchanges_of]
    counts = Counter(
        value for exchanges in sending for value in {value for each in exchanges for value in values_of(each)}
    )
    most = max(_MANY, _NEARLY_ALL * len(sending))
    return frozenset(value for value, count in counts.items() if count >= most)


_Step = tuple[Exchange, frozenset[str], TrafficWrite | None]
"""An exchange, what it shows of the values that tests wrote, and the write that it is, if it is one."""


def _makers(steps: Sequence[_Step], values: frozenset[str]) -> dict[str, TrafficWrite]:
    """A write that sends a value that a page showed before, such as a choice from a list, did not create it. A page
    that repeats what was just sent to it does not count."""
    makers: dict[str, TrafficWrite] = {}
    there: set[str] = set()
    for exchange, shown, write in steps:
        if write is not None:
            for value in write.values:
                if value in values and value not in there:
                    makers.setdefault(value, write)
        there |= shown - frozenset(values_of(exchange))
    return makers


def _subjects(steps: Sequence[_Step], makers: Mapping[str, TrafficWrite]) -> dict[int, frozenset[str]]:
    """The values of a resource are those with which it was created, and those that tests created and that are shown at
    its own address. Of the latter, if possible, only those created in its own collection count: the page of a book also
    shows the names of all categories."""
    values_of_item: dict[str, set[str]] = {}
    subjects: dict[int, frozenset[str]] = {}

    def own(item: str) -> set[str]:
        values = values_of_item.get(item, set())
        return {value for value in values if makers[value].place == collection(item)} or values

    for exchange, shown, write in steps:
        if write is not None:
            subjects[write.time] = frozenset(value for item in write.named for value in own(item))
            made = {value for value in write.values if makers.get(value) is write}
            for item in write.named:
                values_of_item.setdefault(item, set()).update(made)
        for item in items(exchange.address)[-1:]:
            values_of_item.setdefault(item, set()).update(value for value in shown if value in makers)
    return subjects
