"""What Table 1 and figures 1 and 4 of the TEDD paper say of six tests of Claroline."""

from collections.abc import Mapping

from web.readers.other_suites.suite_files import submitted, used

from unknot.model.candidates import StringUse
from unknot.model.suite import Suite, TestId
from unknot.web.hints.strings import string_candidates

TESTS = ("addUserTest", "searchUserTest", "loginUserTest", "addCourseTest", "searchCourseTest", "enrolUserTest")
ACCOUNT = {"user001", "password001"}
NAMES = {"Name001", "Firstname001"}
SUBMITTED = {
    "addUserTest": {"admin", *NAMES, *ACCOUNT},
    "searchUserTest": {"admin", "user001"},
    "loginUserTest": ACCOUNT,
    "addCourseTest": {"admin", "Course001"},
    "searchCourseTest": {"admin", "Course001"},
    "enrolUserTest": ACCOUNT,
}
USED_OF_ADD_USER = {"admin", *NAMES, "user001"}
"""U of searchUserTest in section 3.1.2."""

EDGES = {
    (2, 1): {"admin", *NAMES, "user001"},
    (3, 1): {*NAMES, *ACCOUNT},
    (3, 2): {"user001"},
    (4, 1): {"admin"},
    (4, 2): {"admin"},
    (5, 1): {"admin"},
    (5, 2): {"admin"},
    (5, 4): {"admin", "Course001"},
    (6, 1): ACCOUNT,
    (6, 2): {"user001"},
    (6, 3): ACCOUNT,
    (6, 4): {"Course001"},
    (6, 5): {"Course001"},
}
"""Figure 4, by the numbers of Table 1."""


def by_name(uses: Mapping[TestId, StringUse]) -> dict[str, StringUse]:
    """By the last part of the id; in the order of Table 1."""
    named = {test.rpartition("#")[2].rpartition("› ")[2]: use for test, use in uses.items()}
    return {name: named[name] for name in TESTS}


def holds_exactly(uses: Mapping[TestId, StringUse]) -> None:
    result = by_name(uses)
    assert [use.gaps for use in result.values()] == [()] * 6
    assert {name: submitted(use) for name, use in result.items()} == SUBMITTED
    assert used(result["searchUserTest"]) & SUBMITTED["addUserTest"] == USED_OF_ADD_USER
    edges, notes = string_candidates(Suite(tuple(TestId(name) for name in result)), list(result.values()))
    assert {(edge.dependent + 1, edge.prerequisite + 1): set(edge.strings) for edge in edges} == EDGES
    assert notes == []
