"""Each kind of state, left by one test and met by another, under a real pytest: with the change it is not met."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from told_recording import Did, told, wrote

from unknot.fix.modules import Modules
from unknot.fix.suggestions import Project, Suggestion, for_conflict, for_need
from unknot.model.knots import Conflict, Knots, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.recording import Location
from unknot.model.suite import Suite, TestId
from unknot.trace.sentences import Reason

STATE = """
import functools, itertools, sys, types
ITEMS, TAGS, CART, NUMBER = [], set(), {"old": {"n": 1}}, 1
IDS = itertools.repeat(None, 3)
class User:
    count = 0
    registry = {}
USER = User()
@functools.lru_cache
def rate(name): return sys.modules[__name__].NUMBER
def add(x, into=[]):
    into.append(x)
    return list(into)
def counter():
    count = 0
    def step():
        nonlocal count
        count += 1
        return count
    return step
step = counter()
"""


@dataclass(frozen=True)
class Case:
    """Statements of the polluter and of the victim, and the location with what it holds in between."""

    polluter: str
    victim: str
    kind: str
    name: str
    shown: str = ""
    original: str = ""
    victim_too: bool = False


CASES = {
    "list": Case("s.ITEMS.append(1)", "assert s.ITEMS == []", "memory", "state.ITEMS", "[1]", victim_too=True),
    "set": Case("s.TAGS.add(1)", "assert not s.TAGS", "memory", "state.TAGS", "{1}", victim_too=True),
    "entry": Case("s.CART['x'] = 1", "assert 'x' not in s.CART", "memory", "state.CART['x']", "1", victim_too=True),
    "deep": Case("s.CART['old']['n'] = 2", "assert s.CART['old']['n'] == 1", "memory", "state.CART['old']['n']", "2"),
    "scalar": Case("s.NUMBER = 2", "assert s.NUMBER == 1", "memory", "state.NUMBER", "2", "1", victim_too=True),
    "new_name": Case("s.NEW = 2", "assert not hasattr(s, 'NEW')", "memory", "state.NEW", "2"),
    "class_attribute": Case("s.User.count = 2", "assert s.User.count == 0", "memory", "state.User.count", "2", "0"),
    "instance": Case("s.USER.name = 2", "assert not hasattr(s.USER, 'name')", "memory", "state.USER.name", "2"),
    "function": Case("s.add = None", "assert s.add", "memory", "state.add", "None"),
    "cache": Case(
        "s.NUMBER = 9; s.rate('a'); s.NUMBER = 1",
        "assert s.rate('a') == 1",
        "memory",
        "state.rate.<cache>",
        victim_too=True,
    ),
    "default": Case("s.add(1)", "assert s.add(2) == [2]", "memory", "state.add.__defaults__[0]", "[1]"),
    "closure": Case("s.step()", "assert s.step() == 1", "memory", "state.step.<closure count>", "1"),
    "environment": Case(
        "os.environ['MODE_'] = 'x'",
        "assert 'MODE_' not in os.environ",
        "environment",
        "os.environ['MODE_']",
        "'x'",
        victim_too=True,
    ),
    "sys_path": Case("sys.path.append('/x')", "assert '/x' not in sys.path", "memory", "sys.path", "['/x', …]"),
    "sys_modules": Case(
        "sys.modules['no_such'] = sys",
        "assert 'no_such' not in sys.modules",
        "memory",
        "sys.modules['no_such']",
        victim_too=True,
    ),
    "log_level": Case(
        "logging.getLogger('shop').setLevel(50)",
        "assert logging.getLogger('shop').isEnabledFor(40)",
        "memory",
        "logging.getLogger('shop').level",
        "50",
        victim_too=True,
    ),
    "log_handlers": Case(
        "logging.getLogger('shop').addHandler(logging.NullHandler())",
        "assert not logging.getLogger('shop').handlers",
        "memory",
        "logging.getLogger('shop').handlers",
        "[…]",
        victim_too=True,
    ),
    "log_off": Case(
        "logging.disable(50)",
        "assert logging.getLogger('a').isEnabledFor(40)",
        "memory",
        "logging.root.manager.disable",
        "50",
        victim_too=True,
    ),
    "log_propagate": Case(
        "logging.getLogger('b').propagate = False",
        "assert logging.getLogger('b').propagate",
        "memory",
        "logging.getLogger('b').propagate",
        "False",
        victim_too=True,
    ),
    "directory": Case("os.chdir('/')", "assert os.getcwd() != '/'", "process", "os.getcwd()", "'/'", victim_too=True),
    "umask": Case(
        "os.umask(0o777)", "before = os.umask(0); os.umask(before); assert before != 0o777", "process", "os.umask()"
    ),
    "random": Case(
        "random.seed(3)", "assert random.random() != random.Random(3).random()", "process", "random.getstate()"
    ),
    "decimal": Case(
        "decimal.getcontext().prec = 3",
        "assert decimal.getcontext().prec == 28",
        "process",
        "decimal.getcontext()",
        victim_too=True,
    ),
    "signal": Case(
        "signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
        "assert signal.getsignal(signal.SIGUSR1) == signal.SIG_DFL",
        "process",
        "signal.getsignal(SIGUSR1)",
    ),
    "time_zone": Case(
        "os.environ['TZ'] = 'Asia/Tokyo'; time.tzset()", "assert time.tzname[0] != 'JST'", "process", "time.tzname"
    ),
    "locale": Case(
        "locale.setlocale(locale.LC_ALL, 'C.UTF-8')",
        "assert locale.setlocale(locale.LC_ALL) == LOCALE",
        "process",
        "locale.setlocale()",
    ),
    "file": Case(
        "open('out.txt', 'w').close()", "assert not os.path.exists('out.txt')", "file", "out.txt", victim_too=True
    ),
    "table": Case(
        "c = sqlite3.connect('t.db'); c.execute('create table a (x)'); c.close()",
        "c = sqlite3.connect('t.db'); n = c.execute('select * from sqlite_master').fetchall(); c.close(); assert not n",
        "table",
        "t.db: table a",
        victim_too=True,
    ),
    "own_list": Case("MINE.append(1)", "assert MINE == []", "memory", "test_own_list.MINE", "[1]"),
    "own_scalar": Case("global OWN; OWN = 2", "assert OWN == 1", "memory", "test_own_scalar.OWN", "2"),
}
HEAD = (
    "import decimal, locale, logging, os, random, signal, sqlite3, sys, time\nimport state as s\n"
    "MINE, OWN, LOCALE = [], 1, locale.setlocale(locale.LC_ALL)\n\n\n"
)
CONFTEST = "import sys\n\nsys.dont_write_bytecode = True\n"


def file_of(name: str) -> str:
    return f"test_{name}.py"


def text_of(case: Case) -> str:
    return f"{HEAD}def test_polluter():\n    {case.polluter}\n\n\ndef test_victim():\n    {case.victim}\n"


def conflict_suggestions(name: str, case: Case, root: str) -> list[Suggestion]:
    path = file_of(name)
    polluter, victim = TestId(f"{path}::test_polluter"), TestId(f"{path}::test_victim")
    location = Location(case.kind, case.name)
    files = {path: text_of(case).encode(), "state.py": STATE.encode()}
    project = Project(root, {polluter: path, victim: path}, Modules.of(files), files.get)
    events: list[Did] = [wrote(polluter, case.kind, case.name, case.shown)]
    if case.original:
        events.append(wrote(victim, case.kind, case.name, case.original, restored=True))
    conflict = Conflict(victim, (polluter,), (), Proof((victim,), (polluter, victim)))
    reason = Reason(location, polluter, victim, shown=case.shown)
    return list(for_conflict(conflict, [reason], told([polluter, victim], events), project))


def is_for(test: str) -> Callable[[Suggestion], bool]:
    return lambda one: f'")\ndef {test}' in one.after.decode()


def tried(directory: Path, files: Iterable[str]) -> set[str]:
    """The files in which something fails, each run by itself: what one leaves is not the next one's trouble."""
    failed = set()
    for file in files:
        for left in ("out.txt", "t.db"):
            (directory / left).unlink(missing_ok=True)
        done = run(directory, file)
        if done.returncode:
            failed.add(file)
    return failed


