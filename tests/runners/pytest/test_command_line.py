"""What pytest makes of words on its command line."""

import pytest

from unknot.runners.pytest.command_line import only_report


@pytest.mark.parametrize(
    ("words", "only"),
    [
        ([], True),
        (["-q", "-x", "-rA", "--tb"], False),
        (["-v", "--junit-xml", "out.xml"], True),
        (["--junit-xml=out.xml", "--maxfail", "2", "-r", "f"], True),
        (["-q", "tests/test_it.py"], False),
        (["-v", "--maxfail=1", "tests/test_it.py::test_one"], False),
        (["-k", "one"], False),
    ],
)
def test_options_that_only_report_are_told_from_those_that_choose_tests(words: list[str], only: bool) -> None:
    assert only_report(words) == only
