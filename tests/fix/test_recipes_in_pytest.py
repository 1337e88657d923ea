"""Each kind of state, left by one test and met by another, under a real pytest: with the change it is not met."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from told_recording import Did, told, wrote

from unknot.fix.access_path import ProjectModules
from unknot.fix.suggestions import FixProject, Suggestion, for_conflict, for_need
from unknot.model.dependencies import Conflict, Dependencies, Need, Proof
from unknot.model.outcome import Outcome
from unknot.model.reason import Reason, ReasonKind
from unknot.model.recording import Location
from unknot.model.suite import Suite, TestId

pytestmark = pytest.mark.slow

STATE = """
import functools, itertools, sys, types
ITEMS = []
TAGS = set()
CART = {"old": {"n": 1}}
NUMBER = 1
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
    "member": Case("s.TAGS.add(1)", "assert 1 not in s.TAGS", "memory", "state.TAGS{1}", "True", victim_too=True),
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


def file_of(name: str) -> str:
    return f"test_{name}.py"


def text_of(case: Case) -> str:
    return f"{HEAD}def test_polluter():\n    {case.polluter}\n\n\ndef test_victim():\n    {case.victim}\n"


def conflict_suggestions(name: str, case: Case, root: str) -> list[Suggestion]:
    path = file_of(name)
    polluter, victim = TestId(f"{path}::test_polluter"), TestId(f"{path}::test_victim")
    location = Location(case.kind, case.name)
    files = {path: text_of(case).encode(), "state.py": STATE.encode()}
    project = FixProject(root, {polluter: path, victim: path}, ProjectModules.of(files), files.get)
    events: list[Did] = [wrote(polluter, case.kind, case.name, case.shown)]
    if case.original:
        events.append(wrote(victim, case.kind, case.name, case.original, restored=True))
    conflict = Conflict(victim, (polluter,), (), Proof((victim,), (polluter, victim)))
    reason = Reason(ReasonKind.FLOW, polluter, victim, location, case.shown)
    return list(for_conflict(conflict, [reason], told([polluter, victim], events), project))


def is_for(test: str) -> Callable[[Suggestion], bool]:
    return lambda one: f'")\ndef {test}' in one.after.decode()


class Trials:
    """Many small suites, each in a directory and a process of its own, forked from one that has pytest imported. Once
    a suite of a group has passed, the others of that group are not run and count as failed."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._commands: list[list[str]] = []

    def add(self, files: dict[str, bytes], *arguments: str, group: str = "") -> int:
        place = self._directory / str(len(self._commands))
        place.mkdir()
        for name, content in files.items():
            (place / name).write_bytes(content)
        self._commands.append([group, str(place), *arguments])
        return len(self._commands) - 1

    def statuses(self) -> list[int]:
        done = subprocess.run(
            [sys.executable, "-c", DRIVER],
            input=json.dumps(self._commands),
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        return [int(line.removeprefix("status ")) for line in done.stdout.splitlines() if line.startswith("status ")]


DRIVER = """
import json, os, sys
import pytest

passed = set()
for group, directory, *arguments in json.load(sys.stdin):
    if group in passed:
        print("status 1")
        continue
    child = os.fork()
    if child == 0:
        os.chdir(directory)
        sys.path.insert(0, directory)
        sys.stdout = open(os.devnull, "w")
        os._exit(int(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", directory, *arguments])))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print("status", status, flush=True)
    if group and status == 0:
        passed.add(group)
"""


@pytest.fixture(scope="module")
def conflicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[int]]]:
    """By case: how the untouched file ended, and the changes of the polluter and of the victim."""
    trials = Trials(tmp_path_factory.mktemp("conflicts"))
    numbers: dict[str, dict[str, list[int]]] = {}
    for name, case in CASES.items():
        path, mine = file_of(name), numbers.setdefault(name, {"as it is": [], "test_polluter": [], "test_victim": []})
        mine["as it is"].append(trials.add({path: text_of(case).encode(), "state.py": STATE.encode()}))
        for one in conflict_suggestions(name, case, "/nowhere"):
            marked = next(test for test in ("test_polluter", "test_victim") if is_for(test)(one))
            files = {path: one.after, "state.py": STATE.encode()}
            mine[marked].append(trials.add(files, group=f"{name} {marked}"))
    statuses = trials.statuses()
    return {name: {who: [statuses[n] for n in many] for who, many in mine.items()} for name, mine in numbers.items()}


@pytest.mark.parametrize("name", CASES)
def test_a_conflict_is_cut(name: str, conflicts: dict[str, dict[str, list[int]]]) -> None:
    ended = conflicts[name]
    assert ended["as it is"] == [1], "the victim is broken as long as nothing is done"
    assert 0 in ended["test_polluter"]
    if CASES[name].victim_too:
        assert 0 in ended["test_victim"]


NEEDS = {
    "value": Case("s.NUMBER = 5", "assert s.NUMBER == 5", "memory", "state.NUMBER", "5"),
    "entry": Case("s.CART['x'] = 'y'", "assert s.CART['x'] == 'y'", "memory", "state.CART['x']", "'y'"),
    "member": Case("s.TAGS.add('x')", "assert 'x' in s.TAGS", "memory", "state.TAGS{'x'}", "True"),
    "object": Case("s.USER.name = s.User()", "assert s.USER.name", "memory", "state.USER.name", "<User object>"),
    "environment": Case("os.environ['M'] = 'x'", "assert os.environ['M']", "environment", "os.environ['M']", "'x'"),
    "file": Case("open('out.txt', 'x').close()", "assert os.path.exists('out.txt')", "file", "out.txt"),
}


@pytest.fixture(scope="module")
def needs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    """By case: how the dependent alone ended in the untouched file, then with each change, alone and in suite order."""
    trials = Trials(tmp_path_factory.mktemp("needs"))
    numbers: dict[str, list[int]] = {}
    for name, case in NEEDS.items():
        path = file_of(name)
        setter, dependent = TestId(f"{path}::test_polluter"), TestId(f"{path}::test_victim")
        files = {path: text_of(case).encode(), "state.py": STATE.encode()}
        need = Need(dependent, (setter,), Proof((setter, dependent), (dependent,)))
        dependencies = Dependencies(
            Suite((setter, dependent)), dict.fromkeys((setter, dependent), Outcome.PASSED), {}, (need,)
        )
        project = FixProject("/nowhere", {setter: path, dependent: path}, ProjectModules.of(files), files.get)
        reason = Reason(ReasonKind.FLOW, setter, dependent, Location(case.kind, case.name), case.shown)
        numbers[name] = [trials.add(files, dependent)]
        for suggestion in for_need(need, [reason], dependencies, project):
            changed = {**files, path: suggestion.after}
            numbers[name] += [trials.add(changed, dependent), trials.add(changed, path)]
    statuses = trials.statuses()
    return {name: [statuses[number] for number in mine] for name, mine in numbers.items()}


@pytest.mark.parametrize("name", NEEDS)
def test_a_need_is_met_by_a_fixture(name: str, needs: dict[str, list[int]]) -> None:
    untouched, *ended = needs[name]
    assert untouched == 1
    assert (0, 0) in set(zip(ended[::2], ended[1::2], strict=True)), "alone and in the suite's own order"
