"""What is said about the cost of a detection before it searches."""

from pathlib import Path

from unknot.app.forecast import CostNote
from unknot.app.progress import ProgressListener
from unknot.model.suite import Suite, TestId
from unknot.oracle.protocol import Price
from unknot.store.durations import write_durations

TESTS = tuple(TestId(f"test_{number}") for number in range(600))
PRICE = Price(0.02, 2, shares_prefixes=True)


class _Notes(ProgressListener):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


def _said(path: Path, *, seconds: float, limit: float | None = None, known: int = 600) -> list[str]:
    write_durations(path, dict.fromkeys(TESTS[:known], seconds))
    listener = _Notes()
    note = CostNote(listener, limit)
    for _ in range(2):
        note.say_if_known(Suite(TESTS), PRICE, path, thorough=False, is_recorded=True)
    return listener.notes


def test_a_suite_of_an_hour_gets_one_note_with_a_range_and_what_a_limit_would_give(tmp_path: Path) -> None:
    (note,) = _said(tmp_path / "durations.json", seconds=6.0)
    assert note.startswith("one run takes 60 min 00 s; a detection takes from 90 min ")
    assert "nothing before about 90 min" in note


def test_a_limit_before_the_first_claims_only_shows_suspects(tmp_path: Path) -> None:
    (note,) = _said(tmp_path / "durations.json", seconds=6.0, limit=600)
    assert note.endswith("The limit of 10 min 00 s (`max-seconds`) only shows which tests to suspect")


def test_a_fast_suite_gets_no_note(tmp_path: Path) -> None:
    assert _said(tmp_path / "durations.json", seconds=0.01) == []


def test_without_the_durations_of_all_tests_nothing_is_said_before_the_reference_run(tmp_path: Path) -> None:
    assert _said(tmp_path / "durations.json", seconds=6.0, known=599) == []
    listener = _Notes()
    CostNote(listener, None).say_if_known(Suite(TESTS), PRICE, tmp_path / "none", thorough=False, is_recorded=True)
    assert listener.notes == []
