"""Observations of an application in a file, so that the measurement needs no browser."""

import gzip
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unknot.model.web.element import Element
from unknot.web.application.observation import Observation

FILES = Path(__file__).parent / "observations"


@dataclass(frozen=True)
class SavedObservation:
    """`number` is that of its screenshot. The observation has its document. `typed` was entered since the one before;
    `again` is the same page, loaded once more from the same state, if that was possible."""

    number: int
    observation: Observation
    typed: tuple[str, ...] = ()
    again: Observation | None = None


def write(application: str, saved: list[SavedObservation]) -> Path:
    """In the order of the walk."""
    FILES.mkdir(exist_ok=True)
    path = FILES / f"{application}.json.gz"
    rows = [
        {
            "number": each.number,
            "observation": _dumped(each.observation),
            "html": each.observation.html,
            "typed": each.typed,
            "again": None if each.again is None else _dumped(each.again),
        }
        for each in saved
    ]
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    return path


def read(application: str) -> list[SavedObservation]:
    rows = json.loads(gzip.decompress((FILES / f"{application}.json.gz").read_bytes()))
    return [
        SavedObservation(
            row["number"],
            replace(_loaded(row["observation"]), html=row["html"]),
            tuple(row["typed"]),
            None if row["again"] is None else _loaded(row["again"]),
        )
        for row in rows
    ]


def _dumped(observation: Observation) -> dict[str, Any]:
    return {"address": observation.address, "title": observation.title, "root": _element(observation.root)}


def _loaded(row: dict[str, Any]) -> Observation:
    return Observation(row["address"], row["title"], _element_of(row["root"]))


def _element(element: Element) -> list[Any]:
    return [
        element.role,
        element.name,
        element.tag,
        element.text,
        element.value,
        dict(element.attributes),
        list(element.options),
        sorted(element.states),
        [_element(child) for child in element.children],
    ]


def _element_of(row: list[Any]) -> Element:
    role, name, tag, text, value, attributes, options, states, children = row
    return Element(
        role,
        name,
        tag,
        text,
        value,
        tuple(attributes.items()),
        tuple(options),
        frozenset(states),
        tuple(map(_element_of, children)),
    )
