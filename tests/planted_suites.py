"""Suites with planted flows: what stands in their tables, which lines their sources mark, and what was found of it."""

import re
import shutil
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from unknot.model.recording import Flow, Recording, Stack
from unknot.model.suite import TestId

HOME = Path(__file__).parent / "recorder"
_MARK = re.compile(r"\b(writes|reads): ([^;\n]+)")

Marks = Mapping[tuple[str, str], frozenset[tuple[str, int]]]
"""By "writes" or "reads" and the name of a location: files, relative to the project, and lines."""

Recorded = tuple[Path, Recording]
Record = Callable[..., Recorded]
"""Takes the name of a suite below tests/recorder; gives the copy that was recorded, and the recording."""


@dataclass(frozen=True)
class PlantedFlow:
    """One row of flows.toml."""

    why: str
    writer: TestId
    reader: TestId
    kinds: frozenset[str]
    name: str
    names: frozenset[str]
    flow: str
    not_by: frozenset[TestId]
    needs: str
    impossible: str
    harmless: bool

    def __str__(self) -> str:
        return f"{self.flow} {self.name}: {self.writer} -> {self.reader} ({self.why})"


@dataclass(frozen=True)
class LookAlike:
    """One row of look_alikes.toml."""

    what: str
    tests: tuple[TestId, ...]
    pollution: str


def copy_of(suite: str, target: Path) -> Path:
    """A suite below tests/recorder, where it can do as it likes."""
    return Path(shutil.copytree(HOME / suite, target / suite, ignore=shutil.ignore_patterns("__pycache__", "var")))


def planted_flows(project: Path, *, port: int = 0) -> list[PlantedFlow]:
    rows = tomllib.loads((project / "flows.toml").read_text(encoding="utf-8"))["flow"]
    return [_planted(row, port) for row in rows]


def look_alikes(project: Path) -> list[LookAlike]:
    rows = tomllib.loads((project / "look_alikes.toml").read_text(encoding="utf-8"))["look_alike"]
    return [LookAlike(row["what"], tuple(map(TestId, row["tests"])), row.get("pollution", "")) for row in rows]


def marks(project: Path, *, port: int = 0) -> Marks:
    found: dict[tuple[str, str], set[tuple[str, int]]] = {}
    for path in sorted(project.rglob("*.py")):
        file = path.relative_to(project).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            _, _, comment = line.partition("  # ")
            for did, name in _MARK.findall(comment):
                found.setdefault((did, _filled(name.strip(), port)), set()).add((file, number))
    return {key: frozenset(places) for key, places in found.items()}


def found_flow(recording: Recording, planted: PlantedFlow) -> Flow | None:
    """The flow between the two tests through that location."""
    for flow in recording.flows:
        if (
            (flow.kind.value, flow.writer, flow.reader) == (planted.flow, planted.writer, planted.reader)
            and flow.location.kind in planted.kinds
            and flow.location.name in planted.names
        ):
            return flow
    return None


def what_is_wrong(recording: Recording, planted: PlantedFlow, marked: Marks) -> str:
    """Empty if the flow was found, with both lines, and is taken for harmless only if it is."""
    flow = found_flow(recording, planted)
    if flow is None:
        return "not found" + _instead(recording, planted)
    if flow.harmless is not planted.harmless:
        return f"said to be {'harmless' if flow.harmless else 'no cache'}"
    for did, stack in (("writes", flow.written), ("reads", flow.read)):
        place = _users_place(stack)
        if place not in marked[did, planted.name]:
            return f"{did}: {place}, not one of {sorted(marked[did, planted.name])}"
    return ""


def _instead(recording: Recording, planted: PlantedFlow) -> str:
    """What was seen of the same location, or between the same tests."""
    near = [
        f"{flow.kind.value} {flow.location.name} {flow.writer} -> {flow.reader}"
        for flow in recording.flows
        if flow.location.name in planted.names or (flow.writer, flow.reader) == (planted.writer, planted.reader)
    ]
    left = [f"left by {left.test}" for left in recording.left if left.location.name in planted.names]
    seen = near[:3] + left[:2]
    return f"; seen: {'; '.join(seen)}" if seen else ""


def _users_place(stack: Stack) -> tuple[str, int] | None:
    """The innermost line in the project: paths of others are absolute, or stand in angle brackets."""
    users = (frame for frame in stack if not Path(frame.file).is_absolute() and not frame.file.startswith("<"))
    return next(((frame.file, frame.line) for frame in users), None)


def _planted(row: Mapping[str, str], port: int) -> PlantedFlow:
    name = _filled(row["name"], port)
    return PlantedFlow(
        why=row["why"],
        writer=TestId(row["writer"]),
        reader=TestId(row["reader"]),
        kinds=frozenset({row["kind"], row.get("also_kind", row["kind"])}),
        name=name,
        names=frozenset({name, *row.get("also", ())}),
        flow=row.get("flow", "raw"),
        not_by=frozenset(map(TestId, row.get("not_by", ()))),
        needs=row.get("needs", ""),
        impossible=row.get("impossible", ""),
        harmless=bool(row.get("harmless", False)),
    )


def _filled(name: str, port: int) -> str:
    return name.replace("{port}", str(port))
