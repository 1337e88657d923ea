"""Tests that do to their process what no test should: the run goes on and the verdict is right, in both modes."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from unknot.model.outcome import Outcome
from unknot.model.run import Run

pytestmark = pytest.mark.slow

Write = Callable[[dict[str, str]], Path]
Ask = Callable[..., list[Run]]

PASSED, FAILED, CRASHED, NOT_RUN = Outcome.PASSED, Outcome.FAILED, Outcome.CRASHED, Outcome.NOT_RUN

HOSTILE = """
    import ctypes, os, signal, subprocess, sys, threading, time
    import pytest

    def test_leaves_with_status_0(): os._exit(0)
    def test_leaves_with_status_1(): os._exit(1)
    def test_leaves_with_status_2(): os._exit(2)
    def test_leaves_with_status_77(): os._exit(77)
    def test_segfaults(): ctypes.string_at(0)
    def test_is_killed(): os.kill(os.getpid(), signal.SIGKILL)
    def test_kills_its_parent_and_itself():
        if os.environ.get("HOSTILE_PARENT") != str(os.getppid()):
            os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    def test_interrupts(): raise KeyboardInterrupt
    def test_exits_pytest(): pytest.exit("enough")

    def test_exits_python(): sys.exit(3)
    def test_recurses():
        def deeper(n): return deeper(n + 1)
        deeper(0)
    def test_has_a_huge_traceback(): assert "a" * 3_000_000 == "b" * 3_000_000
    def test_prints_100_megabytes():
        for _ in range(100): print("x" * 1_000_000)
        assert False

    def test_forks_and_the_child_returns():
        if os.fork(): os.wait()
    def test_forks_and_the_child_sleeps():
        if not os.fork(): time.sleep(1000); os._exit(0)
    def test_leaves_a_daemon_thread(): threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    def test_leaves_a_thread(): threading.Thread(target=time.sleep, args=(0.3,)).start()
    def test_changes_directory(): os.chdir("/")
    def test_deletes_its_directory(tmp_path): os.chdir(tmp_path); os.rmdir(tmp_path)
    def test_replaces_stdout(): sys.stdout = sys.stderr = open(os.devnull, "w")
    def test_leaves_a_process(): subprocess.Popen(["sleep", "1000"])
    def test_leaves_a_daemon(): subprocess.Popen(["sleep", "1000"], start_new_session=True)
    def test_sets_handlers():
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGUSR1):
            signal.signal(number, lambda *_: None)
    def test_ignores_its_children(): signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    def test_writes_noise_to_every_descriptor():
        for number in range(3, 20):
            try: os.write(number, b"noise")
            except OSError: pass

    def test_after(): assert threading.current_thread() is threading.main_thread()
    def test_later(): pass
