"""Whom the traffic of a suite makes suspicious: who wrote what a later test sends, asks for or is shown.

Nothing is concluded from it: a page lists what a test does not look at, and not all that matters is shown.
"""

from collections.abc import Iterator, Sequence

from unknot.model.candidates import Candidate, Candidates
from unknot.model.suite import Suite
from unknot.model.traffic import Traffic
from unknot.web.hints.traffic.changes import changed_for
from unknot.web.hints.traffic.knowledge import Knowledge, Known
from unknot.web.hints.traffic.unseen import unseen_notes, unseen_pairs
from unknot.web.hints.traffic.values import request, shown_value
from unknot.web.hints.traffic.writes import Write

_MOST_REASONS = 5

Link = tuple[int, tuple[str, ...], str]
"""The position of whoever wrote, the values that both know, and the reason in words."""


def traffic_suspicions(traffic: Traffic, suite: Suite) -> tuple[list[Candidate], list[str]]:
    """Edges to earlier tests only, by dependent and prerequisite, each pair once; and notes on what could not be seen.
    The same traffic gives the same. Of tests of which not all was seen, all pairs stay."""
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


def _by_values(known: Known, knowledge: Knowledge) -> Iterator[Link]:
    """The test sends or is shown what somebody has made."""
    for value, write in knowledge.makers.items():
        said = f"{request(write.exchange)} ({shown_value(value)}) is what"
        if value in known.sent:
            yield write.position, (shown_value(value),), f"{said} {known.sent[value]} sends"
        elif value in known.shown:
            yield write.position, (shown_value(value),), f"{said} {known.shown[value]} shows"


def _by_things(known: Known, knowledge: Knowledge) -> Iterator[Link]:
    """The test asks for a thing that somebody has written."""
    for write in knowledge.writes:
        for item in write.named:
            if item in known.named:
                yield write.position, (), f"{request(write.exchange)} wrote {item}, which {known.named[item]} asks for"


def _by_subjects(known: Known, knowledge: Knowledge) -> Iterator[Link]:
    """Somebody has changed a thing, and the test knows the thing by one of its values."""
    for write in knowledge.writes:
        values = sorted(knowledge.subjects[write.time])
        for where, does in ((known.sent, "sends"), (known.shown, "shows")):
            both = [value for value in values if value in where]
            if both:
                said = f"{request(write.exchange)} changed what {shown_value(both[0])} belongs to"
                yield write.position, tuple(map(shown_value, both)), f"{said}, which {where[both[0]]} {does}"


def _by_places(known: Known, knowledge: Knowledge) -> Iterator[Link]:
    """Nothing that a write made could be recognised. So whoever looks at the same place, or at a page that leads to the
    thing, may see what it did."""
    for write in _nameless(knowledge):
        for item in write.named:
            if item in known.shown:
                said = f"{request(write.exchange)} wrote {item}"
                yield write.position, (), f"{said}, to which {known.shown[item]} leads"
        if write.place in known.places:
            said = f"{request(write.exchange)} wrote to {write.place}"
            yield write.position, (), f"{said}, where {known.places[write.place]} goes"


def _by_room_made(position: int, knowledge: Knowledge) -> Iterator[Link]:
    """The test writes what somebody wrote before and somebody took away in between: otherwise it would be refused."""
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
                said = f"{request(removal.exchange)} made room for {shown_value(again[0])}"
                yield removal.position, tuple(map(shown_value, again)), f"{said}, which {request(write.exchange)} sends"


def _nameless(knowledge: Knowledge) -> list[Write]:
    """Writes without which no value would be missing."""
    making = {write.time for write in knowledge.makers.values()}
    return [write for write in knowledge.writes if write.time not in making]


def _aimless(knowledge: Knowledge) -> Sequence[Write]:
    """Of these, the ones that name no thing either, such as a change of settings."""
    return [write for write in _nameless(knowledge) if not write.named]


def _joined(dependent: int, links: Sequence[Link]) -> list[Candidate]:
    joined: dict[int, tuple[dict[str, None], dict[str, None]]] = {}
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
            "no browser traffic was seen: Playwright and Selenium are watched in the process that runs pytest;"
            " is the browser started in another process?"
        )
    return [*notes, *unseen_notes(traffic, suite)]