def run(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """In a forked child of one warm process it would be faster, but it would not be what users run."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", *arguments],
        cwd=directory,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", CASES)
def test_a_conflict_is_cut(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    (tmp_path / "state.py").write_text(STATE)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    found = conflict_suggestions(name, case, str(tmp_path))
    variants = {file_of(name): text_of(case).encode()}
    restoring = [one for one in found if is_for("test_polluter")(one)]
    clean = [one for one in found if is_for("test_victim")(one)]
    # Names in the code say the module, and the module is the file's: each variant has a directory of its own.
    assert tried(tmp_path, written(tmp_path, variants)) == set(variants), (
        "the victim is broken as long as nothing is done"
    )
    good = [one for one in restoring if not tried(tmp_path, written(tmp_path, {one.path: one.after}))]
    assert good, [one.after.decode() for one in restoring]
    if case.victim_too:
        good = [one for one in clean if not tried(tmp_path, written(tmp_path, {one.path: one.after}))]
        assert good, [one.after.decode() for one in clean]


def written(directory: Path, files: dict[str, bytes]) -> list[str]:
    for name, content in files.items():
        (directory / name).write_bytes(content)
    return list(files)


NEEDS = {
    "value": Case("s.NUMBER = 5", "assert s.NUMBER == 5", "memory", "state.NUMBER", "5"),
    "entry": Case("s.CART['x'] = 'y'", "assert s.CART['x'] == 'y'", "memory", "state.CART['x']", "'y'"),
    "object": Case("s.USER.name = s.User()", "assert s.USER.name", "memory", "state.USER.name", "<User object>"),
    "environment": Case("os.environ['M'] = 'x'", "assert os.environ['M']", "environment", "os.environ['M']", "'x'"),
    "file": Case("open('out.txt', 'x').close()", "assert os.path.exists('out.txt')", "file", "out.txt"),
}


@pytest.mark.parametrize("name", NEEDS)
def test_a_need_is_met_by_a_fixture(name: str, tmp_path: Path) -> None:
    case = NEEDS[name]
    (tmp_path / "state.py").write_text(STATE)
    path = file_of(name)
    setter, dependent = TestId(f"{path}::test_polluter"), TestId(f"{path}::test_victim")
    files = {path: text_of(case).encode(), "state.py": STATE.encode()}
    need = Need(dependent, (setter,), Proof((setter, dependent), (dependent,)))
    knots = Knots(Suite((setter, dependent)), dict.fromkeys((setter, dependent), Outcome.PASSED), {}, (need,))
    project = Project(str(tmp_path), {setter: path, dependent: path}, Modules.of(files), files.get)
    reason = Reason(Location(case.kind, case.name), setter, dependent, shown=case.shown)
    written(tmp_path, files)
    assert run(tmp_path, dependent).returncode == 1
    for suggestion in for_need(need, [reason], knots, project):
        written(tmp_path, {path: suggestion.after})
        (tmp_path / "out.txt").unlink(missing_ok=True)
        alone = run(tmp_path, dependent).returncode
        (tmp_path / "out.txt").unlink(missing_ok=True)
        if alone == run(tmp_path, path).returncode == 0:
            return
    pytest.fail("nothing that is suggested helps")
