"""Candidates by HTTP traffic: the tests that wrote what a later test sends, requests or is shown.

Traffic proves nothing: a page lists values that a test ignores, and not everything relevant is shown.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from unknot.model.candidates import Candidate, Candidates, check_pairs
from unknot.model.reason import Reason, ReasonKind
from unknot.model.suite import Suite
from unknot.model.traffic import Exchange, Traffic
from unknot.web.hints.traffic.knowledge import Knowledge, TrafficOfTest, TrafficWrite
from unknot.web.hints.traffic.values import request, shown_value

_MOST_REASONS = 5


class _Link(NamedTuple):
    """A write that a test may need, and why. `shown` and `reading` are those of a reason; `strings` are the values that
    both use."""

    write: TrafficWrite
    kind: ReasonKind
    shown: str
    reading: str
    strings: tuple[str, ...] = ()


def traffic_candidates(traffic: Traffic, suite: Suite) -> tuple[list[Candidate], list[str]]:
    """Edges to earlier tests only, by dependent and prerequisite, each pair once; and notes on what was not recorded.
    Deterministic. All pairs with incompletely recorded tests are candidates."""
    knowledge = Knowledge.of(traffic, suite)
    # Those that name no resource either, such as a change of settings.
    changed = _by_changed_pages(traffic, suite, [write for write in knowledge.nameless if not write.named])
    found = list(unseen_pairs(traffic, suite))
    for position, known in enumerate(knowledge.known):
        links = (
            *_by_values(known, knowledge),
            *_by_items(known, knowledge),
            *_by_subjects(known, knowledge),
            *_by_places(known, knowledge),
            *_by_freed_values(position, knowledge),
            *changed.get(position, ()),
        )
        found += _joined(position, links)
    return list(Candidates.of(suite, found).edges), _notes(traffic, suite)


def _by_values(known: TrafficOfTest, knowledge: Knowledge) -> Iterator[_Link]:
    """The test sends or is shown a value that another created."""
    for value, write in knowledge.makers.items():
        shown = shown_value(value)
        if value in known.sent:
            yield _Link(write, ReasonKind.VALUE_SENT, shown, known.sent[value], (shown,))
        elif value in known.shown:
            yield _Link(write, ReasonKind.VALUE_SHOWN, shown, known.shown[value], (shown,))


def _by_items(known: TrafficOfTest, knowledge: Knowledge) -> Iterator[_Link]:
    """The test requests a resource that another wrote."""
    for write in knowledge.writes:
        for item in write.named:
            if item in known.named:
                yield _Link(write, ReasonKind.ITEM_REQUESTED, item, known.named[item])


def _by_subjects(known: TrafficOfTest, knowledge: Knowledge) -> Iterator[_Link]:
    """Another test changed a resource, and this test uses one of the resource's values."""
    for write in knowledge.writes:
        values = sorted(knowledge.subjects[write.time])
        for where, kind in ((known.sent, ReasonKind.ITEM_SENT), (known.shown, ReasonKind.ITEM_SHOWN)):
            both = [value for value in values if value in where]
            if both:
                yield _Link(write, kind, shown_value(both[0]), where[both[0]], tuple(map(shown_value, both)))


def _by_places(known: TrafficOfTest, knowledge: Knowledge) -> Iterator[_Link]:
    """For writes without a recognisable value: a test that views the same collection, or a page with a link to the
    resource, may find what they did."""
    for write in knowledge.nameless:
        for item in write.named:
            if item in known.shown:
                yield _Link(write, ReasonKind.ITEM_LINKED, item, known.shown[item])
        if write.place in known.places:
            yield _Link(write, ReasonKind.PLACE_VISITED, write.place, known.places[write.place])


