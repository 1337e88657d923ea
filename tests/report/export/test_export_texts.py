"""The texts of exports, and that no id can do harm in them."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_split.algorithms import Algorithms

from unknot.app.export import FORMATS, export
from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.errors import StorageError, UsageError
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane, Plan
from unknot.model.suite import Order, Suite, TestId
from unknot.report.export.pytest_marks import pytest_order, xdist_groups
from unknot.report.export.shards import github_matrix, gitlab_job, id_lists, split_durations

HOSTILE = (
    "../../etc/passwd::test",
    'a.py::test["""]',
    "a.py::test[\"); import os; os.system('false')]",
    "a.py::test[\\N{SNOWMAN}]",
    "a.py::test[ü\udcff]",
    "a.py::test[\x00]",
    "a.py::test[\n]",
)


def ids(*names: str) -> Order:
    return tuple(TestId(name) for name in names)


def plan_of(*lanes: tuple[Order, ...]) -> Plan:
    return Plan(tuple(Lane(orders) for orders in lanes), 0.0)


def dependencies_of(tests: Order, needs: dict[str, str] | None = None) -> Dependencies:
    found = tuple(Need(TestId(test), ids(other), Proof((), ())) for test, other in (needs or {}).items())
    return Dependencies(Suite(tests), dict.fromkeys(tests, Outcome.PASSED), dict.fromkeys(tests, 1.5), found)


def test_a_lane_is_a_file_and_a_lane_of_several_orders_one_for_each() -> None:
    plan = plan_of((ids("a", "b"),), (ids("c"), ids("d", "e")), ())
    assert id_lists(plan) == {
        "lane-1.txt": "a\nb\n",
        "lane-2.1.txt": "c\n",
        "lane-2.2.txt": "d\ne\n",
        "lane-3.txt": "",
    }


@pytest.mark.parametrize("hostile", HOSTILE[-3:])
def test_an_id_that_does_not_fit_on_one_line_is_rejected(hostile: str, tmp_path: Path) -> None:
    dependencies = dependencies_of(ids("fine", hostile))
    with pytest.raises(UsageError, match="does not fit on one line"):
        export("ids", dependencies, plan_of((dependencies.suite.tests,)), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_ids_never_name_files(tmp_path: Path) -> None:
    dependencies = dependencies_of(ids(*HOSTILE[:4]))
    export("ids", dependencies, plan_of((dependencies.suite.tests,)), tmp_path / "out")
    assert [path.name for path in tmp_path.rglob("*.txt")] == ["lane-1.txt"]
    assert (tmp_path / "out" / "lane-1.txt").read_text().splitlines() == list(HOSTILE[:4])


def test_the_code_of_a_mark_plugin_does_not_depend_on_the_ids() -> None:
    for make, name in ((lambda tests: xdist_groups([tests]), "groups"), (pytest_order, "order")):
        hostile, harmless = make(ids(*HOSTILE)), make(ids("a", "b"))
        assert hostile.code == harmless.code
        assert ast.parse(hostile.code)
        assert list(json.loads(hostile.table)) == list(HOSTILE)
        assert hostile.table.isascii()
        assert hostile.name == f"unknot_{name}"


def test_groups_are_numbered_and_the_order_counts() -> None:
    groups = json.loads(xdist_groups([ids("a", "c"), ids("b", "d")]).table)
    assert groups == {"a": "unknot-1", "c": "unknot-1", "b": "unknot-2", "d": "unknot-2"}
    assert json.loads(pytest_order(ids("x", "y")).table) == {"x": 0, "y": 1}


def test_the_matrix_is_one_line_that_says_what_each_shard_is() -> None:
    plan = plan_of((ids("a", "b"),), (ids("c"),), ())
    text = github_matrix(plan, dict.fromkeys(ids("a", "b", "c"), 1.25))
    assert text.count("\n") == 1
    assert json.loads(text) == {
        "include": [
            {"shard": 1, "of": 3, "seconds": 2.5, "tests": 2},
            {"shard": 2, "of": 3, "seconds": 1.25, "tests": 1},
            {"shard": 3, "of": 3, "seconds": 0, "tests": 0},
        ]
    }
    assert "parallel: 3\n" in gitlab_job(plan)


def test_every_format_says_what_it_wrote_or_is_the_result_itself(tmp_path: Path) -> None:
    dependencies = dependencies_of(ids("a", "b", "c"), needs={"b": "a"})
    plan = plan_of((ids("a", "b"),), (ids("c"),))
    for name in FORMATS:
        path = tmp_path / name
        printed = export(name, dependencies, plan, path)
        assert str(path) in printed
        assert printed.endswith("\n")
        assert path.exists()
    assert export("github", dependencies, plan, None).startswith('{"include":[{"shard":1,"of":2')


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name in FORMATS:
        with pytest.raises(StorageError, match="cannot write"):
            export(name, dependencies_of(ids("a")), plan_of((ids("a"),)), tmp_path / "file" / "below")


class _Item:
    """As much of a collected test as pytest-split's algorithms look at."""

    def __init__(self, nodeid: str) -> None:
        self.nodeid = nodeid


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.lists(st.sampled_from((0.0, 0.1, 0.3, 1 / 3, 2.7, 1e-9, 40.0)), min_size=1, max_size=4),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 14),
)
def test_pytest_split_itself_never_cuts_a_block(weights: list[list[float]], splits: int) -> None:
    blocks = [tuple(TestId(f"t{at}-{n}") for n in range(len(block))) for at, block in enumerate(weights)]
    tests = [test for block in blocks for test in block]
    seconds = dict(zip(tests, (weight for block in weights for weight in block), strict=True))
    durations = json.loads(split_durations(blocks, seconds))
    items: Any = [_Item(test) for test in tests]
    groups = Algorithms.duration_based_chunks.value(splits, items, durations)
    chosen = [[item.nodeid for item in group.selected] for group in groups]
    assert [test for group in chosen for test in group] == tests
    starts = {block[0] for block in blocks}
    assert all(group[0] in starts for group in chosen if group)
