"""Candidates by HTTP traffic: the tests that wrote what a later test sends, requests or is shown.

Traffic proves nothing: a page lists values that a test ignores, and not everything relevant is shown.
"""

from collections.abc import Iterator, Sequence

from unknot.model.candidates import Candidate, Candidates, check_pairs
from unknot.model.reason import Reason, ReasonKind
from unknot.model.suite import Suite
from unknot.model.traffic import Traffic
from unknot.web.hints.traffic.knowledge import Knowledge, TrafficOfTest
from unknot.web.hints.traffic.values import request, shown_value
from unknot.web.hints.traffic.writes import TrafficWrite, changed_for

_MOST_REASONS = 5

Link = tuple[int, tuple[str, ...], Reason]
"""The position of the writing test, the values that both use, and the reason."""


def traffic_candidates(traffic: Traffic, suite: Suite) -> tuple[list[Candidate], list[str]]:
    """Edges to earlier tests only, by dependent and prerequisite, each pair once; and notes on what was not recorded.
    Deterministic. All pairs with incompletely recorded tests are candidates."""
    knowledge = Knowledge.of(traffic, suite)
    changed = changed_for(traffic, suite, _aimless(knowledge))
    found = list(unseen_pairs(traffic, suite))
    for position, known in enumerate(knowledge.known):
        links = [
            *_by_values(known, knowledge),
            *_by_things(known, knowledge),
            *_by_subjects(known, knowledge),
            *_by_places(known, knowledge),
            *_by_room_made(position, knowledge),
            *changed.get(position, ()),
        ]
        found += _joined(position, [link for link in links if link[0] < position])
    return list(Candidates.of(suite, found).edges), _notes(traffic, suite)


def _by_values(known: TrafficOfTest, knowledge: Knowledge) -> Iterator[Link]:
    """The test sends or is shown a value that another created."""
    for value, write in knowledge.makers.items():
        shown = shown_value(value)
        if value in known.sent:
            yield write.position, (shown,), _reason(ReasonKind.VALUE_SENT, write, shown, known.sent[value])
        elif value in known.shown:
            yield write.position, (shown,), _reason(ReasonKind.VALUE_SHOWN, write, shown, known.shown[value])


def _by_things(known: TrafficOfTest, knowledge: Knowledge) -> Iterator[Link]:
    """The test requests a resource that another wrote."""
    for write in knowledge.writes:
        for item in write.named:
            if item in known.named:
                yield write.position, (), _reason(ReasonKind.ITEM_REQUESTED, write, item, known.named[item])


def _by_subjects(known: TrafficOfTest, knowledge: Knowledge) -> Iterator[Link]:
    """Another test changed a resource, and this test uses one of the resource's values."""
    for write in knowledge.writes:
        values = sorted(knowledge.subjects[write.time])
        for where, kind in ((known.sent, ReasonKind.ITEM_SENT), (known.shown, ReasonKind.ITEM_SHOWN)):
            both = [value for value in values if value in where]
            if both:
                reason = _reason(kind, write, shown_value(both[0]), where[both[0]])
                yield write.position, tuple(map(shown_value, both)), reason


def _by_places(known: TrafficOfTest, knowledge: Knowledge) -> Iterator[Link]:
    """For writes without a recognisable value: a test that views the same collection, or a page with a link to the
    resource, may find what they did."""
    for write in _nameless(knowledge):
        for item in write.named:
            if item in known.shown:
                yield write.position, (), _reason(ReasonKind.ITEM_LINKED, write, item, known.shown[item])
        if write.place in known.places:
            yield write.position, (), _reason(ReasonKind.PLACE_VISITED, write, write.place, known.places[write.place])


def _by_room_made(position: int, knowledge: Knowledge) -> Iterator[Link]:
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
                reason = _reason(ReasonKind.VALUE_FREED, removal, shown_value(again[0]), request(write.exchange))
                yield removal.position, tuple(map(shown_value, again)), reason


def _reason(kind: ReasonKind, write: TrafficWrite, shown: str, reading: str) -> Reason:
    return Reason(kind, shown=shown, writing=request(write.exchange), reading=reading)


def _nameless(knowledge: Knowledge) -> list[TrafficWrite]:
    """Writes that created no value."""
    making = {write.time for write in knowledge.makers.values()}
    return [write for write in knowledge.writes if write.time not in making]


def _aimless(knowledge: Knowledge) -> Sequence[TrafficWrite]:
    """Those that name no resource either, such as a change of settings."""
    return [write for write in _nameless(knowledge) if not write.named]


def _joined(dependent: int, links: Sequence[Link]) -> list[Candidate]:
    joined: dict[int, tuple[dict[str, None], dict[Reason, None]]] = {}
    for prerequisite, strings, reason in links:
        values, reasons = joined.setdefault(prerequisite, ({}, {}))
        values.update(dict.fromkeys(strings))
        if len(reasons) < _MOST_REASONS:
            reasons[reason] = None
    return [
        Candidate(dependent, prerequisite, tuple(values), tuple(reasons))
        for prerequisite, (values, reasons) in sorted(joined.items())
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
        for earlier in range(position):
            yield Candidate(position, earlier, gaps=(_gap(suite, position),))
        for later in range(position + 1, len(suite)):
            if later not in hidden:
                yield Candidate(later, position, gaps=(_gap(suite, position),))


def _gap(suite: Suite, position: int) -> str:
    return f"{suite.tests[position]} was not recorded completely"


def unseen_notes(traffic: Traffic, suite: Suite) -> list[str]:
    known = frozenset(traffic.tests)
    missing = [test for test in suite.tests if test not in known and test not in traffic.unseen]
    if not missing:
        return []
    were = "1 test was" if len(missing) == 1 else f"{len(missing)} tests were"
    return [f"{were} not in the recorded traffic, among them {missing[0]}: all pairs with them stay"]
