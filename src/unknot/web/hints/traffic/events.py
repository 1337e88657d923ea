"""Parses the lines of the recorder into the traffic of a suite."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from unknot.model.suite import Order, TestId
from unknot.model.traffic import Entry, Exchange, Look, Moment, Page, Traffic
from unknot.web.hints.traffic.bodies import (
    address_of,
    fields_of,
    ids_given,
    shown_text,
    without_secrets,
    without_tokens,
)
from unknot.web.hints.traffic.requests import writes

_COOKIE = "cookie"


def read_traffic(lines: Iterable[str], tests: Order, users_id: Callable[[str], str]) -> Traffic:
    """`users_id` converts a recorded id to the user's own. A damaged line is skipped, such as the last one if the
    process was killed."""
    events: list[dict[str, Any]] = []
    for line in lines:
        try:
            events.append(json.loads(line))
        except ValueError:
            continue
    known = frozenset(tests)
    exchanges: list[tuple[int, Exchange]] = []
    pages: list[tuple[int, Page]] = []
    looks: list[tuple[int, Look]] = []
    began: dict[tuple[str, int], bool] = {}
    ordered = sorted((event for event in events if event["kind"] == "exchange"), key=lambda event: int(event["moment"]))
    for event in ordered:
        test = TestId(users_id(event["owner"]))
        if test in known:
            exchanges.append((event["moment"], _exchange(test, event, _continues(event, began))))
    for event in events:
        test = TestId(users_id(event.get("owner", "")))
        if event["kind"] == "page" and test in known:
            address = without_secrets(address_of(event["url"]))
            pages.append((event["time"], Page(test, address, event["context"], shown_text(event["text"], ""))))
        elif event["kind"] == "look" and (test in known or event["moment"] == "shared"):
            looks.append((event["time"], _look(test, event)))
    return Traffic(
        tests,
        tuple(each for _, each in exchanges),
        _distinct(pages),
        tuple(each for _, each in sorted(looks, key=lambda pair: pair[0])),
        sum(event["kind"] == "context" for event in events),
        _lost(events, known, users_id),
        tuple(event["text"] for event in events if event["kind"] == "note"),
    )


def _lost(events: list[dict[str, Any]], known: Collection[TestId], users_id: Callable[[str], str]) -> Order:
    """Tests whose recording was cut."""
    found = (TestId(users_id(event["owner"])) for event in events if event["kind"] == "lost")
    return tuple(test for test in found if test in known)


def _exchange(test: TestId, event: Mapping[str, Any], continues: bool) -> Exchange:
    address = address_of(event["url"])
    text = shown_text(event["text"], event["type"])
    does_write = writes(event["method"], address, event["body"], event["status"])
    return Exchange(
        test,
        event["method"].upper(),
        without_secrets(address),
        event["context"],
        does_write,
        fields_of(address, event["body"], event["body_type"]),
        event["status"],
        without_secrets(address_of(event["location"])) if event["location"] else "",
        ids_given(event["text"]) if does_write and "json" in event["type"].lower() else (),
        text,
        _digest(shown_text(without_tokens(event["text"]), event["type"])),
        continues,
    )


def _digest(text: str) -> str:
    return hashlib.blake2s(text.encode("utf-8", "replace"), digest_size=8).hexdigest() if text else ""


def _continues(event: Mapping[str, Any], began: dict[tuple[str, int], bool]) -> bool:
    """Whether the first request of a test in a context comes from a page that another test opened: a directly opened
    address has no referrer."""
    key = (event["owner"], event["context"])
    if not event["context"] or key in began:
        return False
    began[key] = bool(event["referer"])
    return began[key]


def _look(test: TestId, event: Mapping[str, Any]) -> Look:
    entries = tuple(sorted(Entry(*map(str, entry)) for entry in event["entries"]))
    places = tuple(sorted({*event.get("places", ()), *(entry.place for entry in entries if entry.kind != _COOKIE)}))
    return Look(test, event["context"], Moment(event["moment"]), entries, places)


def _distinct(pages: list[tuple[int, Page]]) -> tuple[Page, ...]:
    """A page that was read twice, at the end of its test and when it was closed, counts once."""
    return tuple(dict.fromkeys(page for _, page in sorted(pages, key=lambda pair: pair[0])))
