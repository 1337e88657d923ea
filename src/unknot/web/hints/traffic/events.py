"""Parses the lines of the recorder into the traffic of a suite."""

import json
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any

from unknot.model.suite import Order, TestId
from unknot.model.traffic import Entry, Exchange, Look, Moment, Page, Traffic
from unknot.web.hints.traffic.bodies import (
    address_of,
    digest,
    fields_of,
    ids_given,
    shown_text,
    without_secrets,
    without_tokens,
)
from unknot.web.hints.traffic.requests import writes


def read_traffic(lines: Iterable[str], tests: Order, users_id: Callable[[str], str]) -> Traffic:
    """`users_id` converts a recorded id to the user's own. A damaged line is skipped, such as the last one if the
    process was killed."""
    events: list[dict[str, Any]] = []
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        events.append({**event, "test": TestId(users_id(event.get("owner", "")))})
    known = frozenset(tests)
    of_tests = [event for event in events if event["test"] in known]
    exchanges = sorted((event for event in of_tests if event["kind"] == "exchange"), key=itemgetter("moment"))
    pages = sorted((event for event in of_tests if event["kind"] == "page"), key=itemgetter("time"))
    looks = [event for event in events if event["kind"] == "look"]
    looks = [event for event in looks if event["test"] in known or event["moment"] == Moment.SHARED]
    return Traffic(
        tests,
        tuple(map(_exchange, exchanges, _continuing(exchanges))),
        # A page that was read twice, at the end of its test and when it was closed, counts once.
        tuple(dict.fromkeys(map(_page, pages))),
        tuple(map(_look, sorted(looks, key=itemgetter("time")))),
        sum(event["kind"] == "context" for event in events),
        tuple(event["test"] for event in of_tests if event["kind"] == "lost"),
        tuple(event["text"] for event in events if event["kind"] == "note"),
    )


def _continuing(exchanges: Iterable[Mapping[str, Any]]) -> Iterable[bool]:
    """For each exchange, whether it is the first of its test in a context and comes from a page that another test
    opened: a directly opened address has no referrer."""
    begun: set[tuple[str, int]] = set()
    for event in exchanges:
        key = (event["test"], event["context"])
        yield bool(event["context"] and event["referer"] and key not in begun)
        begun.add(key)


def _exchange(event: Mapping[str, Any], continues: bool) -> Exchange:
    address = address_of(event["url"])
    does_write = writes(event["method"], address, event["body"], event["status"])
    return Exchange(
        event["test"],
        event["method"].upper(),
        without_secrets(address),
        event["context"],
        does_write,
        fields_of(address, event["body"], event["body_type"]),
        event["status"],
        without_secrets(address_of(event["location"])) if event["location"] else "",
        ids_given(event["text"]) if does_write and "json" in event["type"].lower() else (),
        shown_text(event["text"], event["type"]),
        digest(shown_text(without_tokens(event["text"]), event["type"])),
        continues,
    )


def _page(event: Mapping[str, Any]) -> Page:
    address = without_secrets(address_of(event["url"]))
    return Page(event["test"], address, event["context"], shown_text(event["text"], ""))


def _look(event: Mapping[str, Any]) -> Look:
    entries = tuple(sorted(Entry(*map(str, entry)) for entry in event["entries"]))
    places = tuple(sorted({*event.get("places", ()), *(entry.place for entry in entries if entry.kind != "cookie")}))
    return Look(event["test"], event["context"], Moment(event["moment"]), entries, places)
