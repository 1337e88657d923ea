"""The writes of a suite that may affect other tests, and the pages that changed after them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unknot.model.reason import Reason, ReasonKind
from unknot.model.suite import Suite
from unknot.model.traffic import Exchange, Traffic
from unknot.web.hints.traffic.requests import collection, is_login, removes
from unknot.web.hints.traffic.values import ids_of, named_by, request, values_of

_NEARLY_ALL = 0.8
_MANY = 3
"""A write that this many tests repeat, with the same response each time, is not needed from another test: each does it
itself, like a login or the choice of a language."""


@dataclass(frozen=True)
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


def writes_of(traffic: Traffic, suite: Suite) -> tuple[TrafficWrite, ...]:
    """The writes in chronological order."""
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


def sent_by_nearly_all(traffic: Traffic, suite: Suite) -> frozenset[str]:
    """Values that nearly all tests send: they imply no dependency."""
    at_work = [test for test in suite.tests if test in traffic.exchanges_of]
    counts = Counter(
        value
        for test in at_work
        for value in {value for exchange in traffic.exchanges_of[test] for value in values_of(exchange)}
    )
    most = max(_MANY, _NEARLY_ALL * len(at_work))
    return frozenset(value for value, count in counts.items() if count >= most)


def changed_for(
    traffic: Traffic, suite: Suite, writes: Sequence[TrafficWrite]
) -> Mapping[int, list[tuple[int, tuple[str, ...], Reason]]]:
    """For each position, links to the writes after which an address that this test reads shows something different than
    before. If it showed the same on the next read, the cause came later. Finds the effect of writes that name nothing.
    Cost: the reads, once for each write."""
    index = suite.index
    reads = [(time, each) for time, each in enumerate(traffic.exchanges) if each.method == "GET" and each.test in index]
    # Each once: a page that shows the time of day differs at every read.
    found: dict[int, dict[tuple[int, tuple[str, ...], Reason], None]] = {}
    for write in writes:
        before: dict[str, Exchange] = {}
        changed: set[str] = set()
        for time, read in reads:
            if time < write.time:
                before[read.address] = read
            elif read.address in before and _differ(read, before[read.address]):
                changed.add(read.address)
                reason = Reason(ReasonKind.PAGE_CHANGED, writing=request(write.exchange), reading=request(read))
                found.setdefault(index[read.test], {})[write.position, (), reason] = None
            elif read.address not in changed:
                before.pop(read.address, None)
    return {position: list(links) for position, links in found.items()}


def _differ(one: Exchange, other: Exchange) -> bool:
    return (one.status, one.digest) != (other.status, other.digest)
