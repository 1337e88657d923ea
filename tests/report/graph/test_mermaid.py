"""The flowchart keeps to a small part of Mermaid's language, holds every claim, and shows ids as text."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.sanitise import shown
from unknot.model.suite import Suite, TestId
from unknot.report.graph.mermaid import MOST_EDGES, label, to_mermaid
from unknot.report.roles import Roles

_SHAPES = r'\["(?P<l1>.*)"\]|\{\{"(?P<l2>.*)"\}\}|\[\["(?P<l3>.*)"\]\]|\(\["(?P<l4>.*)"\]\)|\[/"(?P<l5>.*)"/\]'
_NODE = re.compile(rf"(t\d+)(?:{_SHAPES})")
_EDGE = re.compile(r'((?:t|any|all)\d+) (-->|---|-\.->|-\.-)(?:\|"([a-z, ]+)"\|)? ((?:t|any|all)\d+)')
_OTHER = re.compile(
    r'(?:any|all)\d+\(\(" "\)\)|classDef flaky [\w:, -]+|class [t\d,]+ flaky|linkStyle [\d,]+ [\w:#, -]+'
)
_NUMBER = re.compile(r"#(\d+);")

Edges = list[tuple[str, str, str]]


def parsed(text: str) -> tuple[dict[str, str], Edges]:
    """The labels of the tests, and the edges as start, label and end; fails on whatever else a line may be."""
    labels: dict[str, str] = {}
    edges: Edges = []
    first, *lines = text.splitlines()
    assert first == "flowchart LR"
    for line in map(str.strip, lines):
        if node := _NODE.fullmatch(line):
            labels[node[1]] = next(filter(None, node.groups()[1:]))
        elif edge := _EDGE.fullmatch(line):
            edges.append((edge[1], edge[3] or "", edge[4]))
        else:
            assert _OTHER.fullmatch(line), line
    return labels, edges


def decoded(text: str) -> str:
    """A label with the characters put in."""
    return _NUMBER.sub(lambda match: chr(int(match[1])), text)


def read(text: str) -> str:
    """A label as people see it: without invisible characters."""
    return decoded(text).replace("\u200b", "")


def claims(dependencies: Dependencies) -> Edges:
    """What must be drawn: each claim whole, and each cleaner once for each victim."""
    place = {test: f"t{number}" for test, number in dependencies.suite.index.items()}
    found: Edges = []
    for number, need in enumerate(dependencies.needs):
        more = "" if need.complete else ", or others"
        if len(need.any_of) == 1:
            found.append((place[need.dependent], f"needs{more}", place[need.any_of[0]]))
        else:
            found.append((place[need.dependent], f"needs any of{more}", f"any{number}"))
            found += [(f"any{number}", "", place[option]) for option in need.any_of]
    for number, known in enumerate(dependencies.conflicts):
        if len(known.polluters) == 1:
            found.append((place[known.polluters[0]], "breaks", place[known.victim]))
        else:
            found += [(place[polluter], "", f"all{number}") for polluter in known.polluters]
            found.append((f"all{number}", "break together", place[known.victim]))
    cleaning = {(place[cleaner], place[known.victim]) for known in dependencies.conflicts for cleaner in known.cleaners}
    return found + [(cleaner, "cleans", victim) for cleaner, victim in cleaning]


@laws(40)
@given(data=st.data())
def test_no_claim_is_lost_and_every_line_keeps_to_the_grammar(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    dependencies = data.draw(any_dependencies)
    labels, edges = parsed(to_mermaid(dependencies).text)
    assert sorted(edges) == sorted(claims(dependencies))
    drawn = {*Roles(dependencies).participants, *dependencies.flaky}
    assert {name: read(text).partition("<br/>")[2] for name, text in labels.items()} == {
        f"t{dependencies.suite.index[test]}": shown(test) for test in drawn
    }
    assert to_mermaid(dependencies) == to_mermaid(replace(dependencies))


def test_shape_and_label_show_the_kind(small: Dependencies) -> None:
    lines = [line.strip() for line in to_mermaid(small).text.splitlines()]
    assert 't1["brittle<br/>t.py::test_total"]' in lines
    assert 't11{{"victim<br/>t.py::test_read"}}' in lines
    assert 't3[["brittle and victim<br/>t.py::test_refund"]]' in lines
    assert 't0(["setter<br/>t.py::test_add"])' in lines
    assert 't9[/"flaky<br/>t.py::test_flaky"/]' in lines


def test_needs_are_solid_conflicts_dashed_and_cleaners_dotted(small: Dependencies) -> None:
    lines = [line.strip() for line in to_mermaid(small).text.splitlines()]
    assert 't1 -->|"needs"| t0' in lines
    assert 't4 -.->|"breaks"| t11' in lines
    assert 't6 -.->|"cleans"| t11' in lines
    assert "linkStyle 4,5,6,7,8 stroke:#dc2626,stroke-dasharray:6 4" in lines
    assert "linkStyle 9 stroke-dasharray:2 4" in lines


def test_a_flaky_test_has_a_dashed_outline_whatever_else_it_is(small: Dependencies) -> None:
    lines = [line.strip() for line in to_mermaid(replace(small, flaky=small.suite.tests[:1])).text.splitlines()]
    assert 't0(["setter, flaky<br/>t.py::test_add"])' in lines
    assert "class t0 flaky" in lines


def test_nothing_in_an_id_is_left_that_mermaid_reads_as_something_else() -> None:
    assert label('"]; click t0 <b>') == "#34;#93;#59; click t0 #60;b#62;"
    # These Mermaid looks for after it has put the characters in.
    for text, looked_for in (("\\n", "\\n"), ("$$x$$", "$$"), ("fa:fa-car", ":fa-"), ("ﬂ°°35¶ß", "ﬂ°"), ("a¶ß", "¶ß")):
        assert looked_for not in decoded(label(text))
        assert read(label(text)) == text


def test_a_chart_that_mermaid_refuses_says_so() -> None:
    tests = tuple(TestId(f"t{number}") for number in range(MOST_EDGES + 2))
    first, *rest = tests
    needs = tuple(Need(test, (first,), Proof((first, test), (test,))) for test in rest)
    dependencies = Dependencies(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), {}, needs)
    large = to_mermaid(dependencies)
    assert large.too_large.startswith("501 edges, and Mermaid draws at most 500 unless maxEdges is set higher")
    assert f"%% {large.too_large}" in large.text
    assert not to_mermaid(replace(dependencies, needs=needs[:-1])).too_large


def test_a_chart_of_too_many_characters_says_so() -> None:
    early, late = TestId("a"), TestId("x" * 50_000)
    dependencies = Dependencies(Suite((early, late)), {}, {}, (Need(late, (early,), Proof((early, late), (late,))),))
    assert "maxTextSize" in to_mermaid(dependencies).too_large
