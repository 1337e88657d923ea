"""The traffic of a suite on disk, in the state directory: `traffic.json`."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from unknot.model.suite import Order, TestId
from unknot.model.traffic import Entry, Exchange, Field, Look, Page, Traffic
from unknot.store.typed_json import PLAIN, JsonReader, explained, load, pick, state_errors, to_rows

FORMAT = 1

MODE = 0o600
"""It holds values that tests have entered: for the user's own eyes only."""

_NO_TEST = -1
_ROWS = (Entry, Exchange, Field, Look, Page)
_ERRORS = state_errors("traffic", "`unknot candidates --hints traffic` records the suite")


def dumps(traffic: Traffic) -> str:
    """Tests are written once, and then by number."""
    numbers = {test: number for number, test in enumerate(traffic.tests)}
    numbered = {TestId: lambda test: numbers.get(test, _NO_TEST)}
    document = {
        "format": FORMAT,
        "tests": traffic.tests,
        "exchanges": to_rows(traffic.exchanges, numbered),
        "pages": to_rows(traffic.pages, numbered),
        "looks": to_rows(traffic.looks, numbered),
        "contexts": traffic.contexts,
        "unseen": traffic.unseen,
        "notes": traffic.notes,
    }
    return json.dumps(document, indent=0) + "\n"


def read_traffic_file(path: Path) -> Traffic:
    """Raises StorageError for a file that is missing, damaged or of another format."""
    with explained(path, _ERRORS):
        document = load(path, known_format=FORMAT)
        test_at = pick(PLAIN.read(Order, document, "tests"))

        def numbered(value: Any) -> TestId:
            return TestId("") if value == _NO_TEST else test_at(value)

        by_name = partial(PLAIN.read, Order)
        return JsonReader(special={TestId: numbered, Order: by_name}, rows=_ROWS).read(Traffic, document)
