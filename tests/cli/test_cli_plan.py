"""`unknot plan`: the real command line, on lock files and graphs; nothing is run."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from plan.plan_cases import conflict, dependencies_of, need
from written_results import write_result

from unknot.app.plan import plan_for_report
from unknot.app.progress import ProgressListener
from unknot.model.dependencies import Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.plan import Lane, Plan, TimelineItem
from unknot.model.suite import TestId
from unknot.plan.bound import bounds
from unknot.plan.check import check_plan
from unknot.store.graph_file import read_dependencies
from unknot.store.run_times import RunTimes, write_run_times

Done = subprocess.CompletedProcess[str]
Unknot = Callable[..., Done]

GRAPHS = sorted((Path(__file__).parents[1] / "data" / "timed-graphs").glob("*.json"))


def proven(dependencies: Dependencies) -> Dependencies:
    """With proofs, as a lock file must have them."""
    needs = [
        Need(known.dependent, known.any_of, Proof((*known.any_of, known.dependent), (known.dependent,)))
        for known in dependencies.needs
    ]
    return Dependencies(
        dependencies.suite,
        dependencies.outcomes,
        dependencies.seconds,
        tuple(needs),
        untried=dependencies.untried,
        complete=dependencies.complete,
    )


@pytest.fixture
def locked(project: Path) -> Dependencies:
    dependencies = proven(
        dependencies_of(
            "login cart pay refund search about",
            needs=[need("cart", "login"), need("pay", "cart"), need("refund", "cart")],
            seconds={"login": 2.0, "cart": 1.0, "pay": 9.0, "refund": 4.0},
        )
    )
    write_result(project / "unknot.lock.json", dependencies)
    return dependencies


def answer(done: Done) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert isinstance(document, dict)
    return document


def judged(document: dict[str, Any], dependencies: Dependencies) -> None:
    """By the checker, and by adding up."""
    plan = Plan(tuple(Lane(tuple(tuple(map(TestId, order)) for order in lane)) for lane in document["orders"]), 0.0)
    assert check_plan(plan, dependencies) == ()
    ends = [sum(dependencies.seconds[TestId(test)] for test in lane) for lane in document["lanes"]]
    assert document["makespan"] == pytest.approx(max(ends), abs=1e-6)


def test_the_lanes_and_what_holds_them_back(unknot: Unknot, locked: Dependencies) -> None:
    done = unknot("plan", "-n", "2")
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "6 tests on 2 workers: 12.0 s, 1.5x faster than serial"
    assert any(
        "pay and its prerequisites take 12.0 s: no number of workers makes this faster" in line for line in lines
    )
    assert len([line for line in lines if line.startswith("lane ")]) == 2


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
@pytest.mark.parametrize("workers", [1, 2, 8])
def test_a_real_graph_is_planned_for(unknot: Unknot, path: Path, workers: int) -> None:
    document = answer(unknot("plan", "--graph", str(path), "-n", str(workers), "--format", "json"))
    dependencies = read_dependencies(path)
    assert list(document)[:3] == ["makespan", "lower_bound", "lanes"]
    judged(document, dependencies)
    known = bounds(dependencies, workers)
    assert document["lower_bound"] == pytest.approx(max(known.critical, known.share), abs=1e-6)
    assert len(document["lanes"]) <= workers
    # Nothing is kept apart in a graph, so no lane needs a second clean state.
    assert all(len(lane) == 1 for lane in document["orders"])


def test_a_graph_of_one_chain_has_one_lane(unknot: Unknot, project: Path) -> None:
    graph = {"order": ["a", "b", "c"], "dependencies": [[1, 0], [2, 1]], "seconds": [1, 2, 3]}
    (project / "graph.json").write_text(json.dumps(graph))
    document = answer(unknot("plan", "--graph", "graph.json", "-n", "4", "--format", "json"))
    assert document["makespan"] == document["lower_bound"] == 6.0
    assert document["lanes"] == [["a", "b", "c"]]
    assert document["critical_path"] == {"seconds": 6.0, "tests": ["a", "b", "c"]}


def test_a_clean_state_costs_what_is_said(unknot: Unknot, locked: Dependencies) -> None:
    free = answer(unknot("plan", "-n", "2", "--format", "json", "--clean-state", "0"))
    dear = answer(unknot("plan", "-n", "2", "--format", "json", "--clean-state", "1.5"))
    assert free["makespan"] == 12.0
    assert dear["makespan"] == 13.5


def test_an_unfinished_detection_gives_the_reference_order(unknot: Unknot, project: Path) -> None:
    write_result(project / "unknot.lock.json", dependencies_of("a b c", untried=3, complete=False))
    document = answer(unknot("plan", "-n", "4", "--format", "json"))
    assert document["lanes"] == [["a", "b", "c"]]
    assert document["complete"] is False
    assert "the detection is not finished (3 untried pairs of tests)" in unknot("plan", "-n", "4").stdout


def test_a_page_is_written_whole(unknot: Unknot, project: Path, locked: Dependencies) -> None:
    done = unknot("plan", "-n", "2", "--format", "html", "-o", "out/plan.html")
    assert done.returncode == 0
    assert done.stdout == ""
    assert done.stderr == "written: out/plan.html\n"
    assert (project / "out" / "plan.html").read_text() == unknot("plan", "-n", "2", "--format", "html").stdout


def test_text_can_go_to_a_file(unknot: Unknot, project: Path, locked: Dependencies) -> None:
    assert unknot("plan", "-n", "2", "-o", "plan.txt").returncode == 0
    assert (project / "plan.txt").read_text().startswith("6 tests on 2 workers")


def ran(tests: tuple[str, ...]) -> RunTimes:
    slots = (
        TimelineItem(TestId(test), 0, float(place), place + 1.0, Outcome.PASSED) for place, test in enumerate(tests)
    )
    return RunTimes((tuple(slots),), 1.0)


def test_the_last_run_stands_beside_the_prediction(unknot: Unknot, project: Path, locked: Dependencies) -> None:
    write_run_times(project / ".unknot" / "last-run.json", ran(locked.suite.tests))
    assert "Last run: 6.00 s" in unknot("plan", "--format", "html").stdout
    assert "the lanes took 6.00 s" in unknot("plan").stdout
    assert len(answer(unknot("plan", "--format", "json"))["last_run"][0]) == 6


def test_a_report_on_the_suite_shows_the_last_run_and_a_plan_for_as_many_workers(
    project: Path, locked: Dependencies
) -> None:
    write_run_times(project / ".unknot" / "last-run.json", ran(locked.suite.tests))
    report = plan_for_report(locked, 2, project / ".unknot", ProgressListener())
    assert report is not None
    assert report.real == ran(locked.suite.tests).timeline
    assert report.workers == 1
    assert report.makespan == pytest.approx(18.02)
    without = plan_for_report(locked, 2, project / ".unknot", ProgressListener(), with_last_run=False)
    assert without is not None
    assert without.real is None
    assert without.makespan == pytest.approx(12.02)
    assert plan_for_report(dependencies_of(""), 2, project, ProgressListener()) is None


def test_a_run_of_other_tests_is_left_out(unknot: Unknot, project: Path, locked: Dependencies) -> None:
    write_run_times(project / ".unknot" / "last-run.json", ran(locked.suite.tests[1:]))
    done = unknot("plan", "--format", "html")
    assert "Last run" not in done.stdout
    assert done.returncode == 0


def test_a_damaged_file_of_the_last_run_is_noted_and_ignored(
    unknot: Unknot, project: Path, locked: Dependencies
) -> None:
    (project / ".unknot").mkdir(exist_ok=True)
    (project / ".unknot" / "last-run.json").write_text("{")
    done = unknot("plan")
    assert done.returncode == 0
    assert done.stderr.startswith("note: the last run is not shown: .unknot/last-run.json: not JSON")


def test_shards(unknot: Unknot, locked: Dependencies) -> None:
    document = answer(unknot("plan", "--shards", "3", "--format", "json"))
    assert [(shard["shard"], shard["of"]) for shard in document["shards"]] == [(1, 3), (2, 3), (3, 3)]
    assert sorted(test for shard in document["shards"] for test in shard["own"]) == sorted(locked.suite.tests)
    assert [shard["tests"] for shard in document["shards"]] == document["lanes"]
    assert unknot("plan", "--shards", "3").stdout.startswith("6 tests in 3 shards: ")


def test_more_shards_than_tests(unknot: Unknot, project: Path) -> None:
    write_result(project / "unknot.lock.json", dependencies_of("a b"))
    document = answer(unknot("plan", "--shards", "5", "--format", "json"))
    assert [len(shard["tests"]) for shard in document["shards"]] == [1, 1, 0, 0, 0]
    assert "0 tests" in unknot("plan", "--shards", "5").stdout


def test_conflicts_are_kept_apart(unknot: Unknot, project: Path) -> None:
    dependencies = dependencies_of("victim polluter other", conflicts=[conflict("victim", "other polluter")])
    known = [
        type(found)(found.victim, found.polluters, (), Proof((found.victim,), (*found.polluters, found.victim)))
        for found in dependencies.conflicts
    ]
    whole = Dependencies(dependencies.suite, dependencies.outcomes, dependencies.seconds, conflicts=tuple(known))
    write_result(project / "unknot.lock.json", whole)
    judged(answer(unknot("plan", "-n", "2", "--format", "json", "--clean-state", "0")), whole)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["plan"], 4, "there is no unknot.lock.json to plan by"),
        (["plan", "-n", "0"], 4, "must be at least 1, not 0"),
        (["plan", "-n", "x"], 4, "invalid whole number value: 'x'"),
        (["plan", "--shards", "0"], 4, "must be at least 1, not 0"),
        (["plan", "--clean-state", "nan"], 4, "must be 0 or more, not nan"),
        (["plan", "--graph", "nowhere.json"], 13, "nowhere.json: there is no such file"),
        (["plan", "--graph", "pytest.ini"], 4, "pytest.ini: not JSON"),
    ],
)
def test_bad_input_is_reported_in_one_line(unknot: Unknot, arguments: list[str], code: int, said: str) -> None:
    done = unknot(*arguments)
    assert done.returncode == code
    assert done.stdout == ""
    first, second = done.stderr.splitlines()
    assert said in first
    assert second.startswith("hint: ")


def test_a_damaged_lock_file_is_reported(unknot: Unknot, project: Path) -> None:
    (project / "unknot.lock.json").write_text('{"format": 1}')
    done = unknot("plan")
    assert done.returncode == 13
    assert "unknot.lock.json: tool: missing" in done.stderr


def test_a_file_that_cannot_be_written_is_reported(unknot: Unknot, locked: Dependencies) -> None:
    done = unknot("plan", "-o", "pytest.ini/plan.txt")
    assert done.returncode == 13
    assert "cannot write pytest.ini/plan.txt" in done.stderr


def test_a_suite_without_tests(unknot: Unknot, project: Path) -> None:
    write_result(project / "unknot.lock.json", dependencies_of(""))
    assert unknot("plan", "-n", "2").stdout.startswith("0 tests on 2 workers: 0 s")
    assert answer(unknot("plan", "-n", "2", "--format", "json"))["lanes"] == []


def test_a_terminal_that_knows_ascii_only(unknot: Unknot, locked: Dependencies) -> None:
    done = unknot("plan", "-n", "2", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "####" in done.stdout


def test_ids_are_exported_lane_by_lane(unknot: Unknot, project: Path, locked: Dependencies) -> None:
    lanes = answer(unknot("plan", "-n", "2", "--format", "json"))["lanes"]
    done = unknot("plan", "-n", "2", "--export", "ids", "-o", "lanes")
    assert done.returncode == 0
    assert done.stdout.startswith("wrote 2 files")
    assert "any suite: unknot ask --order-file lanes/lane-1.txt" in done.stdout
    written = [path.read_text().splitlines() for path in sorted((project / "lanes").iterdir())]
    assert written == lanes


@pytest.mark.parametrize("name", ["xdist-group", "pytest-order", "pytest-split"])
def test_every_export_says_how_it_is_used(unknot: Unknot, locked: Dependencies, name: str) -> None:
    done = unknot("plan", "--export", name)
    assert done.returncode == 0
    assert done.stdout.startswith("wrote ")
    assert "then: pytest" in done.stdout


@pytest.mark.parametrize("name", ["github", "gitlab"])
def test_shards_are_exported_to_standard_output(unknot: Unknot, locked: Dependencies, name: str) -> None:
    done = unknot("plan", "--shards", "3", "--export", name)
    assert done.returncode == 0
    assert "3" in done.stdout
    refused = unknot("plan", "--export", name)
    assert refused.returncode == 4
    assert f"--export {name} needs a plan for shards\nhint: " in refused.stderr


@pytest.mark.parametrize("maker", ["auto", "greedy", "closures", "prefix-tree", "optimal"])
def test_every_maker_makes_a_plan_that_holds(unknot: Unknot, maker: str) -> None:
    path = GRAPHS[-1]
    words = ("--graph", str(path), "-n", "3", "--planner", maker, "--time-limit", "5", "--format", "json")
    document = answer(unknot("plan", *words))
    judged(document, read_dependencies(path))
    assert document["maker"] in (maker, "greedy", "closures")
    assert document["lower_bound"] <= document["proven_bound"] <= document["makespan"] + 1e-6


def test_a_maker_that_there_is_not(unknot: Unknot) -> None:
    done = unknot("plan", "--planner", "clever")
    assert done.returncode == 4
    assert "invalid choice: 'clever'" in done.stderr
