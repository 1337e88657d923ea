"""The writes of a suite that may matter to other tests."""

from collections import Counter
from dataclasses import dataclass

from unknot.model.suite import Suite
from unknot.model.traffic import Exchange, Traffic
from unknot.web.hints.traffic.requests import collection, is_login, removes
from unknot.web.hints.traffic.values import ids_of, named_by, values_of

_EVERYBODY = 0.8
_MANY = 3
"""A write that so many tests repeat, with the same answer each time, is none that another needs: each does it itself,
like a login or the choice of a language."""


@dataclass(frozen=True)
class Write:
    """`time` is its place among all exchanges; `values` are what it sent and the ids that it was given, `named` the
    things that it is about, `place` is where these live."""

    time: int
    position: int
    exchange: Exchange
    values: tuple[str, ...]
    named: tuple[str, ...]
    place: str
    removes: bool


def writes_of(traffic: Traffic, suite: Suite) -> tuple[Write, ...]:
    """In the sequence in which they happened."""
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
        Write(
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


def of_everybody(traffic: Traffic, suite: Suite) -> frozenset[str]:
    """Values that nearly all tests send: nobody needs another test for them."""
    at_work = [test for test in suite.tests if test in traffic.exchanges_of]
    counts = Counter(
        value
        for test in at_work
        for value in {value for exchange in traffic.exchanges_of[test] for value in values_of(exchange)}
    )
    most = max(_MANY, _EVERYBODY * len(at_work))
    return frozenset(value for value, count in counts.items() if count >= most)