"""

TAKE_THE_PROCESS_DOWN = [
    "leaves_with_status_0",
    "leaves_with_status_1",
    "leaves_with_status_2",
    "leaves_with_status_77",
    "segfaults",
    "is_killed",
    "kills_its_parent_and_itself",
    "interrupts",
    "exits_pytest",
]
FAIL = ["exits_python", "recurses", "has_a_huge_traceback", "prints_100_megabytes"]
PASS = [
    "forks_and_the_child_returns",
    "forks_and_the_child_sleeps",
    "leaves_a_daemon_thread",
    "leaves_a_thread",
    "changes_directory",
    "deletes_its_directory",
    "replaces_stdout",
    "leaves_a_process",
    "leaves_a_daemon",
    "sets_handlers",
    "ignores_its_children",
]


def named(*names: str) -> tuple[str, ...]:
    return tuple(f"test_hostile.py::test_{name}" for name in names)


def outcomes(runs: list[Run]) -> list[list[Outcome]]:
    return [[result.outcome for result in run.results] for run in runs]


def processes_with(mark: str) -> list[str]:
    """What still runs with this text in its environment; leaves the kernel a moment to bury the killed."""
    for _ in range(100):
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                    found.append((entry / "cmdline").read_text())
            except OSError:
                continue
        if not found:
            return []
        time.sleep(0.02)
    return found


def test_a_test_that_takes_the_process_down_crashed_and_the_rest_of_its_order_was_not_run(
    write: Write, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A fresh process has this one for a parent.
    monkeypatch.setenv("HOSTILE_PARENT", str(os.getpid()))
    directory = write({"test_hostile.py": HOSTILE})
    orders = [named("later", name, "after") for name in TAKE_THE_PROCESS_DOWN]
    assert outcomes(ask(directory, *orders)) == [[PASSED, CRASHED, NOT_RUN]] * len(orders)


def test_the_story_of_a_crash_has_the_signal_or_the_status(write: Write, ask: Ask) -> None:
    directory = write({"test_hostile.py": HOSTILE})
    killed, left = ask(directory, named("is_killed"), named("leaves_with_status_2"))
    assert str(int(signal.SIGKILL)) in killed.results[0].story
    assert "status 2" in left.results[0].story


def test_a_test_that_fails_in_an_odd_way_failed_and_what_follows_it_runs(write: Write, ask: Ask) -> None:
    directory = write({"test_hostile.py": HOSTILE})
    runs = ask(directory, *(named(name, "after") for name in FAIL))
    assert outcomes(runs) == [[FAILED, PASSED]] * len(FAIL)
    assert all(0 < len(run.results[0].story) < 30_000 for run in runs)


def test_a_test_that_leaves_a_mess_passes_and_what_follows_it_runs(
    write: Write, ask: Ask, mode: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOSTILE_MARK", str(tmp_path))
    directory = write({"test_hostile.py": HOSTILE})
    # Two orders for each, where that is cheap, so that the fork tree has a prefix to share.
    ends = (("after", "later"), ("later", "after")) if mode == "fork" else (("after", "later"),)
    orders = [named(name, *rest) for name in PASS for rest in ends]
    assert outcomes(ask(directory, *orders)) == [[PASSED] * 3] * len(orders)
    assert processes_with(str(tmp_path)) == []


def test_a_test_that_closes_or_fills_all_descriptors_does_not_cut_the_line(write: Write, ask: Ask) -> None:
    source = """
        import os
        def test_closes(): os.closerange(3, 4096)
        def test_closes_everything(): os.closerange(3, 70000)
        def test_after(): pass
    """
    directory = write({"test_hostile.py": source})
    runs = ask(directory, named("closes", "after"), named("closes_everything", "after"), named("after"), workers=2)
    # pytest's own capture is gone with them, so that whatever comes after in the same process fails too.
    assert outcomes(runs) == [[FAILED, Outcome.SETUP_ERROR], [FAILED, Outcome.SETUP_ERROR], [PASSED]]


def test_a_test_that_hangs_timed_out_and_its_order_ends_there(write: Write, ask: Ask) -> None:
    source = """
        import signal, time
        def test_hangs(): time.sleep(1000)
        def test_hangs_on():
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                try: time.sleep(1000)
                except BaseException: pass
        def test_after(): pass
    """
    directory = write({"test_hostile.py": source})
    runs = ask(directory, named("hangs", "after"), named("after", "hangs_on"), named("after"), timeout=0.5, workers=2)
    assert outcomes(runs) == [[Outcome.TIMED_OUT, NOT_RUN], [PASSED, Outcome.TIMED_OUT], [PASSED]]


def test_orders_below_a_shared_prefix_do_not_see_what_a_sibling_did_to_a_file_held_open(write: Write, ask: Ask) -> None:
    source = """
        import sqlite3
        import pytest

        @pytest.fixture(scope="session")
        def database(tmp_path_factory):
            connection = sqlite3.connect(tmp_path_factory.mktemp("db") / "x.sqlite3")
            connection.execute("create table t (x)")
            connection.commit()
            return connection

        @pytest.fixture(scope="session")
        def log(tmp_path_factory):
            with open(tmp_path_factory.mktemp("log") / "x.log", "w+") as file:
                yield file

        def test_opens(database, log): pass
        def test_inserts(database, log):
            database.execute("insert into t values (1)")
            database.commit()
            log.write("x" * 10); log.flush()
        def test_finds_nothing(database, log):
            assert not database.execute("select * from t").fetchall()
            log.seek(0)
            assert log.read() == ""
    """
    directory = write({"test_hostile.py": source})
    orders = [("opens", "inserts"), ("opens", "finds_nothing"), ("opens", "inserts", "finds_nothing")]
    runs = ask(directory, *(named(*order) for order in orders))
    assert outcomes(runs) == [[PASSED] * 2, [PASSED] * 2, [PASSED, PASSED, FAILED]]


def test_orders_below_a_shared_prefix_all_have_the_thread_that_it_started(write: Write, ask: Ask) -> None:
    source = """
        import threading
        event = threading.Event()
        def test_starts(): threading.Thread(target=event.wait, name="mine", daemon=True).start()
        def test_one(): assert "mine" in [thread.name for thread in threading.enumerate()]
        def test_two(): test_one()
        def test_three(): test_one()
    """
    directory = write({"test_hostile.py": source})
    runs = ask(directory, *(named("starts", last) for last in ("one", "two", "three")), named("one"))
    assert outcomes(runs) == [[PASSED, PASSED]] * 3 + [[FAILED]]


def test_attempts_are_run_again(write: Write, ask: Ask, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    directory = write({"test_hostile.py": f'def test_traces():\n    open({str(trace)!r}, "a").write("x")\n'})
    runs = ask(directory, named("traces"), attempts=3)
    assert outcomes(runs) == [[PASSED]] * 3
    assert trace.read_text() == "xxx"
