import json
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from process_changes import PROCESS

from unknot.recorder.inside.process.state import ProcessState, StateChange


@pytest.fixture
def state() -> ProcessState:
    found = ProcessState()
    assert found.compare() == []
    return found


_START = f"""
import json, os, random, sys, traceback
sys.path.append({str(Path(__file__).parents[2])!r})
from unknot.recorder.inside.process.state import *
"""
_SERVER = """
for line in sys.stdin:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(writing, 1)
        status = 0
        try:
            exec(json.loads(line), {**globals()})
        except BaseException:
            status = 1
            print(traceback.format_exc())
        sys.stdout.flush()
        os._exit(status)
    os.close(writing)
    with open(reading) as output:
        printed = output.read()
    print(json.dumps([os.waitpid(child, 0)[1], printed]), flush=True)
"""


def in_a_new_process(code: str) -> str:
    """What the code prints."""
    done = subprocess.run(
        [sys.executable, "-c", _START + textwrap.dedent(code)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def server() -> Iterator[subprocess.Popen[str]]:
    """A process that has imported the probes, and forks for each piece of code."""
    with subprocess.Popen(
        [sys.executable, "-c", _START + _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


InProcess = Callable[[str], str]


@pytest.fixture(scope="module")
def in_a_process(server: subprocess.Popen[str]) -> InProcess:
    """What the code prints. State of a process is best changed in one that ends."""

    def run(code: str) -> str:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(textwrap.dedent(code)) + "\n")
        server.stdin.flush()
        status, printed = json.loads(server.stdout.readline())
        assert status == 0, printed
        return str(printed)

    return run


@pytest.fixture(scope="module")
def failures(in_a_process: InProcess) -> dict[str, str]:
    """The error of each change that is not reported as it should be. One process, which forks for each change."""
    done = in_a_process("""
    import json, traceback
    from process_changes import PROCESS, SAVERS

    def check(name):
        state, fingerprints = ProcessState(), ProcessFingerprints()
        before = fingerprints.fingerprint(name)
        assert state.compare() == []
        restore = SAVERS[name]()
        PROCESS[name]()
        change, = state.compare()
        assert change.kind == "process" and change.name == name, change
        assert change.shown and change.fingerprint != change.fingerprint_clean == before, change
        assert fingerprints.fingerprint(name) == change.fingerprint != before
        assert state.compare() == []
        restore()
        back, = state.compare()
        assert back.name == name and back.fingerprint == back.fingerprint_clean == change.fingerprint_clean, back
        assert state.compare() == []

    for name in PROCESS:
        if child := os.fork():
            os.waitpid(child, 0)
            continue
        error = ""
        try:
            check(name)
        except BaseException:
            error = traceback.format_exc()
        os.write(1, (json.dumps([name, error]) + "\\n").encode())
        os._exit(0)
    """)
    return dict(map(json.loads, done.splitlines()))


@pytest.mark.parametrize("name", PROCESS)
def test_a_change_is_reported_once_and_so_is_its_restoring(name: str, failures: dict[str, str]) -> None:
    assert failures[name] == ""


def test_all_changes_are_reported_together(in_a_process: InProcess) -> None:
    # A custom policy hides the loop that it has set.
    printed = in_a_process("""
    from process_changes import PROCESS
    state = ProcessState()
    state.compare()
    names = [name for name in PROCESS if name != "asyncio.get_event_loop()"]
    for name in names:
        PROCESS[name]()
    found = [seen.name for seen in state.compare()]
    print(sorted(found) == sorted(names), sorted(set(found) ^ set(names)))
    """)
    assert printed == "True []\n"


def test_fingerprints_are_the_same_in_two_processes() -> None:
    code = """
    from process_changes import PROCESS
    state = ProcessState()
    state.compare()
    for name in PROCESS:
        PROCESS[name]()
    print(sorted((seen.name, seen.fingerprint) for seen in state.compare()))
    """
    assert in_a_new_process(code) == in_a_new_process(code)


def test_seeds_from_entropy_have_other_fingerprints_in_another_process() -> None:
    code = """
    state = ProcessState()
    state.compare()
    random.seed()
    seen, = state.compare()
    print(seen.fingerprint)
    """
    assert in_a_new_process(code) != in_a_new_process(code)


@pytest.mark.parametrize("draws", [1, 623, 624, 625, 10_000, 900_000])
def test_drawing_is_no_change(draws: int, in_a_process: InProcess) -> None:
    in_a_process(f"""
    state, fingerprints = ProcessState(), ProcessFingerprints()
    state.compare()
    before = fingerprints.fingerprint("random.getstate()")
    for _ in range({draws}):
        random.getrandbits(32)
    assert state.compare() == []
    assert fingerprints.fingerprint("random.getstate()") == before
    """)


def test_drawing_after_seeding_is_no_change_and_seeding_again_is_one(in_a_process: InProcess) -> None:
    in_a_process("""
    state, fingerprints = ProcessState(), ProcessFingerprints()
    state.compare()
    random.seed(4)
    seeded, = state.compare()
    random.gauss(0, 1)
    assert state.compare() == []
    random.seed(4)
    again, = state.compare()
    assert again.fingerprint == seeded.fingerprint != again.fingerprint_clean
    """)


def test_a_known_seed_does_not_make_drawing_a_change(in_a_process: InProcess) -> None:
    in_a_process("""
    state = ProcessState()
    state.compare()
    for seed in (4, 5):
        random.seed(seed)
        random.random()
        assert state.compare()
    random.seed(4)
    assert state.compare()
    random.random()
    assert state.compare() == []
    """)


def test_after_many_seeds_each_new_one_is_a_change_and_drawing_is_none(in_a_process: InProcess) -> None:
    in_a_process("""
    state = ProcessState()
    state.compare()
    for seed in range(50):
        random.seed(seed)
        assert state.compare()
    for _ in range(10_000):
        random.getrandbits(32)
    assert state.compare() == []
    """)


def test_a_restored_generator_is_no_change(in_a_process: InProcess) -> None:
    in_a_process("""
    state = ProcessState()
    state.compare()
    saved = random.getstate()
    random.seed(4)
    random.random()
    random.setstate(saved)
    assert state.compare() == []
    """)


def test_numpy_is_compared_from_its_import_on(in_a_process: InProcess) -> None:
    pytest.importorskip("numpy")
    in_a_process("""
    state, fingerprints = ProcessState(), ProcessFingerprints()
    state.compare()
    assert fingerprints.fingerprint("numpy.random.get_state()") == 0
    import numpy.random
    first, = state.compare()
    assert first.name == "numpy.random.get_state()" and first.fingerprint_clean == 0
    numpy.random.rand(1000)
    assert state.compare() == []
    numpy.random.seed(4)
    seeded, = state.compare()
    assert fingerprints.fingerprint(seeded.name) == seeded.fingerprint
    numpy.random.rand(1000)
    assert state.compare() == []
    assert fingerprints.fingerprint(seeded.name) == seeded.fingerprint
    numpy.random.seed(4)
    again, = state.compare()
    assert again.fingerprint == seeded.fingerprint
    numpy.random.set_bit_generator(numpy.random.PCG64(3))
    other, = state.compare()
    assert "PCG64" in other.shown
    numpy.random.rand(3)
    assert state.compare() == []
    """)


def test_a_snapshot_imports_nothing() -> None:
    printed = in_a_new_process("""
    before = set(sys.modules)
    state = ProcessState()
    state.compare()
    state.compare()
    print(sorted(set(sys.modules) - before), sorted({"numpy", "decimal", "asyncio", "socket"} & set(sys.modules)))
    """)
    assert printed == "[] []\n"


def test_a_snapshot_makes_no_decimal_context(in_a_process: InProcess) -> None:
    in_a_process("""
    import decimal
    state = ProcessState()
    state.compare()
    decimal.DefaultContext.prec = 5
    seen, = state.compare()
    assert "prec=5" in seen.shown
    assert decimal.getcontext().prec == 5
    assert state.compare() == []
    """)


def test_use_alone_changes_nothing(in_a_process: InProcess) -> None:
    in_a_process("""
    state = ProcessState()
    state.compare()
    import asyncio, decimal, tempfile, socket, threading, subprocess
    decimal.Decimal(1) / decimal.Decimal(3)
    tempfile.gettempdir()
    asyncio.get_event_loop_policy()
    thread = threading.Thread(target=print)
    thread.start()
    thread.join()
    subprocess.run(["true"])
    assert state.compare() == [], state.compare()
    """)


def test_threads_and_children_that_are_left_running(in_a_process: InProcess) -> None:
    in_a_process("""
    import subprocess, threading
    state = ProcessState()
    state.compare()
    end = threading.Event()
    daemon = threading.Thread(target=end.wait, daemon=True)
    daemon.start()
    assert state.compare() == []
    thread = threading.Thread(target=end.wait, name="cart-17")
    thread.start()
    seen, = state.compare()
    assert (seen.name, seen.shown) == ("threading.enumerate()", "MainThread, cart-#"), seen
    end.set()
    thread.join()
    daemon.join()
    back, = state.compare()
    assert back.fingerprint == back.fingerprint_clean
    child = subprocess.Popen(["sleep", "60"])
    seen, = state.compare()
    assert (seen.name, seen.shown) == ("os.waitid()", "sleep"), seen
    child.kill()
    child.wait()
    back, = state.compare()
    assert back.fingerprint == back.fingerprint_clean
    """)


def test_a_child_that_was_not_waited_for_can_still_be_waited_for(in_a_process: InProcess) -> None:
    in_a_process("""
    import subprocess
    state = ProcessState()
    state.compare()
    child = subprocess.Popen(["sh", "-c", "exit 3"])
    for _ in range(100):
        state.compare()
    assert child.wait() == 3
    """)


def test_a_deleted_directory_is_reported(in_a_process: InProcess) -> None:
    in_a_process("""
    import tempfile
    state = ProcessState()
    state.compare()
    directory = tempfile.mkdtemp()
    os.chdir(directory)
    os.rmdir(directory)
    seen = {seen.name: seen.shown for seen in state.compare()}
    assert seen["os.getcwd()"] == "a deleted directory", seen
    """)


def test_objects_that_override_methods_are_never_called(in_a_process: InProcess) -> None:
    in_a_process("""
    import decimal, signal, threading, time, tempfile
    class Evil:
        def _asked(self, *_):
            os._exit(9)
        __eq__ = __hash__ = __repr__ = __getattribute__ = __len__ = __bool__ = __str__ = __getattr__ = _asked
        __class__ = property(_asked)
        def __call__(self, *_):
            pass
    class EvilContext(decimal.Context):
        prec = property(lambda self: os._exit(9))
        def __getattribute__(self, name):
            os._exit(9)
    state = ProcessState()
    state.compare()
    signal.signal(signal.SIGUSR1, Evil())
    decimal.setcontext(EvilContext())
    sys.excepthook = sys.displayhook = threading.excepthook = sys.unraisablehook = Evil()
    real = sys.stdout
    sys.stdout = time.tzname = tempfile.tempdir = Evil()
    found = {seen.name: seen.shown for seen in state.compare()}
    state.compare()
    sys.excepthook, sys.unraisablehook, sys.stdout = sys.__excepthook__, sys.__unraisablehook__, real
    assert found["signal.getsignal(SIGUSR1)"] == "<__main__.Evil object>", found
    assert {"sys.excepthook", "sys.stdout", "time.tzname", "decimal.getcontext()"} <= found.keys(), found
    os._exit(0)
    """)


def test_nothing_of_the_suite_is_kept_alive(in_a_process: InProcess) -> None:
    in_a_process("""
    import gc, signal, weakref
    class Handler:
        def __call__(self, *_):
            pass
    state = ProcessState()
    state.compare()
    handler = Handler()
    dead = weakref.ref(handler)
    signal.signal(signal.SIGUSR1, handler)
    assert state.compare()
    signal.signal(signal.SIGUSR1, signal.SIG_DFL)
    del handler
    gc.collect()
    assert dead() is None
    """)


def test_snapshots_leave_the_umask_as_it_was(in_a_process: InProcess) -> None:
    printed = in_a_process("""
    state = ProcessState()
    for mask in (0o022, 0o077, 0o000, 0o777, 0o027):
        os.umask(mask)
        state.compare()
        state.compare()
        print(oct(os.umask(mask)))
    """)
    assert printed.split() == ["0o22", "0o77", "0o0", "0o777", "0o27"]


def test_within_pytest_its_own_streams_and_hooks_are_no_change(state: ProcessState, capsys: object) -> None:
    assert [seen for seen in state.compare() if seen.name.startswith(("sys.", "threading.e"))] == []


def test_coverage_is_no_change(in_a_process: InProcess) -> None:
    pytest.importorskip("coverage.control")
    in_a_process("""
    state = ProcessState()
    state.compare()
    import coverage
    measuring = coverage.Coverage(data_file=None)
    measuring.start()
    assert [seen.name for seen in state.compare()] == []
    measuring.stop()
    """)


def test_a_library_without_its_attributes_does_no_harm(state: ProcessState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(sys, "excepthook")
    monkeypatch.delattr("time.tzname")
    assert isinstance(state.compare(), list)


def test_many_snapshots_keep_nothing(in_a_process: InProcess) -> None:
    in_a_process("""
    import gc, signal
    state = ProcessState()
    def handler(*_): pass
    def turn():
        signal.signal(signal.SIGUSR1, handler)
        random.seed(4)
        state.compare()
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        random.random()
        state.compare()
    for _ in range(20):
        turn()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(200):
        turn()
    gc.collect()
    assert sys.getallocatedblocks() - before < 300
    """)


def test_a_state_change_has_the_fields_in_this_order() -> None:
    assert StateChange._fields == ("kind", "name", "shown", "fingerprint", "fingerprint_clean")
