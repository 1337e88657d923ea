"""What an address shows that showed something else before: the trace of writes that name nothing."""

from collections.abc import Mapping, Sequence

from unknot.model.suite import Suite
from unknot.model.traffic import Exchange, Traffic
from unknot.web.hints.traffic.values import request
from unknot.web.hints.traffic.writes import Write


def changed_for(
    traffic: Traffic, suite: Suite, writes: Sequence[Write]
) -> Mapping[int, list[tuple[int, tuple[str, ...], str]]]:
    """For each position, links to those of the writes after which an address that this test reads shows something else
    than the last time before. If it showed the same the next time it was read, what changed it came later. Cost: the
    reads, once for each write."""
    index = suite.index
    reads = [(time, each) for time, each in enumerate(traffic.exchanges) if each.method == "GET" and each.test in index]
    # Each once: a page that shows the time of day is another one whenever it is read.
    found: dict[int, dict[tuple[int, tuple[str, ...], str], None]] = {}
    for write in writes:
        before: dict[str, Exchange] = {}
        changed: set[str] = set()
        for time, read in reads:
            if time < write.time:
                before[read.address] = read
            elif read.address in before and _differ(read, before[read.address]):
                changed.add(read.address)
                said = f"{request(read)} shows something else since {request(write.exchange)}"
                found.setdefault(index[read.test], {})[write.position, (), said] = None
            elif read.address not in changed:
                before.pop(read.address, None)
    return {position: list(links) for position, links in found.items()}


def _differ(one: Exchange, other: Exchange) -> bool:
    return (one.status, one.digest) != (other.status, other.digest)
