"""The rule by which a flow does not matter, on readers that are really run: after the writer, and alone."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from unknot.recorder.flows import is_harmless

State = dict[str, Any]
"""The location is `state["x"]`; absent, it holds the empty tuple."""

Read = Callable[[], None]
"""What a reader calls where it reads the location."""


@dataclass(frozen=True)
class Case:
    clean: Any
    writer: Callable[[State], object]
    reader: Callable[[State, Read], object]
    is_harmless: bool


def _lazy(state: State, read: Read) -> None:
    read()
    if state.get("x") is None:
        state["x"] = {"loaded": True}


def _remembers_one(state: State, read: Read) -> None:
    read()
    state["x"].setdefault("a", 1)


def _counts(state: State, read: Read) -> None:
    read()
    state["x"] += 1


def _reads_and_clears(state: State, read: Read) -> None:
    read()
    state["x"].clear()


def _clears_and_uses(state: State, read: Read) -> None:
    state["x"].clear()
    state["x"].append(5)
    read()


def _adds_and_reads(state: State, read: Read) -> None:
    state["x"].append(5)
    read()


def _adds_if_missing(state: State, read: Read) -> None:
    read()
    if "r" not in state["x"]:
        state["x"].append("r")


def _needs_it(state: State, read: Read) -> None:
    read()
    assert state["x"]


def _only_reads(state: State, read: Read) -> None:
    read()


def _assigns_and_reads(state: State, read: Read) -> None:
    state["x"] = "mine"
    read()


def _reads_and_assigns(state: State, read: Read) -> None:
    read()
    state["x"] = "mine"


def _fixture_restores(state: State, read: Read) -> None:
    former, state["x"] = state.get("x"), "mine"
    read()
    state["x"] = former


_MADE = {"loaded": True}
_CASES = {
    "lazy initialisation": Case(None, lambda s: s.update(x=dict(_MADE)), _lazy, True),
    "lazy initialisation with another content": Case(None, lambda s: s.update(x={"other": 1}), _lazy, False),
    "a memo of the same argument": Case({}, lambda s: s["x"].update(a=1), _remembers_one, True),
    "a memo as a whole, with other arguments": Case({}, lambda s: s["x"].update(a=1, b=2), _remembers_one, False),
    "a memo that holds a wrong value": Case({}, lambda s: s["x"].update(a=99), _remembers_one, False),
    "a registry that the reader does not fill": Case([], lambda s: s["x"].append("csv"), _only_reads, False),
    "a registry that both fill": Case([], lambda s: s["x"].append("r"), _adds_if_missing, True),
    "a registry that others fill too": Case([], lambda s: s["x"].extend("wr"), _adds_if_missing, False),
    "a counter": Case(0, lambda s: s.update(x=1), _counts, False),
    "read, then reset": Case([], lambda s: s["x"].append(1), _reads_and_clears, False),
    "reset, then used": Case([], lambda s: s["x"].append(1), _clears_and_uses, True),
    "appended to, then read": Case([], lambda s: s["x"].append(1), _adds_and_reads, False),
    "a setter and its brittle test": Case([], lambda s: s["x"].append(1), _needs_it, False),
    "assigned, then read": Case("", lambda s: s.update(x="theirs"), _assigns_and_reads, True),
    "assigned the same, then read": Case("", lambda s: s.update(x="mine"), _assigns_and_reads, True),
    "read, then assigned": Case("", lambda s: s.update(x="theirs"), _reads_and_assigns, False),
    "read, then assigned the same": Case("", lambda s: s.update(x="mine"), _reads_and_assigns, True),
    "a patch that is undone": Case("", lambda s: s.update(x="theirs"), _fixture_restores, True),
    "a cleaner and the test that it protects": Case("good", lambda s: s.update(x="good"), _only_reads, False),
    "a cleaner and a test that appends": Case([], lambda s: s["x"].clear(), _adds_and_reads, False),
    "made absent": Case("", lambda s: s.pop("x"), _only_reads, False),
}


def _sign(state: State) -> str:
    return repr(state.get("x", ()))


def _read(case: Case, state: State) -> tuple[str | None, str | None]:
    """What the reader leaves and what it saw first; nothing if it fails."""
    seen: list[str] = []
    try:
        case.reader(state, lambda: seen.append(_sign(state)))
    except AssertionError:
        return None, None
    return _sign(state), seen[0]


@pytest.mark.parametrize("name", _CASES)
def test_the_rule(name: str) -> None:
    case = _CASES[name]
    suite, alone = {"x": copy.deepcopy(case.clean)}, {"x": copy.deepcopy(case.clean)}
    clean = _sign(alone)
    case.writer(suite)
    found = _sign(suite)
    left, seen = _read(case, suite)
    left_alone, seen_alone = _read(case, alone)
    verdict = is_harmless(found=found, left=left, alone=left_alone, clean=clean, seen=seen, seen_alone=seen_alone)
    assert verdict is case.is_harmless


def test_without_the_finer_signs_only_what_the_reader_makes_itself_is_harmless() -> None:
    assert is_harmless(found="a", left="a", alone="a")
    assert not is_harmless(found="a", left="b", alone="b")


@pytest.mark.parametrize("unknown", ["found", "left", "alone"])
def test_nothing_follows_from_what_is_not_known(unknown: str) -> None:
    signs: dict[str, object] = {"found": "a", "left": "a", "alone": "a", "clean": "", "seen": "a", "seen_alone": "a"}
    assert is_harmless(**signs)
    assert not is_harmless(**{**signs, unknown: None})
    assert not is_harmless(**dict.fromkeys(signs))
