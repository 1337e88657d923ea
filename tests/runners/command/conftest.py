"""Suites of a small runner written for these tests, and slots that run them."""

import json
import os
import secrets
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from unknot.model.suite import TestId
from unknot.runners.command.config import command_spec
from unknot.runners.command.slot import CommandSlot, CommandSlotSpec
from unknot.runners.sandbox.sandbox import Sandbox
from unknot.runners.settings import Settings
from unknot.runners.sut.spec import InstanceSpec
from unknot.runners.workers.slot import Answered
from unknot.runners.workers.slot import answers as only_answers

RUNNER = '''
"""Runs tests in the order given. What one does is said by `suite.json`, else by its name up to the colon."""
import os, sys, time

format, target, *tests = sys.argv[1:]
if tests[:1] == ["--file"]:
    tests = [line.rstrip("\\n") for line in open(tests[1], encoding="utf-8")]
does = eval(open("suite.json").read())  # json takes as long to import as all the rest
reported = []

def fault(name):
    """Each fault happens as often as its file has lines; kept where no clean state reaches it."""
    path = os.path.join(os.environ["FAULTS"], name)
    if not os.path.exists(path) or not (left := open(path).read().splitlines()):
        return False
    open(path, "w").write("\\n".join(left[1:]))
    return True

def run(test):
    kind, _, what = does.get(test, test).partition(":")
    if kind == "set": open(what, "w").close()
    elif kind == "need": return "passed" if os.path.exists(what) else "failed"
    elif kind == "fail": return "failed"
    elif kind == "skip": return "skipped"
    elif kind == "sleep": time.sleep(float(what))
    elif kind == "hang": time.sleep(1000)
    elif kind == "exit": os._exit(int(what))
    elif kind == "signal": os.kill(os.getpid(), int(what))
    elif kind == "crash-after" and os.path.exists(what): os.kill(os.getpid(), 11)
    elif kind == "temporary":
        path = os.path.join(os.environ["TMPDIR"], what)
        if os.path.exists(path): return "failed"
        open(path, "w").close()
    elif kind == "private":
        path = os.path.join(os.environ["UNKNOT_DIR"], what)
        if os.path.exists(path): return "failed"
        open(path, "w").close()
    elif kind == "daemon":
        import subprocess
        subprocess.Popen(["sleep", what], start_new_session=True, env={"PATH": os.environ["PATH"]})
    elif kind == "flood":
        for _ in range(int(what)): sys.stderr.write("x" * 1023 + "\\n")
    elif kind == "shell": return "passed" if os.system(what) == 0 else "failed"
    return "passed"

def report(test, outcome):
    reported.append((test, outcome))
    if format == "lines":
        print(f"{outcome} {test}", file=out, flush=True)
    elif format == "tap":
        mark = "ok" if outcome != "failed" else "not ok"
        skip = " # SKIP" if outcome == "skipped" else ""
        name = test.replace("\\\\", "\\\\\\\\").replace("#", "\\\\#")
        print(f"{mark} {len(reported)} - {name}{skip}", file=out, flush=True)

def write_junit():
    def quoteattr(text):
        for sign, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
            text = text.replace(sign, escaped)
        return f'"{text}"'

    inner = {"passed": "", "failed": "<failure>no</failure>", "skipped": "<skipped/>"}
    cases = "".join(f'<testcase name={quoteattr(t)} time="0.01">{inner[o]}</testcase>' for t, o in reported)
    out.write(f"<testsuite>{cases}</testsuite>")
    out.flush()

if fault("killed"): os.kill(os.getpid(), 9)
if fault("missing"): sys.exit(0)
out = sys.stdout if target == "-" else open(target, "w", encoding="utf-8")
if format == "tap": print(f"TAP version 14\\n1..{len(tests)}", file=out, flush=True)
if fault("foreign"): report("never-requested", "passed")
for test in tests:
    if fault("truncated"):
        if target != "-": out.write("<testsuite><testcase na") if format == "junit" else out.write("pass")
        sys.exit(0)
    outcome = run(test)
    report(test, outcome)
    if fault("doubled"): report(test, outcome)
if format == "junit": write_junit()
if fault("swapped"): sys.exit(9)
sys.exit(any(outcome == "failed" for _, outcome in reported))
'''

