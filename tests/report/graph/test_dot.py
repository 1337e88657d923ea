"""The DOT is read by Graphviz, and by a tokenizer of its grammar where there is none."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from unknot.model.dependencies import Dependencies
from unknot.model.suite import Suite
from unknot.report.graph.dot import quoted, to_dot

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z_0-9]*|->|[{}\[\];,=]|\s+', re.DOTALL)


def tokens(text: str) -> list[str]:
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match, f"no DOT token at {text[at : at + 30]!r}"
        found.append(match[0])
        at = match.end()
    return [token for token in found if not token.isspace()]


def assert_is_dot(text: str) -> None:
    found = tokens(text)
    assert found[:3] == ["digraph", "unknot", "{"]
    assert found[-1] == "}"
    assert found.count("{") == found.count("}") == 1
    assert found.count("[") == found.count("]")


def test_needs_are_solid_and_conflicts_are_dashed_red_with_a_label(small: Dependencies) -> None:
    lines = [line.strip() for line in to_dot(small).splitlines()]
    assert 't1 -> t0 [label="needs"];' in lines
    assert 't4 -> t11 [style=dashed, color=red, label="breaks"];' in lines
    assert 't6 -> t11 [style=dotted, label="cleans"];' in lines


def test_alternatives_go_through_a_point(small: Dependencies) -> None:
    lines = [line.strip() for line in to_dot(small).splitlines()]
    assert "any1 [shape=point];" in lines
    assert 't3 -> any1 [arrowhead=none, label="needs any of, or others"];' in lines
    assert "any1 -> t1;" in lines
    assert "any1 -> t2;" in lines


def test_polluters_that_break_together_go_through_a_point(small: Dependencies) -> None:
    lines = [line.strip() for line in to_dot(small).splitlines()]
    assert 'all2 -> t3 [style=dashed, color=red, label="break together"];' in lines


def test_shape_and_label_show_the_kind(small: Dependencies) -> None:
    text = to_dot(small)
    assert r't1 [label="brittle\nt.py::test_total", shape=box' in text
    assert r't11 [label="victim\nt.py::test_read", shape=octagon' in text
    assert r't3 [label="brittle and victim\nt.py::test_refund", shape=doubleoctagon' in text
    assert r't0 [label="setter\nt.py::test_add", shape=ellipse' in text


def test_only_tests_that_take_part_or_are_flaky_are_drawn(small: Dependencies) -> None:
    text = to_dot(small)
    assert "test_alone" not in text
    assert "test_broken" not in text
    assert r't9 [label="flaky\nt.py::test_flaky", shape=hexagon, color="#0f766e", style=dashed];' in text


def test_a_flaky_test_that_takes_part_has_a_dashed_outline(small: Dependencies) -> None:
    text = to_dot(replace(small, flaky=small.suite.tests[:1]))
    assert r't0 [label="setter, flaky\nt.py::test_add", shape=ellipse, color="#475569", style=dashed];' in text


def test_no_claims_give_an_empty_graph() -> None:
    assert_is_dot(to_dot(Dependencies(Suite(()), {}, {})))


def test_an_id_cannot_leave_its_quotes_or_be_read_as_layout() -> None:
    assert quoted('a"b\\') == r'"a\"b\\"'
    assert quoted("\\n\n&lt;") == r'"\\n\\n&amp;lt;"'


def test_hostile_ids_keep_to_the_grammar(hostile: Dependencies) -> None:
    assert_is_dot(to_dot(hostile))


@laws(40)
@given(data=st.data())
def test_any_result_keeps_to_the_grammar(
    data: st.DataObject, any_dependencies: st.SearchStrategy[Dependencies]
) -> None:
    text = to_dot(data.draw(any_dependencies))
    assert_is_dot(text)
    assert text.encode("utf-8")


@pytest.mark.skipif(not shutil.which("dot"), reason="needs Graphviz")
def test_graphviz_draws_hostile_ids(hostile: Dependencies) -> None:
    drawn = subprocess.run(["dot", "-Tsvg"], input=to_dot(hostile).encode(), check=True, capture_output=True)
    assert not drawn.stderr
