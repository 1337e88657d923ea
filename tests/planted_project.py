"""A suite with a known graph, run by commands, and the real `unknot` on it while everything goes wrong."""

import contextlib
import io
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from process_life import processes_with, wait_until

from unknot.cli.main import main

SUITE = r"""
# The planted suite: `sh suite.sh FORMAT TARGET TEST...`. State is in files of the working directory.
does() {
    if [ -n "$PAUSE" ]; then sleep "$PAUSE"; fi
    case "$1" in
        make) touch made ;;
        fill) touch filled ;;
        uses) test -e made ;;
        uses_both) test -e made && test -e filled ;;
        spoil) touch spoilt ;;
        clean) rm -f spoilt ;;
        victim) test ! -e spoilt ;;
        fails) return 1 ;;
        *) : ;;
    esac
}
told() {  # FORMAT NUMBER TEST STATUS
    case "$1$4" in
        tap0) echo "ok $2 - $3" ;;
        tap*) echo "not ok $2 - $3" ;;
        lines0) echo "passed $3" ;;
        lines*) echo "failed $3" ;;
        junit0) echo "<testcase name=\"$3\"/>" ;;
        junit*) echo "<testcase name=\"$3\"><failure>no</failure></testcase>" ;;
    esac
}
format=$1 target=$2
shift 2
if [ "$format" = one ]; then does "$1"; exit; fi
{
    case "$format" in tap) echo "1..$#" ;; junit) echo "<testsuite>" ;; esac
    number=0
    for test in "$@"; do
        number=$((number + 1))
        does "$test" && status=0 || status=1
        told "$format" $number "$test" $status
    done
    if [ "$format" = junit ]; then echo "</testsuite>"; fi
} > "$target"
"""

TESTS = (
    *("make", "plain1", "uses", "fill", "plain2", "uses_both"),
    *("spoil", "clean", "plain3", "victim", "fails", "plain4"),
)

Edges = set[tuple[str, ...]]

TRUTH: Edges = {
    ("needs", "uses", "make"),
    ("needs", "uses_both", "make"),
    ("needs", "uses_both", "fill"),
    ("broken", "victim", "spoil"),
    ("cleaned", "victim", "clean"),
}

CONFIGURATIONS = {
    "one by one": 'run = ["sh", "suite.sh", "one", "-", "{test}"]\n',
    "tap": 'run = ["sh", "suite.sh", "tap", "/dev/stdout", "{tests}"]\nresults = "tap"\n',
    "lines": 'run = ["sh", "suite.sh", "lines", "/dev/stdout", "{tests}"]\nresults = "lines"\n'
    "pattern = '(?P<outcome>passed|failed) (?P<test>.*)'\n",
    "junit": 'run = ["sh", "suite.sh", "junit", "{results}", "{tests}"]\nresults = "junit"\nid = "{name}"\n',
}

Done = subprocess.CompletedProcess[str]