def _by_freed_values(position: int, knowledge: Knowledge) -> Iterator[_Link]:
    """The test writes a value that was written before and removed in between: otherwise it would be refused."""
    mine = [write for write in knowledge.writes if write.position == position]
    for removal in (write for write in knowledge.writes if write.removes):
        knew = knowledge.known[removal.position]
        for write in mine:
            again = [
                value
                for value in write.values
                if value in knowledge.makers
                and knowledge.makers[value].time < removal.time < write.time
                and (value in knowledge.subjects[removal.time] or value in knew.shown or value in knew.sent)
            ]
            if again:
                strings = tuple(map(shown_value, again))
                yield _Link(removal, ReasonKind.VALUE_FREED, strings[0], request(write.exchange), strings)


def _by_changed_pages(traffic: Traffic, suite: Suite, writes: Sequence[TrafficWrite]) -> Mapping[int, Iterable[_Link]]:
    """For each position, links to the writes after which an address that this test reads shows something different than
    before. If it showed the same on the next read, the cause came later. Finds the effect of writes that name nothing.
    Cost: the reads, once for each write."""
    index = suite.index
    reads = [(time, each) for time, each in enumerate(traffic.exchanges) if each.method == "GET" and each.test in index]
    # Each once: a page that shows the time of day differs at every read.
    found: dict[int, dict[_Link, None]] = {}
    for write in writes:
        before: dict[str, Exchange] = {}
        changed: set[str] = set()
        for time, read in reads:
            if time < write.time:
                before[read.address] = read
            elif read.address in before and _differ(read, before[read.address]):
                changed.add(read.address)
                link = _Link(write, ReasonKind.PAGE_CHANGED, "", request(read))
                found.setdefault(index[read.test], {})[link] = None
            elif read.address not in changed:
                before.pop(read.address, None)
    return found


def _differ(one: Exchange, other: Exchange) -> bool:
    return (one.status, one.digest) != (other.status, other.digest)


def _joined(dependent: int, links: Iterable[_Link]) -> list[Candidate]:
    joined: dict[int, tuple[dict[str, None], dict[Reason, None]]] = {}
    for write, kind, shown, reading, strings in links:
        if write.position < dependent:
            values, reasons = joined.setdefault(write.position, ({}, {}))
            values.update(dict.fromkeys(strings))
            if len(reasons) < _MOST_REASONS:
                reasons[Reason(kind, shown=shown, writing=request(write.exchange), reading=reading)] = None
    return [
        Candidate(dependent, prerequisite, tuple(values), tuple(reasons))
        for prerequisite, (values, reasons) in joined.items()
    ]


def _notes(traffic: Traffic, suite: Suite) -> list[str]:
    notes = list(traffic.notes)
    if traffic.is_silent:
        notes.append(
            "no browser traffic was recorded: only Playwright and Selenium in pytest's own process are recorded;"
            " is the browser started in another process?"
        )
    return [*notes, *unseen_notes(traffic, suite)]


def unseen_pairs(traffic: Traffic, suite: Suite) -> Iterator[Candidate]:
    """Each test that was not recorded, or not completely, with every other: nothing can be concluded about it."""
    seen = frozenset(traffic.tests) - frozenset(traffic.unseen)
    unseen = [position for position, test in enumerate(suite.tests) if test not in seen]
    check_pairs(len(unseen) * len(suite))
    hidden = frozenset(unseen)
    for position in unseen:
        gap = (f"{suite.tests[position]} was not recorded completely",)
        for earlier in range(position):
            yield Candidate(position, earlier, gaps=gap)
        for later in range(position + 1, len(suite)):
            if later not in hidden:
                yield Candidate(later, position, gaps=gap)


def unseen_notes(traffic: Traffic, suite: Suite) -> list[str]:
    known = frozenset(traffic.tests)
    missing = [test for test in suite.tests if test not in known and test not in traffic.unseen]
    if not missing:
        return []
    were = "1 test was" if len(missing) == 1 else f"{len(missing)} tests were"
    return [f"{were} not in the recorded traffic, among them {missing[0]}: all pairs with them stay"]
