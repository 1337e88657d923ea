"""What holds of filters by name, whatever the names."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.candidates import Candidate, Candidates
from unknot.model.suite import Suite, TestId
from unknot.web.hints.configurations import FILTERS
from unknot.web.hints.names.filters import filter_candidates
from unknot.web.hints.names.name_reading import read_name

_VERBS = ("Add", "Remove", "Search", "View", "Check", "Order", "Post", "Login", "Enrol")
_WORDS = st.sampled_from((*_VERBS, "User", "Users", "Course", "Entry", "Multiple", "Empty", "And", "By", "To", "Zzyzx"))
_NAMES = st.lists(_WORDS, min_size=1, max_size=5).map("".join)
_WILD = st.one_of(st.text(max_size=30), _NAMES)


@st.composite
def drawn_candidates(draw: st.DrawFn, names: st.SearchStrategy[str] = _NAMES) -> Candidates:
    tests = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    pairs = [(later, earlier) for later in range(len(tests)) for earlier in range(later)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True))
    return Candidates.of(Suite(tuple(map(TestId, tests))), (Candidate(*pair) for pair in edges))


def pairs(candidates: Candidates) -> set[tuple[int, int]]:
    return {(edge.dependent, edge.prerequisite) for edge in candidates.edges}


@given(drawn_candidates(_WILD))
@laws(60)
def test_a_filter_never_adds_an_edge_and_verbs_alone_keep_whatever_the_others_keep(candidates: Candidates) -> None:
    kept = {}
    for by in FILTERS:
        after = filter_candidates(candidates, by)
        assert pairs(after) <= pairs(candidates)
        assert after.extracted == candidates.extracted
        assert filter_candidates(after, by) == after
        kept[by] = pairs(after)
    assert kept["verb"] >= kept["dobj"] | kept["noun"] | kept["object"]


@given(drawn_candidates())
@laws(60)
def test_the_file_and_the_parameters_of_a_test_change_nothing(candidates: Candidates) -> None:
    moved = Suite(tuple(TestId(f"tests/test.py::{test}[chromium-2]") for test in candidates.suite.tests))
    for by in FILTERS:
        assert pairs(filter_candidates(Candidates.of(moved, candidates.edges), by)) == pairs(
            filter_candidates(candidates, by)
        )


@given(_NAMES)
@laws(60)
def test_camel_case_snake_case_and_a_sentence_say_the_same(name: str) -> None:
    spaced = "".join(f" {letter}" if letter.isupper() else letter for letter in name).strip()
    assert read_name(name) == read_name(spaced.lower().replace(" ", "_")) == read_name(spaced)


@given(st.text())
@laws(200)
def test_any_text_can_be_a_name(name: str) -> None:
    assert read_name(name) == read_name(name)


@given(drawn_candidates(), st.data())
@laws(60)
def test_an_edge_is_judged_by_its_two_names_and_what_all_share(candidates: Candidates, data: st.DataObject) -> None:
    """The other edges do not matter."""
    some = data.draw(st.sets(st.sampled_from(candidates.edges)) if candidates.edges else st.just(set()))
    for by in FILTERS:
        of_some = filter_candidates(Candidates.of(candidates.suite, some), by)
        drawn = {(edge.dependent, edge.prerequisite) for edge in some}
        assert pairs(of_some) == pairs(filter_candidates(candidates, by)) & drawn
