"""What holds of filters by name, whatever the names."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.candidates import Candidate, Candidates
from unknot.model.suite import Suite, TestId
from unknot.web.hints.names.filters import FILTERS
from unknot.web.hints.names.name_reading import read_name

_VERBS = ("Add", "Remove", "Search", "View", "Check", "Order", "Post", "Login", "Enrol")
_WORDS = st.sampled_from((*_VERBS, "User", "Users", "Course", "Entry", "Multiple", "Empty", "And", "By", "To", "Zzyzx"))
_NAMES = st.lists(_WORDS, min_size=1, max_size=5).map("".join)
_WILD = st.one_of(st.text(max_size=30), _NAMES)


@st.composite
def suspicions(draw: st.DrawFn, names: st.SearchStrategy[str] = _NAMES) -> Candidates:
    tests = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    pairs = [(later, earlier) for later in range(len(tests)) for earlier in range(later)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True))
    return Candidates.of(Suite(tuple(map(TestId, tests))), (Candidate(*pair) for pair in edges))


def pairs(suspects: Candidates) -> set[tuple[int, int]]:
    return {(edge.dependent, edge.prerequisite) for edge in suspects.edges}


@given(suspicions(_WILD))
@laws(60)
def test_a_filter_never_adds_an_edge_and_keeps_the_count(suspects: Candidates) -> None:
    for judge in FILTERS.values():
        after = judge(suspects)
        assert pairs(after) <= pairs(suspects)
        assert after.extracted == suspects.extracted
        assert judge(after) == after


@given(suspicions(_WILD))
@laws(60)
def test_verbs_alone_keep_whatever_objects_or_nouns_keep(suspects: Candidates) -> None:
    kept = {name: pairs(judge(suspects)) for name, judge in FILTERS.items()}

    assert kept["verb"] >= kept["dobj"] | kept["noun"] | kept["object"]


@given(suspicions())
@laws(60)
def test_where_a_test_stands_and_how_it_is_called_changes_nothing(suspects: Candidates) -> None:
    moved = Suite(tuple(TestId(f"tests/test.py::{test}[chromium-2]") for test in suspects.suite.tests))
    for judge in FILTERS.values():
        assert pairs(judge(Candidates.of(moved, suspects.edges))) == pairs(judge(suspects))


@given(_NAMES)
@laws(60)
def test_camel_case_snake_case_and_a_sentence_say_the_same(name: str) -> None:
    spaced = "".join(f" {letter}" if letter.isupper() else letter for letter in name).strip()
    assert read_name(name) == read_name(spaced.lower().replace(" ", "_")) == read_name(spaced)


@given(st.text())
@laws(200)
def test_any_text_can_be_a_name(name: str) -> None:
    assert read_name(name) == read_name(name)


@given(suspicions(), st.data())
@laws(60)
def test_an_edge_is_judged_by_its_two_names_and_what_all_share(suspects: Candidates, data: st.DataObject) -> None:
    """The other edges do not matter."""
    some = data.draw(st.sets(st.sampled_from(suspects.edges)) if suspects.edges else st.just(set()))
    for judge in FILTERS.values():
        assert pairs(judge(Candidates.of(suspects.suite, some))) == pairs(judge(suspects)) & {
            (edge.dependent, edge.prerequisite) for edge in some
        }
