"""Dependencies to plan by, from the file of a graph."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from unknot.model.dependencies import Cost, Dependencies
from unknot.model.errors import NoTestsError, StorageError, UsageError
from unknot.model.outcome import Outcome
from unknot.report.export.result_json import result_json
from unknot.store.graph_file import read_dependencies
from unknot.store.lock import write_lock

Graph = Callable[[object], Path]


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    def written(document: object) -> Path:
        path = tmp_path / "graph.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return path

    return written


def test_a_graph_is_read_as_a_finished_detection(graph: Graph) -> None:
    document = {"order": ["a", "b", "c"], "dependencies": [[2, 1], [1, 0], [2, 1]], "seconds": [1, 0.5, 0]}
    dependencies = read_dependencies(graph(document))
    assert dependencies.suite.tests == ("a", "b", "c")
    assert [(need.dependent, need.any_of) for need in dependencies.needs] == [("b", ("a",)), ("c", ("b",))]
    assert dependencies.seconds == {"a": 1.0, "b": 0.5, "c": 0.0}
    assert set(dependencies.outcomes.values()) == {Outcome.PASSED}
    assert dependencies.complete
    assert not dependencies.untried


def test_without_seconds_each_test_takes_one(graph: Graph) -> None:
    assert read_dependencies(graph({"order": ["a", "b"], "dependencies": []})).seconds == {"a": 1.0, "b": 1.0}


def test_a_lock_file_is_read_as_it_is(small: Dependencies, tmp_path: Path) -> None:
    write_lock(tmp_path / "lock.json", small)
    assumed = dict.fromkeys(small.suite.tests, 1.0)
    assert read_dependencies(tmp_path / "lock.json") == replace(small, seconds=assumed, cost=Cost())
    (tmp_path / "printed.json").write_text(result_json(small))
    assert read_dependencies(tmp_path / "printed.json") == small


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{", "not JSON"),
        ("[]", "must be an object, is a list"),
        ({"dependencies": []}, 'neither a graph (no "order") nor a lock file'),
        ({"order": ["a"]}, "dependencies: missing"),
        ({"order": ["a", "a"], "dependencies": []}, "order[1]: a stands twice, at 0 already"),
        ({"order": ["a", "b"], "dependencies": [[1, 2]]}, "dependencies[0][1]: there is no test 2"),
        ({"order": ["a", "b"], "dependencies": [[1, -1]]}, "must be a whole number, 0 or more"),
        ({"order": ["a", "b"], "dependencies": [[1]]}, "must be a pair [dependent, prerequisite], has 1 members"),
        ({"order": ["a", "b"], "dependencies": [[1, 1]]}, "b cannot need itself"),
        ({"order": ["a", "b"], "dependencies": [[1, 0], [0, 1]]}, "a needs b, which stands after it in `order`"),
        ({"order": ["a"], "dependencies": [], "seconds": [-1]}, "seconds[0]: must be a number of seconds, 0 or more"),
        ({"order": ["a"], "dependencies": [], "seconds": []}, "must have one number for each of the 1 tests, has 0"),
        ('{"order": ["a"], "dependencies": [], "seconds": [1e999]}', "seconds[0]: must be a number of seconds"),
        ('{"order": ["a"], "dependencies": [], "seconds": [NaN]}', "NaN is no number"),
    ],
)
def test_what_is_wrong_is_reported_in_one_line(graph: Graph, document: object, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_dependencies(graph(document))
    assert message in caught.value.message
    assert "graph.json" in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_a_graph_without_tests(graph: Graph) -> None:
    with pytest.raises(NoTestsError, match="there are no tests in it"):
        read_dependencies(graph({"order": [], "dependencies": []}))


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageError) as caught:
        read_dependencies(tmp_path / name)
    assert caught.value.hint
