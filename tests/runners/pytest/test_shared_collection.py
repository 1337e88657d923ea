"""Workers whose processes are forked off one that has collected the suite."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import OrderRequest, Run
from unknot.model.suite import TestId
from unknot.runners.pytest.open_suite import open_suite
from unknot.runners.settings import Settings

Write = Callable[[Mapping[str, str]], Path]


def run_lanes(directory: Path, *lanes: Sequence[Sequence[str]]) -> list[Run]:
    """Each lane, a sequence of orders, on a worker of its own, all at the same time."""
    with open_suite(Settings(directory, workers=len(lanes)), collects_once=True) as opened:
        requests = [[OrderRequest(tuple(map(TestId, order))) for order in lane] for lane in lanes]
        answers = {run.request: run for run in opened.runner.run_lanes(requests)}
    return [answers[request] for request in itertools.chain(*requests)]


def stories(runs: Sequence[Run]) -> set[str]:
    return {result.story.splitlines()[0] for run in runs for result in run.results}


TELLS_WHO_COLLECTED = """
    import os, pytest
    collected_by = os.getpid()
    def test_one(): pytest.skip(str(collected_by))
    def test_two(): pytest.skip(str(collected_by))
"""
ONE, TWO = "test_it.py::test_one", "test_it.py::test_two"


def test_all_workers_have_what_one_process_collected(write: Write) -> None:
    runs = run_lanes(write({"test_it.py": TELLS_WHO_COLLECTED}), [[ONE]], [[TWO]])
    assert len(stories(runs)) == 1


@pytest.mark.parametrize(
    "line", ["os.environ['UNKNOT_WORKER']", "import socket; held = socket.socketpair()"], ids=["number", "sockets"]
)
def test_workers_collect_by_themselves_what_they_cannot_share(write: Write, line: str) -> None:
    runs = run_lanes(write({"test_it.py": TELLS_WHO_COLLECTED, "conftest.py": f"import os; {line}"}), [[ONE]], [[TWO]])
    assert len(stories(runs)) == 2


def test_a_copy_of_the_environment_does_not_count_as_asking_for_the_number(write: Write) -> None:
    files = {"test_it.py": TELLS_WHO_COLLECTED, "conftest.py": "import os; kept = dict(os.environ)"}
    runs = run_lanes(write(files), [[ONE]], [[TWO]])
    assert len(stories(runs)) == 1


def test_no_worker_sees_what_another_one_writes(write: Write) -> None:
    """In the project, in TMPDIR and in the /tmp of the system, while both write."""
    text = """
        import pathlib, tempfile, time
        def both(name):
            places = [pathlib.Path("here"), pathlib.Path(tempfile.gettempdir(), "there"), pathlib.Path("/tmp/unknot-x")]
            assert not any(place.exists() for place in places)
            for place in places:
                place.write_text(name)
            time.sleep(0.3)
            assert [place.read_text() for place in places] == [name] * 3
        def test_one(): both("one")
        def test_two(): both("two")
    """
    runs = run_lanes(write({"test_it.py": text}), [[ONE]], [[TWO]])
    assert [run.results[0].outcome for run in runs] == [Outcome.PASSED] * 2, stories(runs)


def test_what_tests_print_at_the_same_time_is_kept_apart(write: Write) -> None:
    text = """
        import os, time
        def prints(name):
            for _ in range(20):
                os.write(1, name.encode() + b" ")
                time.sleep(0.01)
            assert False
        def test_one(): prints("first")
        def test_two(): prints("second")
    """
    one, two = run_lanes(write({"test_it.py": text}), [[ONE]], [[TWO]])
    assert "first " * 20 in one.results[0].story
    assert "second " * 20 in two.results[0].story


def test_every_order_of_a_worker_begins_with_clean_files(write: Write) -> None:
    text = """
        import pathlib
        def test_one():
            place = pathlib.Path("file")
            assert not place.exists()
            place.write_text("")
        def test_two(): pass
    """
    runs = run_lanes(write({"test_it.py": text}), [[ONE], [TWO, ONE]], [[TWO], [ONE, TWO]])
    assert {result.outcome for run in runs for result in run.results} == {Outcome.PASSED}


def test_what_a_test_kills_is_forked_again(write: Write) -> None:
    text = """
        import os, signal
        def test_one(): os.kill(os.getppid(), signal.SIGKILL)
        def test_two(): pass
    """
    _, after, _ = run_lanes(write({"test_it.py": text}), [[ONE], [TWO]], [[TWO]])
    assert after.results[0].outcome is Outcome.PASSED
