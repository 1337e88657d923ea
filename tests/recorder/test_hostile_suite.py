"""A suite that inspects code and memory in every way behaves the same while it is recorded."""

import re
import tomllib
from collections.abc import Callable

import pytest
from planted_suites import Record

from unknot.model.recording import Location

pytestmark = pytest.mark.slow


def test_plain_pytest_is_green(plain_run: Callable[[str], str]) -> None:
    assert re.fullmatch(r"=+ \d+ passed(, 1 skipped)? in .* =+", plain_run("hostile").splitlines()[-1])


def test_recording_changes_no_outcome(recorded: Record, plain_run: Callable[[str], str]) -> None:
    _, recording = recorded("hostile")
    plain = dict(re.findall(r"^(\S+::.+?) (PASSED|SKIPPED|FAILED|ERROR)", plain_run("hostile"), re.MULTILINE))
    assert {test: outcome.value.upper() for test, outcome in recording.outcomes.items()} == plain


def test_a_note_reports_what_is_too_big(recorded: Record) -> None:
    project, recording = recorded("hostile")
    wanted = tomllib.loads((project / "notes.toml").read_text(encoding="utf-8"))["note"]
    missing = [
        note["name"]
        for note in wanted
        if not any(note["name"] in text and note["says"] in text for text in recording.notes)
    ]
    assert missing == [], recording.notes


def test_state_is_still_recorded(recorded: Record) -> None:
    """Handling fragile objects with care does not mean ignoring them."""
    _, recording = recorded("hostile")
    left = {left.location for left in recording.left}
    names = ["odd.state.CHANGED['b']", "odd.touchy.WATCHED.plain", "odd.touchy.RAISES.inside", "odd.big.RING"]
    names += ["odd.touchy.SHOUTING_DICT['b']", "odd.touchy.SHOUTING_LIST", "odd.touchy.SLOTTED.a"]
    assert [name for name in names if Location("memory", name) not in left] == []
