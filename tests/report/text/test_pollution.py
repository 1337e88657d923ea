"""Who leaves what, worst first."""

from told_recording import read, told, wrote

from unknot.model.dependencies import Conflict, Dependencies, Proof
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Location, Recording
from unknot.model.suite import Suite, TestId
from unknot.report.polluted_places import polluted_places
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


def text_of(recording: Recording, dependencies: Dependencies | None = None, limit: int = 20) -> str:
    places = polluted_places(recording, dependencies)
    return pollution_text(places, len(recording.tests), limit, has_lock=dependencies is not None).plain


def test_the_text_names_place_content_and_line() -> None:
    assert text_of(recording_of_two()) == (
        "2 of 4 tests leave state behind, in 2 places.\n"
        "\n"
        "file  out.txt\n"
        "  left by            t.py::test_b\n"
        "  read by            2 other tests\n"
        "\n"
        "memory  m.X = 1, m.py:3\n"
        "  left by            t.py::test_a\n"
        "  read by            no other test\n"
        "\n"
        "Run `unknot detect` to find which of these break other tests.\n"
    )


def test_entries_of_a_variable_are_one_place_and_what_breaks_tests_comes_first() -> None:
    recording = told(
        TESTS,
        [
            wrote(A, "file", "out.txt"),
            read(B, "file", "out.txt"),
            read(C, "file", "out.txt"),
            wrote(A, "memory", "m.X['a']", "1"),
            wrote(B, "memory", "m.X['b']", "2"),
            read(D, "memory", "m.X['a']"),
        ],
    )
    why = (Reason(ReasonKind.FLOW, A, D, Location("memory", "m.X['a']")),)
    conflict = Conflict(D, (A,), (), Proof((D,), (A, D)), why=why)
    outcomes = dict.fromkeys(TESTS, Outcome.PASSED)
    first, second = polluted_places(recording, Dependencies(Suite(tuple(TESTS)), outcomes, {}, conflicts=(conflict,)))
    assert (first.location.name, first.writers, first.breaks, first.readers) == ("m.X", [A, B], [D], [D])
    assert second.location.name == "out.txt"


def test_temporary_files_and_what_holds_another_place_are_left_out() -> None:
    recording = told(
        TESTS,
        [
            wrote(A, "file", "/tmp/pytest-of-me/pytest-0/test_a0/out.txt"),
            wrote(A, "file", "unknot.lock.json"),
            wrote(A, "file", ".unknot/journal.sqlite3"),
            wrote(A, "file", "var/shop.sqlite3", "28672 bytes"),
            wrote(A, "directory", "var", "a directory"),
            wrote(A, "table", "var/shop.sqlite3: table sales"),
            wrote(B, "table", "var/shop.sqlite3: table sales (schema)"),
        ],
    )
    (place,) = polluted_places(recording, None)
    assert (place.location.name, place.writers) == ("var/shop.sqlite3: table sales", [A, B])


def test_the_limit_says_how_many_are_left() -> None:
    text = text_of(recording_of_two(), limit=1)
    assert "t.py::test_a" not in text
    assert "and 1 more place: --limit 2" in text


def test_a_clean_suite_is_called_so() -> None:
    assert text_of(told(TESTS, [])) == "None of 4 tests leaves state behind.\n"


def test_hostile_contents_are_shown_escaped() -> None:
    recording = told([A], [wrote(A, "memory", "m.X['\x1b[31m']", "'\x1b]0;x\x07'")])
    text = text_of(recording)
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