PYTHON = (sys.executable, "-I", "-S")
"""Starts quickly."""

FORMATS: Mapping[str, Mapping[str, object]] = {
    "lines": {"results": "lines", "pattern": r"(?P<outcome>passed|failed|skipped) (?P<test>.*)"},
    "tap": {"results": "tap"},
    "junit": {"results": "junit", "id": "{name}"},
}


@dataclass
class Workshop:
    """Makes slots for suites below one directory, and closes them all in the end."""

    directory: Path
    faults: Path
    closing: ExitStack
    settings: Settings = field(init=False)

    def __post_init__(self) -> None:
        self.settings = Settings(directory=self.directory, timeout=20.0)
        (self.directory / "runner.py").write_text(RUNNER)
        (self.directory / "suite.json").write_text("{}")
        (self.directory / "pyproject.toml").write_text("")

    def does(self, **behaviours: str) -> None:
        (self.directory / "suite.json").write_text(json.dumps(behaviours))

    def break_runs(self, fault: str, times: int) -> None:
        (self.faults / fault).write_text("\n".join("x" * times))

    def slot(
        self, table: Mapping[str, object], instance: InstanceSpec | None = None, **settings: object
    ) -> CommandSlot:
        environment = {"FAULTS": str(self.faults)}
        spec = command_spec({"tests": ["any"], "env": environment, **table}, "here")
        token = secrets.token_hex(8)
        sandbox = Sandbox(self.faults.parent / token, 0, {"UNKNOT_SLOT": token})
        chosen = replace(self.settings, **settings)  # type: ignore[arg-type]
        slot = CommandSlotSpec(spec, instance, chosen).open(sandbox)
        self.closing.callback(slot.close)
        return slot

    def together(self, format_: str, **more: object) -> CommandSlot:
        """A slot that runs an order by one process: results on standard output, or for JUnit in a file."""
        target = "{results}" if format_ == "junit" else "-"
        run = [*PYTHON, "runner.py", format_, target, "{tests}"]
        settings = {key: more.pop(key) for key in ("timeout", "reset") if key in more}
        return self.slot({"run": run, **FORMATS[format_], **more}, None, **settings)

    def one_by_one(self, script: str, instance: InstanceSpec | None = None, **more: object) -> CommandSlot:
        """A slot that runs `sh test.sh TEST` for each test."""
        (self.directory / "test.sh").write_text(script)
        settings = {key: more.pop(key) for key in ("timeout", "reset") if key in more}
        return self.slot({"run": ["sh", "test.sh", "{test}"], **more}, instance, **settings)


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    faults = tmp_path / "faults"
    faults.mkdir()
    project = tmp_path / "project"
    project.mkdir()
    with ExitStack() as closing:
        yield Workshop(project, faults, closing)


Ask = Callable[..., list[str]]


@pytest.fixture
def ask() -> Ask:
    """The outcomes of one order, as words."""

    def answer(slot: CommandSlot, *tests: str) -> list[str]:
        return [str(result.outcome) for result in answered(slot, tests)[0].results]

    return answer


@pytest.fixture
def answers() -> Callable[..., list[Answered]]:
    return answered


def answered(slot: CommandSlot, *orders: Sequence[str], shares: bool = False) -> list[Answered]:
    return list(only_answers(slot.answer([tuple(TestId(test) for test in order) for order in orders], shares=shares)))


@pytest.fixture
def sleeping() -> Callable[[str], list[int]]:
    """The processes that sleep for so long, whatever started them."""

    def found(seconds: str) -> list[int]:
        wanted = f"sleep\0{seconds}\0".encode()
        return [pid for pid in _processes() if _command_line(pid) == wanted]

    return found


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.fixture
def kept_below() -> Callable[[CommandSlot, int], AbstractContextManager[None]]:
    """Checks that what a slot has on disk never grows past so many megabytes."""

    @contextmanager
    def watched(slot: CommandSlot, megabytes: int) -> Iterator[None]:
        home = slot._workspace.files.home
        most = 0
        done = threading.Event()

        def look() -> None:
            nonlocal most
            while not done.wait(0.02):
                most = max(most, sum(path.lstat().st_size for path in home.iterdir()))

        thread = threading.Thread(target=look)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
        assert 0 < most < megabytes * 1024 * 1024

    return watched
