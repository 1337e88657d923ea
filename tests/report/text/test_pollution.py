"""Who leaves what, worst first."""

from told_recording import read, told, wrote

from unknot.model.dependencies import Conflict, Dependencies, Proof
from unknot.model.outcome import Outcome
from unknot.model.recording import Recording
from unknot.model.suite import Suite, TestId
from unknot.report.text.pollution import polluters, pollution_json, pollution_text

TESTS = [TestId(f"t.py::test_{name}") for name in "abcd"]
A, B, C, D = TESTS


def recording_of_two() -> Recording:
    return told(
        TESTS,
        [
            wrote(A, "memory", "m.X", "1", "m.py:3 t.py:5"),
            wrote(B, "file", "out.txt"),
            wrote(C, "memory", "m.CLEAN", "0", restored=True),
            read(C, "file", "out.txt"),
            read(D, "file", "out.txt"),
            read(A, "memory", "m.X"),
        ],
    )


def test_who_is_read_by_more_comes_first_unless_another_breaks_somebody() -> None:
    recording = recording_of_two()
    assert [one.test for one in polluters(recording, None)] == [B, A]
    dependencies = Dependencies(
        Suite(tuple(TESTS)),
        dict.fromkeys(TESTS, Outcome.PASSED),
        {},
        conflicts=(Conflict(D, (A,), (), Proof((D,), (A, D))),),
    )
    first, second = polluters(recording, dependencies)
    assert (first.test, first.breaks, first.readers) == (A, (D,), 0)
    assert (second.test, second.breaks, second.readers) == (B, (), 2)


def test_the_text_names_place_and_content() -> None:
    text = pollution_text(polluters(recording_of_two(), None), 4, 20, has_lock=False).plain
    assert text.startswith("2 of 4 tests leave state behind.")
    assert "m.X = 1, read by no other test" in text
    assert "m.py:3, called from t.py:5" in text
    assert "out.txt, read by 2 other tests" in text
    assert "Run `unknot detect` to find which of these break other tests" in text


def test_the_limit_says_how_many_are_left() -> None:
    text = pollution_text(polluters(recording_of_two(), None), 4, 1, has_lock=True).plain
    assert "t.py::test_a" not in text
    assert "and 1 more test: --limit 2" in text


def test_a_clean_suite_is_called_so() -> None:
    text = pollution_text(polluters(told(TESTS, []), None), 4, 20, has_lock=True).plain
    assert text == "None of 4 tests leaves state behind.\n"


def test_hostile_contents_are_shown_escaped() -> None:
    recording = told([A], [wrote(A, "memory", "m.X['\x1b[31m']", "'\x1b]0;x\x07'")])
    text = pollution_text(polluters(recording, None), 1, 20, has_lock=True).plain
    assert "\x1b" not in text
    assert "\x07" not in text


def test_json_has_everything() -> None:
    first, second = pollution_json(polluters(recording_of_two(), None))
    assert first["test"] == B
    assert first["left"][0]["readers"] == [C, D]
    assert second["left"] == [
        {
            "kind": "memory",
            "location": "m.X",
            "shown": "1",
            "written": [
                {"file": "m.py", "line": 3, "function": "f"},
                {"file": "t.py", "line": 5, "function": "f"},
            ],
            "readers": [],
        }
    ]
