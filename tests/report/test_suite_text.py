"""A generated suite on a terminal."""

from unknot.model.web.generated_suite import DroppedTest, GeneratedSuite, GeneratedTest, SeenFault
from unknot.report.navigation.suite_text import suite_json, suite_text

SUITE = GeneratedSuite(
    "tests/generated",
    (GeneratedTest("test_books.py", "test_add_book_shows_it_in_the_list", 2),),
    (DroppedTest("test_pay", "shuffled", "AssertionError: assert 'Ferry' in []"),),
    repeated=3,
    unwritten={"nothing to check": 2},
    faults=(SeenFault("page error", "x is not \x1b[31m defined", ("Books", "Save")),),
    steps=84,
    exploring_seconds=60,
    proving_seconds=30,
)


def test_what_was_written_and_what_was_not_is_named() -> None:
    text = suite_text(SUITE, written=[("pytest tests/generated", "run the suite")]).plain
    assert text.splitlines()[0] == "tests/generated: 1 test, 2 checks"
    assert "  test_add_book_shows_it_in_the_list\n" in text
    assert "  test_pay (shuffled)\n    AssertionError: assert 'Ferry' in []\n" in text
    assert "  3  others make the same transitions and checks\n  2  nothing to check\n" in text
    assert "after Books, Save" in text
    assert text.endswith("pytest tests/generated  run the suite\n")
    assert "\x1b" not in text


def test_no_test_is_said_first() -> None:
    assert suite_text(GeneratedSuite("tests/generated", ())).plain.startswith("no test was written\n")


def test_as_data() -> None:
    found = suite_json(SUITE)
    assert found["format"] == 1
    assert found["tests"] == (
        {"file": "test_books.py", "name": "test_add_book_shows_it_in_the_list", "checks": 2},
    )  # fmt: skip
