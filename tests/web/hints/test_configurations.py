"""Configurations: their words, what several sources say together, and what a search makes of candidates."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, case, hidden_graphs, laws

from unknot.detect.engine.options import Options
from unknot.detect.sieve.sieve import sieve
from unknot.hints.recording import combine_flows, flows_from_candidates
from unknot.model.candidates import Candidate, Candidates
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.errors import UsageError
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.suite import Suite, TestId
from unknot.oracle.simulated import SimulatedOracle
from unknot.report.reasons import sentences
from unknot.web.hints.configurations import (
    Found,
    candidates_for,
    parse_configuration,
    with_candidate_reasons,
)

ABC = Suite((TestId("a"), TestId("b"), TestId("c")))
X_IS_USED = Reason(ReasonKind.STRING, shown="x")
B_NEEDS_A = Candidate(1, 0, ("x",), (X_IS_USED,))


def source(*edges: Candidate) -> Callable[[], Found]:
    return lambda: (list(edges), [])


def pairs(found: Candidates) -> list[tuple[int, int]]:
    return [(edge.dependent, edge.prerequisite) for edge in found.edges]


def test_the_papers_eight_configurations_are_understood() -> None:
    published = [f"{source}{name}" for source in ("original", "strings") for name in ("", "+verb", "+dobj", "+noun")]

    assert [str(parse_configuration(text)) for text in published] == published


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "missing in the candidate configuration ``"),
        ("strings+", "missing"),
        ("string", "`string`"),
        ("verb+noun", "two filters"),
        ("original+nouns", "nouns"),
    ],
)
def test_a_wrong_word_is_named(text: str, word: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_configuration(text)

    assert word in raised.value.message
    assert "strings" in raised.value.hint


def test_in_the_original_order_every_earlier_test_is_a_candidate() -> None:
    found = candidates_for(parse_configuration("original"), ABC, {})

    assert pairs(found) == [(1, 0), (2, 0), (2, 1)]
    assert found.extracted == 3


def test_what_several_sources_name_is_put_together() -> None:
    shows = Reason(ReasonKind.VALUE_SHOWN, shown="x", writing="POST /a", reading="GET /a")
    by_traffic = Candidate(1, 0, ("x", "y"), (shows,))
    sources = {"strings": source(B_NEEDS_A), "traffic": source(by_traffic, Candidate(2, 1))}

    found = candidates_for(parse_configuration("strings+traffic"), ABC, sources)

    assert pairs(found) == [(1, 0), (2, 1)]
    assert found.edges[0].strings == ("x", "y")
    assert found.edges[0].reasons == (X_IS_USED, shows)
    assert sentences(found.edges[0].reasons)[0] == "`x` is submitted and used"


def test_a_source_that_is_not_selected_is_not_used() -> None:
    def unwanted() -> Found:
        raise AssertionError

    candidates_for(parse_configuration("strings"), ABC, {"strings": source(), "traffic": unwanted})


def test_a_filter_takes_away_and_what_was_extracted_is_still_known() -> None:
    suite = Suite((TestId("AddUser"), TestId("SearchUser"), TestId("SearchCourse")))

    found = candidates_for(parse_configuration("noun"), suite, {})

    assert pairs(found) == [(1, 0)]
    assert found.extracted == 3


def test_a_search_tries_candidates_as_setters_and_either_as_polluter() -> None:
    recorded = flows_from_candidates(Candidates.of(ABC, [B_NEEDS_A]))

    assert recorded.may_need == (0, 0b1, 0)
    assert recorded.may_be_broken_by == recorded.written_by == (0b10, 0b1, 0)


def test_a_recording_and_candidates_guide_together() -> None:
    one, other = (flows_from_candidates(Candidates.of(ABC, [edge])) for edge in (B_NEEDS_A, Candidate(2, 1)))

    both = combine_flows(one, other)

    assert both is not None
    assert both.may_need == (0, 0b1, 0b10)
    assert combine_flows(None, one) == combine_flows(one, None) == one
    assert combine_flows(None, None) is None


def test_reasons_of_candidates_become_reasons_of_dependencies() -> None:
    a, b, c = ABC.tests
    seen = Reason(ReasonKind.TEXT, shown="seen")
    by_b = replace(X_IS_USED, writer=a, reader=b)
    dependencies = Dependencies(
        ABC,
        dict.fromkeys(ABC.tests, Outcome.PASSED),
        {},
        needs=(Need(b, (a,), Proof((a, b), (b,)), why=(seen,)),),
        conflicts=(Conflict(a, (b,), (), Proof((a,), (b, a))), Conflict(a, (c,), (), Proof((a,), (c, a)))),
    )

    candidates = Candidates.of(ABC, [B_NEEDS_A])

    explained = with_candidate_reasons(dependencies, candidates, beside_known=True)

    assert explained.needs[0].why == (by_b, seen)
    assert [conflict.why for conflict in explained.conflicts] == [(by_b,), ()]
    assert with_candidate_reasons(explained, candidates, beside_known=True) == explained
    instead = with_candidate_reasons(dependencies, candidates, beside_known=False)
    assert instead.needs[0].why == (by_b,), "outdated reasons do not accumulate"
    unread = Candidates.of(ABC, [Candidate(1, 0, gaps=("not all could be read",))])
    assert with_candidate_reasons(dependencies, unread, beside_known=False) == dependencies, "a gap explains nothing"
    unchanged = with_candidate_reasons(dependencies, Candidates.of(ABC, []), beside_known=False)
    assert unchanged.needs[0].why == (seen,)


@st.composite
def suites_with_candidates(draw: st.DrawFn) -> tuple[Case, Candidates]:
    hidden = draw(hidden_graphs("random", 9))
    every = [Candidate(later, earlier) for later in range(hidden.size) for earlier in range(later)]
    return hidden, Candidates.of(hidden.suite, draw(st.lists(st.sampled_from(every), unique=True)) if every else [])


@laws(75)
@given(suites_with_candidates())
def test_candidates_right_or_wrong_change_nothing_that_sieve_finds(given_both: tuple[Case, Candidates]) -> None:
    hidden, candidates = given_both

    plain = sieve(hidden.suite, SimulatedOracle(hidden.truth), Options())
    guided = sieve(hidden.suite, SimulatedOracle(hidden.truth), Options(recorded=flows_from_candidates(candidates)))

    assert guided.complete
    assert {(need.dependent, frozenset(need.any_of)) for need in guided.needs} == {
        (need.dependent, frozenset(need.any_of)) for need in plain.needs
    }


def test_right_candidates_save_orders() -> None:
    """Chains in a suite of which most tests are independent."""
    hidden = case(40, {number: [[number - 1]] for number in range(5, 40, 6)})
    edges = [Candidate(number, number - 1) for number in range(5, 40, 6)]
    right = flows_from_candidates(Candidates.of(hidden.suite, edges))

    plain = sieve(hidden.suite, SimulatedOracle(hidden.truth), Options(reorders=False))
    guided = sieve(hidden.suite, SimulatedOracle(hidden.truth), Options(reorders=False, recorded=right))

    assert guided.needs == plain.needs
    assert guided.cost.orders < plain.cost.orders
