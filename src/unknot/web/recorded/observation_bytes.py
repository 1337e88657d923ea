"""An observation as compact bytes."""

import json
import zlib
from dataclasses import asdict, fields
from typing import Any

from unknot.model.web.code_coverage import CodeSet, StepCoverage
from unknot.model.web.element import Element
from unknot.web.application.observation import EventKind, Observation, PageEvent

_COMPRESSION_LEVEL = 1
"""Pages repeat themselves so much that higher levels gain little."""


class DamagedObservation(ValueError):
    """The bytes are not what `encode_observation` made."""


def encode_observation(observation: Observation) -> bytes:
    """JSON, compressed. Loses nothing. Members that a reader does not know may be added.

    Cost: linear in the tree, a few kilobytes for most pages.
    """
    document = {
        "address": observation.address,
        "title": observation.title,
        "events": [[each.kind.value, each.text] for each in observation.events],
        "refusal": observation.refusal,
        "restless": observation.is_restless,
        "way": observation.way,
        "lost": observation.is_lost,
        "seconds": observation.seconds,
        "elements": _rows(observation.root),
        "html": observation.html,
        "coverage": asdict(observation.coverage) if observation.coverage is not None else None,
        "again": _rows(observation.again) if observation.again is not None else None,
    }
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode(), _COMPRESSION_LEVEL)


def decode_observation(data: bytes) -> Observation:
    """Raises DamagedObservation."""
    try:
        document: dict[str, Any] = json.loads(zlib.decompress(data))
        return Observation(
            document["address"],
            document["title"],
            _tree(document["elements"]),
            tuple(PageEvent(EventKind(kind), text) for kind, text in document["events"]),
            refusal=document["refusal"],
            is_restless=document["restless"],
            way=document["way"],
            seconds=document["seconds"],
            is_lost=document["lost"],
            html=document["html"],
            coverage=_coverage(document["coverage"]) if document["coverage"] else None,
            # Missing in what earlier versions have recorded.
            again=_tree(document["again"]) if document.get("again") else None,
        )
    except (zlib.error, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise DamagedObservation(f"a recorded observation cannot be decoded: {error}") from error


def _coverage(given: dict[str, Any]) -> StepCoverage:
    return StepCoverage(*(_code(given[each.name]) for each in fields(StepCoverage)))


def _code(given: dict[str, dict[str, list[list[int]]]]) -> CodeSet:
    sides = (given[each.name] for each in fields(CodeSet))
    return CodeSet(
        *({name: tuple((start, end) for start, end in ranges) for name, ranges in side.items()} for side in sides)
    )


def _rows(root: Element) -> list[list[object]]:
    """In document order, each with the number of its children: pages are nested more deeply than JSON may be. Empty
    members at the end are left out."""
    rows = []
    for each in root.walk():
        row: list[object] = [
            len(each.children),
            each.role,
            each.name,
            each.tag,
            each.text,
            each.value,
            each.attributes,
            each.options,
            sorted(each.states),
        ]
        while not row[-1] and len(row) > 1:
            row.pop()
        rows.append(row)
    return rows


_EMPTY: list[Any] = [0, "", "", "", "", "", (), (), ()]


def _tree(rows: list[list[Any]]) -> Element:
    """From the end, so that the children of an element are made before it."""
    made: list[Element] = []
    for row in reversed(rows):
        count, role, name, tag, text, value, attributes, options, states = row + _EMPTY[len(row) :]
        children = tuple(made.pop() for _ in range(count))
        pairs = tuple((key, given) for key, given in attributes)
        made.append(Element(role, name, tag, text, value, pairs, tuple(options), frozenset(states), children))
    (root,) = made
    return root
