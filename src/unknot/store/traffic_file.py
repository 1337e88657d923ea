"""The traffic of a suite on disk, in the state directory: `traffic.json`."""

import json
from pathlib import Path
from typing import Any

from unknot.model.suite import TestId
from unknot.model.traffic import Entry, Exchange, Field, Look, Moment, Page, Traffic
from unknot.store.stored import Stored

FORMAT = 1

MODE = 0o600
"""It holds values that tests have entered: for the user's own eyes only."""

_HINT = "`unknot candidates --hints traffic` records the suite"


def dumps(traffic: Traffic) -> str:
    numbers = {test: number for number, test in enumerate(traffic.tests)}
    document = {
        "format": FORMAT,
        "tests": list(traffic.tests),
        "exchanges": [_exchange_row(each, numbers) for each in traffic.exchanges],
        "pages": [[numbers[page.test], page.address, page.context, page.text] for page in traffic.pages],
        "looks": [
            [
                numbers.get(look.test, -1),
                look.context,
                look.moment.value,
                [[entry.kind, entry.place, entry.name, entry.digest] for entry in look.entries],
                list(look.places),
            ]
            for look in traffic.looks
        ],
        "contexts": traffic.contexts,
        "unseen": list(traffic.unseen),
        "notes": list(traffic.notes),
    }
    return json.dumps(document, indent=0) + "\n"


def _exchange_row(each: Exchange, numbers: dict[TestId, int]) -> list[object]:
    fields = [[one.name, one.value, one.is_secret] for one in each.fields]
    return [
        *(numbers[each.test], each.method, each.address, each.context, each.writes, fields, each.status),
        *(each.location, list(each.given), each.text, each.digest, each.continues),
    ]


def read_traffic_file(path: Path) -> Traffic:
    """Raises StorageError for a file that is missing, damaged or of another format."""
    return Stored("traffic", FORMAT, _HINT, _traffic).read(path)


def _traffic(document: dict[str, Any]) -> Traffic:
    tests = tuple(TestId(_text(test)) for test in document["tests"])
    return Traffic(
        tests,
        tuple(_exchange(tests, *row) for row in document["exchanges"]),
        tuple(
            Page(tests[int(test)], _text(address), int(context), _text(text))
            for test, address, context, text in document["pages"]
        ),
        tuple(
            Look(
                tests[int(test)] if test >= 0 else TestId(""),
                int(context),
                Moment(moment),
                tuple(Entry(*map(_text, entry)) for entry in entries),
                tuple(map(_text, places)),
            )
            for test, context, moment, entries, places in document["looks"]
        ),
        int(document["contexts"]),
        tuple(TestId(_text(test)) for test in document["unseen"]),
        tuple(map(_text, document["notes"])),
    )


def _exchange(
    tests: tuple[TestId, ...],
    test: int,
    method: str,
    address: str,
    context: int,
    writes: bool,
    fields: list[list[Any]],
    status: int,
    location: str,
    given: list[str],
    text: str,
    digest: str,
    continues: bool,
) -> Exchange:
    return Exchange(
        tests[int(test)],
        _text(method),
        _text(address),
        int(context),
        bool(writes),
        tuple(Field(_text(name), _text(value), bool(secret)) for name, value, secret in fields),
        int(status),
        _text(location),
        tuple(map(_text, given)),
        _text(text),
        _text(digest),
        bool(continues),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value
