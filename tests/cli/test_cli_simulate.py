"""What would it cost? The real command line, on graphs in files."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from strategies import Case, case

from unknot.detect.algorithms import ALGORITHMS, DEFAULT
from unknot.detect.sieve.sieve import sieve
from unknot.model.outcome import Outcome
from unknot.oracle.simulated import SimulatedOracle
from unknot.report.export.result_json import result_json

Unknot = Callable[..., subprocess.CompletedProcess[str]]

DATA = Path(__file__).parents[1] / "data"
GRAPHS = sorted(path for kind in ("e2e-suites", "timed-graphs") for path in DATA.glob(f"{kind}/*.json"))

CHAIN = {"order": ["a", "b", "c", "d"], "dependencies": [[1, 0], [2, 1], [2, 0]]}


@pytest.fixture
def graph(project: Path) -> Callable[[object], Path]:
    def written(document: object) -> Path:
        path = project / "graph.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return path

    return written


def answer(done: subprocess.CompletedProcess[str], code: int = 0) -> dict[str, Any]:
    assert done.returncode == code, done.stderr
    document = json.loads(done.stdout)
    assert isinstance(document, dict)
    return document


def edges(document: dict[str, Any]) -> set[tuple[str, ...]]:
    return {(need["dependent"], *need["any_of"]) for need in document["needs"]}


def test_json_has_what_it_cost_and_what_was_found_and_nothing_else(unknot: Unknot, graph: Callable[..., Path]) -> None:
    document = answer(unknot("simulate", str(graph(CHAIN)), "--format", "json"))

    assert list(document) == ["cost", "needs", "complete"]
    assert list(document["cost"]) == ["algorithm", "orders", "tests", "seconds"]
    assert document["cost"]["algorithm"] == DEFAULT
    assert document["complete"] is True
    # The edge from c to a follows from the other two.
    assert edges(document) == {("b", "a"), ("c", "b")}


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_real_graph_is_found_again(unknot: Unknot, path: Path) -> None:
    known = json.loads(path.read_text(encoding="utf-8"))
    order = known["order"]

    document = answer(unknot("simulate", str(path), "--format", "json"))

    found = {(order.index(dependent), order.index(needed)) for dependent, needed in edges(document)}
    assert found <= {tuple(edge) for edge in known["dependencies"]}
    assert closed(found) == closed({tuple(edge) for edge in known["dependencies"]})


def closed(graph: set[tuple[int, int]]) -> set[tuple[int, int]]:
    reach: dict[int, set[int]] = {}
    for dependent, needed in sorted(graph):
        reach.setdefault(dependent, set()).update({needed}, reach.get(needed, set()))
    return {(dependent, needed) for dependent, below in reach.items() for needed in below}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_detector_can_be_chosen(unknot: Unknot, graph: Callable[..., Path], name: str) -> None:
    done = unknot("simulate", str(graph(CHAIN)), "--algorithm", name, "--format", "json")

    assert done.returncode in (0, 10), done.stderr
    document = json.loads(done.stdout)
    assert document["cost"]["algorithm"].startswith(name)
    assert edges(document) <= {("b", "a"), ("c", "b"), ("c", "a")}
    assert document["cost"]["orders"] > 0


def test_seconds_are_the_clean_states_and_the_tests_of_one_worker(unknot: Unknot, graph: Callable[..., Path]) -> None:
    """Exact for published algorithms, whose proofs come last: the first so many orders are their own. `pfast` counts
    the tests of an order up to its first failure only."""
    path = str(graph({**CHAIN, "seconds": [3, 3, 3, 3]}))
    command = ("simulate", path, "--algorithm", "pradet", "--format", "json", "--clean-state")

    free = answer(unknot(*command, "0"))["cost"]
    cheap = answer(unknot(*command, "0.01"))["cost"]

    assert free["seconds"] == 3 * free["tests"]
    assert (cheap["orders"], cheap["tests"]) == (free["orders"], free["tests"])
    assert cheap["seconds"] == pytest.approx(free["seconds"] + 0.01 * free["orders"])


def test_a_test_without_figures_takes_a_second(unknot: Unknot, graph: Callable[..., Path]) -> None:
    command = ("simulate", str(graph(CHAIN)), "--algorithm", "pradet", "--clean-state", "0", "--format", "json")

    cost = answer(unknot(*command))["cost"]

    assert cost["seconds"] == cost["tests"]


def test_more_workers_take_less_time_for_the_same_orders(unknot: Unknot) -> None:
    path = str(DATA / "e2e-suites" / "claroline.json")

    one, many = (
        answer(unknot("simulate", path, "--clean-state", "0", "-n", workers, "--format", "json"))["cost"]
        for workers in ("1", "8")
    )

    assert one["seconds"] / 8 <= many["seconds"] < one["seconds"]


def test_the_same_seed_gives_the_same_answer(unknot: Unknot) -> None:
    arguments = ("simulate", str(DATA / "e2e-suites" / "mrbs.json"), "--orders", "any", "--seed", "7")

    assert unknot(*arguments).stdout == unknot(*arguments).stdout


def test_text_says_the_same_in_a_few_lines(unknot: Unknot, graph: Callable[..., Path]) -> None:
    path = str(graph(CHAIN))
    cost = answer(unknot("simulate", path, "--format", "json"))["cost"]

    done = unknot("simulate", path)

    assert done.returncode == 0
    assert done.stderr == ""
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["graph.json:", "4", "tests,", "3", "needs"]
    assert ["algorithm", DEFAULT] in lines
    assert ["orders", f"{cost['orders']:,}"] in lines
    assert ["tests", "run", f"{cost['tests']:,}"] in lines
    assert ["predicted", f"{cost['seconds']:,.1f}", "s"] in lines
    assert ["found", "2", "needs"] in lines
    assert ["complete", "yes"] in lines


def test_a_comparison_has_a_line_for_every_detector(unknot: Unknot, graph: Callable[..., Path]) -> None:
    path = str(graph(CHAIN))

    done = unknot("simulate", path, "--compare")
    document = answer(unknot("simulate", path, "--compare", "--format", "json"))

    assert done.returncode == 0, done.stderr
    table = [line.split() for line in done.stdout.splitlines()[2:]]
    assert table[0][:2] == ["algorithm", "orders"]
    costs = [found["cost"] for found in document["algorithms"]]
    assert [row[:2] for row in table[1:]] == [[cost["algorithm"], f"{cost['orders']:,}"] for cost in costs]
    assert len(costs) == len(ALGORITHMS)


def test_a_limit_ends_the_search_and_what_was_found_stands(unknot: Unknot) -> None:
    path = DATA / "e2e-suites" / "claroline.json"
    order = json.loads(path.read_text(encoding="utf-8"))["order"]

    document = answer(unknot("simulate", str(path), "--max-orders", "10", "--format", "json"), code=10)

    assert document["complete"] is False
    assert document["cost"]["orders"] == 10
    assert all(order.index(dependent) > order.index(needed) for dependent, needed in edges(document))
    assert "no: what was found is correct" in unknot("simulate", str(path), "--max-orders", "10").stdout


# --- lock files


def lock(project: Path, suite: Case, **changes: Any) -> str:
    dependencies = sieve(suite.suite, SimulatedOracle(suite.truth))
    path = project / "unknot.lock.json"
    path.write_text(result_json(replace(dependencies, **changes)))
    return path.name


def test_a_lock_file_is_simulated_with_either_or_needs_and_conflicts(unknot: Unknot, project: Path) -> None:
    suite = case(6, {3: [[0, 1]]}, [(2, [4], [5])], seconds=0.5)
    tests = suite.suite.tests

    document = answer(unknot("simulate", lock(project, suite), "--orders", "any", "--format", "json"))

    assert edges(document) == {(tests[3], tests[0], tests[1])}
    assert document["conflicts"] == [{"victim": tests[2], "polluters": [tests[4]], "cleaners": [tests[5]]}]
    assert document["complete"] is True


def test_a_test_that_fails_in_its_own_order_is_claimed_nothing_about(unknot: Unknot, project: Path) -> None:
    suite = case(4, {2: [[1]]})
    tests = suite.suite.tests
    outcomes = {test: Outcome.FAILED if test == tests[3] else Outcome.PASSED for test in tests}

    document = answer(unknot("simulate", lock(project, suite, outcomes=outcomes), "--format", "json"))

    assert edges(document) == {(tests[2], tests[1])}


def test_what_of_a_lock_file_cannot_be_simulated_is_said(unknot: Unknot, project: Path) -> None:
    suite = case(4, {2: [[1]]})

    done = unknot("simulate", lock(project, suite, flaky=suite.suite.tests[:1], complete=False), "--format", "json")

    assert "flaky tests are taken as stable: tests/test_0.py::test_0" in done.stderr
    assert "unfinished detection" in done.stderr
    assert edges(answer(done)) == {(suite.suite.tests[2], suite.suite.tests[1])}


# --- bad input

BAD = {
    "not JSON": ("{", "not JSON"),
    "empty": ("", "not JSON"),
    "a list": ([], "must be an object, is a list"),
    "neither": ({"tests": []}, "neither a graph"),
    "no dependencies": ({"order": ["a"]}, "dependencies: missing"),
    "order no list": ({"order": "ab", "dependencies": []}, "order: must be a list, is a string"),
    "name no string": ({"order": ["a", 1], "dependencies": []}, "order[1]: must be a string, is the number 1"),
    "name twice": ({"order": ["a", "b", "a"], "dependencies": []}, "order[2]: a stands twice, at 0 already"),
    "hostile name": ({"order": ["\x1b[31m", "\x1b[31m"], "dependencies": []}, "\\x1b[31m stands twice"),
    "edge no list": ({"order": ["a"], "dependencies": [3]}, "dependencies[0]: must be a list, is the number 3"),
    "edge of three": ({"order": ["a"], "dependencies": [[0, 0, 0]]}, "dependencies[0]: must be a pair"),
    "out of range": ({"order": ["a", "b"], "dependencies": [[2, 0]]}, "dependencies[0][0]: there is no test 2"),
    "negative": ({"order": ["a", "b"], "dependencies": [[1, -1]]}, "dependencies[0][1]: must be a whole number"),
    "fraction": ({"order": ["a", "b"], "dependencies": [[1, 0.0]]}, "dependencies[0][1]: must be a whole number"),
    "truth": ({"order": ["a", "b"], "dependencies": [[True, 0]]}, "dependencies[0][0]: must be a whole number"),
    "itself": ({"order": ["a", "b"], "dependencies": [[1, 1]]}, "dependencies[0]: b cannot need itself"),
    "later": ({"order": ["a", "b"], "dependencies": [[0, 1]]}, "a needs b, which stands after it in `order`"),
    "few seconds": ({"order": ["a", "b"], "dependencies": [], "seconds": [1]}, "seconds: must have one number"),
    "negative seconds": ({"order": ["a"], "dependencies": [], "seconds": [-1]}, "seconds[0]: must be a number"),
    "NaN seconds": ('{"order": ["a"], "dependencies": [], "seconds": [NaN]}', "NaN is no number"),
    "endless seconds": ('{"order": ["a"], "dependencies": [], "seconds": [1e999]}', "seconds[0]: must be a number"),
    "text seconds": ({"order": ["a"], "dependencies": [], "seconds": ["1"]}, "seconds[0]: must be a number"),
    "deep": ("[" * 100_000, "nested too deeply"),
    "twice the key": ('{"order": [], "order": [], "dependencies": []}', 'the key "order" stands twice'),
    "many tests": ({"order": [str(n) for n in range(20_001)], "dependencies": []}, "at most 20,000"),
    "half a lock file": ({"format": 1, "suite": {}}, "tool: missing"),
    "newer lock file": ({"format": 99, "suite": {}}, "format: 99 was written by a newer unknot"),
}


@pytest.mark.parametrize(("document", "output"), BAD.values(), ids=BAD)
def test_a_bad_file_ends_in_one_line_that_names_the_place(
    unknot: Unknot, graph: Callable[..., Path], document: object, output: str
) -> None:
    done = unknot("simulate", str(graph(document)))

    assert (done.returncode, done.stdout) == (4, ""), done.stderr
    line, hint = done.stderr.splitlines()
    assert line.startswith("error[")
    assert "graph.json: " in line
    assert output in line
    assert hint.startswith("hint: ")


def test_a_graph_without_tests_is_no_suite(unknot: Unknot, graph: Callable[..., Path]) -> None:
    done = unknot("simulate", str(graph({"order": [], "dependencies": []})))

    assert done.returncode == 5
    assert "there are no tests in it" in done.stderr


def test_a_file_that_is_not_text_is_refused(unknot: Unknot, project: Path) -> None:
    (project / "graph.json").write_bytes(b'{"order": ["\xff"]}')

    done = unknot("simulate", "graph.json")

    assert done.returncode == 4
    assert "graph.json: not UTF-8 (byte 12)" in done.stderr


@pytest.mark.parametrize(
    ("path", "output"), [("missing.json", "no such file"), (".", "Is a directory"), ("a\nb", "a\\nb: there is no such")]
)
def test_a_file_that_cannot_be_read_is_named(unknot: Unknot, path: str, output: str) -> None:
    done = unknot("simulate", path)

    assert (done.returncode, "Traceback" in done.stderr) == (13, False)
    assert output in done.stderr


def test_a_file_without_end_is_not_read_to_its_end(unknot: Unknot) -> None:
    done = unknot("simulate", "/dev/zero")

    assert done.returncode == 4
    assert "more than 100 MB" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("--algorithm", "guess"), "guess"),
        (("--clean-state", "-1"), "must be 0 or more"),
        (("--clean-state", "nan"), "must be 0 or more"),
        (("--clean-state", "soon"), "invalid number value"),
        (("-n", "0"), "must be at least 1"),
        (("--max-orders", "0"), "must be at least 1"),
        (("--orders", "some"), "some"),
        (("--seed", "x"), "x"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_option_is_named(
    unknot: Unknot, graph: Callable[..., Path], arguments: tuple[str, ...], output: str
) -> None:
    done = unknot("simulate", str(graph(CHAIN)), *arguments)

    assert (done.returncode, done.stdout) == (4, "")
    assert output in done.stderr
    assert done.stderr.splitlines()[-1].startswith("hint: ")
