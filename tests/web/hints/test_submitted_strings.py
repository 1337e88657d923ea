"""Submitted strings: the paper's motivating example, what counts as a use, gaps, and laws."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unknot.app.excerpts import SourceFiles, excerpts
from unknot.model.candidates import Candidates, Mention, StringUse
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Frame
from unknot.model.suite import Suite, TestId
from unknot.report.reasons import sentences
from unknot.web.hints.strings import in_every_test, rank_values, string_candidates

USER = ("user001", "password001")


def use_of(submitted: Sequence[str], *read: str) -> StringUse:
    typed = tuple(Mention(text) for text in submitted)
    return StringUse(typed, (*typed, *(Mention(text) for text in read)))


def suite(names: Sequence[str]) -> Suite:
    return Suite(tuple(TestId(name) for name in names))


def claroline() -> list[StringUse]:
    """What figure 4 shows of each test."""
    return [
        use_of(("admin", "Name001", "Firstname001", *USER)),
        use_of(("admin", "user001"), "Name001", "Firstname001"),
        use_of(USER, "Name001", "Firstname001"),
        use_of(("admin", "Course001")),
        use_of(("admin", "Course001")),
        use_of((*USER, "Course001")),
    ]


def labelled(uses: Sequence[StringUse], free: Sequence[str] = ()) -> dict[tuple[int, int], set[str]]:
    """Edges as the paper numbers tests, from 1."""
    names = suite([f"t{number}" for number in range(len(uses))])
    edges, _ = string_candidates(names, uses, free)
    return {(edge.dependent + 1, edge.prerequisite + 1): set(edge.strings) for edge in edges}


def test_figure_4_has_every_sub_use_chain() -> None:
    edges = labelled(claroline())

    assert edges[2, 1] == {"admin", "Name001", "Firstname001", "user001"}
    assert edges[3, 1] == {"Name001", "Firstname001", *USER}
    assert edges[6, 1] == set(USER)
    assert edges[5, 4] == {"admin", "Course001"}
    assert edges[6, 4] == {"Course001"}
    assert edges[4, 1] == edges[4, 2] == edges[5, 1] == edges[5, 2] == {"admin"}


def test_figure_4_without_the_default_login_loses_the_false_edges_that_rest_on_it() -> None:
    edges = labelled(claroline(), ["admin"])

    assert not {(4, 1), (4, 2), (5, 1), (5, 2)} & edges.keys()
    assert edges[2, 1] == {"Name001", "Firstname001", "user001"}
    # Figure 3: the manifest dependencies are all still there.
    assert {(2, 1), (3, 1), (5, 4), (6, 1), (6, 4)} <= edges.keys()


def test_values_are_ranked_by_how_many_tests_use_them() -> None:
    first, second, *_ = rank_values(claroline())

    assert (first.text, first.tests, first.edges, first.only) == ("admin", 4, 6, 4)
    assert (second.text, second.tests) == ("user001", 4)
    assert "admin" not in {value.text for value in rank_values(claroline(), ["admin"])}


def test_only_a_value_of_every_test_is_free_by_itself() -> None:
    everywhere = [use_of(("admin", "a1")), use_of(("admin",)), use_of((), "logged in as admin")]

    assert in_every_test(everywhere) == {"admin"}
    assert in_every_test(claroline()) == frozenset()
    assert in_every_test([use_of(("alone",))]) == frozenset()


def test_a_value_is_used_where_it_stands_as_whole_words() -> None:
    assert labelled([use_of(("Course001",)), use_of((), "001 - Course001")]) == {(2, 1): {"Course001"}}
    assert labelled([use_of(("MyRoom",)), use_of((), r"^[\s\S]*MyRoom[\s\S]*$")]) == {(2, 1): {"MyRoom"}}
    assert labelled([use_of(("admin",)), use_of((), "Platform administration")]) == {}
    assert labelled([use_of(("user_1",)), use_of((), "user_10")]) == {}


def test_a_short_value_counts_only_by_itself() -> None:
    assert labelled([use_of(("7",)), use_of((), "7 entries")]) == {}
    assert labelled([use_of(("7",)), use_of(("7",))]) == {(2, 1): {"7"}}


def test_blanks_and_empty_values_are_no_values() -> None:
    assert labelled([use_of(("", "  ", " Bob ")), use_of((), "", "Bob")]) == {(2, 1): {"Bob"}}


def test_what_only_a_later_test_submits_is_no_reason() -> None:
    assert labelled([use_of((), "Bob"), use_of(("Bob",))]) == {}


def test_the_reason_names_both_lines() -> None:
    typed = Mention("Bob", Frame("tests/test_users.py", 12, "test_add"))
    read = Mention("user Bob", Frame("tests/pages.py", 30, "find"))

    (edge,), notes = string_candidates(suite("ab"), [StringUse((typed,), (typed,)), StringUse((), (read,))])

    assert sentences(edge.reasons) == ("`Bob` is submitted at tests/test_users.py:12 and used at tests/pages.py:30",)
    assert notes == []


@pytest.mark.parametrize("value", ["Bob", "x` is submitted at /etc/passwd:1 and used at /etc/shadow:1"])
@pytest.mark.parametrize("place", [Frame("a b.py", 12, ""), Frame("c:d.py", 3, ""), None])
def test_a_reason_has_its_places_whatever_the_value_is(value: str, place: Frame | None) -> None:
    typed = Mention(value, place)
    (edge,), _ = string_candidates(suite("ab"), [StringUse((typed,), (typed,))] * 2)

    (reason,) = edge.reasons
    assert (reason.written, reason.read) == (((place,), (place,)) if place else ((), ()))


@pytest.mark.parametrize(
    "reason",
    [
        "POST /users (Bob) is what GET /users shows",
        "` is submitted at a.py:1",
        "` is submitted at a.py and used",
        f"` is submitted at a.py:{'9' * 5000} and used",
        "` is submitted at a:1 and used at " * 5_000,
    ],
)
def test_no_place_is_read_from_a_sentence(reason: str, tmp_path: Path) -> None:
    assert excerpts([Reason(ReasonKind.TEXT, shown=reason)], SourceFiles(tmp_path, tmp_path)) == ()


def test_a_test_that_could_not_be_read_stays_a_candidate_with_all_others() -> None:
    uses = [use_of(("a",)), StringUse(gaps=("pages.py:3: no class UserPage",)), use_of(("b",))]

    edges, notes = string_candidates(suite("abc"), uses)

    assert {(edge.dependent, edge.prerequisite) for edge in edges} == {(1, 0), (2, 1)}
    assert all("pages.py:3: no class UserPage" in edge.gaps[0] and not edge.reasons for edge in edges)
    assert notes == ["b: pages.py:3: no class UserPage; it stays a candidate with every other test"]


texts = st.text(st.sampled_from("ab1 -_é"), max_size=6)
any_uses = st.lists(st.builds(lambda typed, read: use_of(typed, *read), st.lists(texts), st.lists(texts)), max_size=7)


@given(any_uses)
def test_every_edge_points_back_and_carries_exactly_the_values_of_both(uses: list[StringUse]) -> None:
    edges, _ = string_candidates(suite([f"t{number}" for number in range(len(uses))]), uses)

    for edge in edges:
        assert edge.prerequisite < edge.dependent
        assert edge.strings
        typed = {mention.text.strip() for mention in uses[edge.prerequisite].submitted}
        read = [mention.text for mention in uses[edge.dependent].used]
        assert all(value in typed and any(value in text for text in read) for value in edge.strings)
    strings_of = {(edge.dependent, edge.prerequisite): set(edge.strings) for edge in edges}
    for later, reader in enumerate(uses):
        for earlier, writer in enumerate(uses[:later]):
            same = {m.text.strip() for m in writer.submitted} & {m.text.strip() for m in reader.used} - {""}
            assert same <= strings_of.get((later, earlier), set()), "equal texts always make an edge"
    for value in rank_values(uses):
        resting = [strings for strings in strings_of.values() if value.text in strings]
        assert value.edges == len(resting)
        assert value.only == sum(strings == {value.text} for strings in resting)


@given(any_uses, st.lists(texts))
def test_free_values_only_take_edges_away(uses: list[StringUse], free: list[str]) -> None:
    all_edges, fewer = labelled(uses), labelled(uses, free)

    assert fewer.keys() <= all_edges.keys()
    assert all(strings == all_edges[edge] - set(free) for edge, strings in fewer.items())


def test_a_value_of_very_many_pairs_is_counted_without_a_list_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unknot.web.hints.strings._MOST_COMPARED", 5)
    uses = [use_of(("everywhere", "here")), use_of(("everywhere",))] * 2

    assert [(value.text, value.tests, value.edges, value.only) for value in rank_values(uses)] == [
        ("everywhere", 4, 6, 6),
        ("here", 2, 1, 1),
    ]


def test_candidates_of_several_sources_are_joined() -> None:
    names = suite("abc")
    edges, _ = string_candidates(names, [use_of(("x1",)), use_of(("x1",)), use_of(())])

    joined = Candidates.of(names, [*edges, *edges])

    assert [(edge.dependent, edge.prerequisite, edge.strings) for edge in joined.edges] == [(1, 0, ("x1",))]
    assert joined.extracted == 1
    assert list(joined.graph.edges()) == [(1, 0)]