@dataclass
class Project:
    """A project directory, a place for temporary files, and a token in the environment of all that is started here."""

    directory: Path
    temporary: Path
    token: str = field(default_factory=lambda: secrets.token_hex(8))
    environment: dict[str, str] = field(default_factory=dict)

    def configure(self, command: str, more: str = "", tests: Sequence[str] = TESTS) -> None:
        """`command` is a name of CONFIGURATIONS, or lines for the table."""
        lines = CONFIGURATIONS.get(command, command)
        self.write("unknot.toml", f"[command]\n{lines}tests = {json.dumps(list(tests))}\n{more}")

    def write(self, name: str, text: str) -> Path:
        path = self.directory / name
        path.write_text(text, encoding="utf-8")
        return path

    def start(self, *arguments: str, verb: str = "detect") -> "subprocess.Popen[str]":
        """In a process group of its own, as a shell does it."""
        return subprocess.Popen(
            [sys.executable, "-m", "unknot", verb, "-n", "2", *arguments],
            cwd=self.directory,
            env={**os.environ, "TMPDIR": str(self.temporary), **self.environment, "PLANTED": self.token},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )

    def detect(self, *arguments: str, verb: str = "detect") -> Done:
        process = self.start(*arguments, verb=verb)
        output, errors = process.communicate()
        return Done(process.args, process.returncode, output, errors)

    def detect_here(self, *arguments: str) -> Done:
        """In this process, for what ends before anything is asked, or nearly: a new Python takes most of the time."""
        output, errors = io.StringIO(), io.StringIO()
        before = {name: os.environ.get(name) for name in ("TMPDIR", "PLANTED")}
        tempfile.tempdir = None
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        os.environ |= {"TMPDIR": str(self.temporary), "PLANTED": self.token}
        try:
            with contextlib.chdir(self.directory), redirect_stdout(output), redirect_stderr(errors):
                code = main(["detect", "-n", "1", *arguments])
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
            tempfile.tempdir = None
        return Done(arguments, code, output.getvalue(), errors.getvalue())

    def detected(self, *arguments: str, tries: int = 3) -> list[Done]:
        """Until one comes to its end: an error is allowed, if it is a clear one and the next goes on from there."""
        done = []
        for _ in range(tries):
            done.append(self.detect(*arguments))
            if done[-1].returncode in (0, 1):
                assert "Traceback" not in done[-1].stderr, done[-1].stderr
                return done
            self.check_clear_error(done[-1])
        raise AssertionError(f"never came to its end: {done[-1].stderr}")

    @staticmethod
    def check_clear_error(done: Done, code: int = 12) -> None:
        assert done.returncode == code, (done.returncode, done.stderr)
        assert "Traceback" not in done.stderr
        assert "\nerror[" in f"\n{done.stderr}"

    @property
    def graph(self) -> Edges:
        lock = json.loads((self.directory / "unknot.lock.json").read_text())
        assert lock["complete"], "not all was looked at"
        return edges_of(lock)

    def processes(self) -> list[int]:
        return processes_with(f"PLANTED={self.token}")

    def check_nothing_left(self) -> None:
        """Guardians may need a moment after the caller is gone."""
        wait_until(lambda: not self.processes())
        wait_until(lambda: not [path for path in self.temporary.iterdir() if path.name.startswith("unknot-")])

    @contextmanager
    def killing(
        self, victims: Callable[[Mapping[int, bytes]], list[int]], times: int, mean_gap: float, seed: int
    ) -> Iterator[list[int]]:
        """Meanwhile, at random moments, kills one of those that `victims` picks out of the processes and their command
        lines; so often at most."""
        chosen = random.Random(seed)
        killed: list[int] = []
        done = threading.Event()

        def kill() -> None:
            while len(killed) < times and not done.wait(chosen.expovariate(1 / mean_gap)):
                while not done.wait(0.002):
                    if found := victims({process: _command_line(process) for process in self.processes()}):
                        break
                else:
                    return
                victim = chosen.choice(found)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                    killed.append(victim)

        thread = threading.Thread(target=kill)
        thread.start()
        try:
            yield killed
        finally:
            done.set()
            thread.join()


def edges_of(lock: dict[str, list[dict[str, object]]]) -> Edges:
    """What the lock file claims, one tuple for each edge."""
    found: Edges = set()
    for need in lock["needs"]:
        found.add(("needs", str(need["dependent"]), *map(str, _texts(need["any_of"]))))
    for conflict in lock["conflicts"]:
        found |= {("broken", str(conflict["victim"]), polluter) for polluter in _texts(conflict["polluters"])}
        found |= {("cleaned", str(conflict["victim"]), cleaner) for cleaner in _texts(conflict["cleaners"])}
    return found


def running(program: str, beside: str = "") -> Callable[[Mapping[int, bytes]], list[int]]:
    """For `killing`: whoever has this in its command line, while somebody has `beside` in it."""

    def found(lines: Mapping[int, bytes]) -> list[int]:
        if not any(beside.encode() in line for line in lines.values()):
            return []
        return [process for process, line in lines.items() if program.encode() in line]

    return found


def _texts(value: object) -> list[str]:
    assert isinstance(value, list)
    return value


def _command_line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
