"""Runs at the start of each Python program of an instance: measures lines, and hands them over when they are wanted.

It is on its own: the standard library, and coverage.py where the program has it. It must never do any harm to the
program, so whatever goes wrong is left in a file. The program's own `sitecustomize` runs after it.

Lines are handed over through a Unix socket for each process, named by its number, in the directory that
UNKNOT_SERVER_COVERAGE names. A connection is answered with those that ran since the last one.
"""

import atexit
import dis
import json
import os
import socket
import sys
import tokenize
from _thread import start_new_thread
from importlib import import_module
from types import CodeType
from typing import Any

# As they are now: the program may replace them, as gevent does.
_Socket, _start_thread, _exit_actions = socket.socket, start_new_thread, atexit.register

DIRECTORY, SOURCES = "UNKNOT_SERVER_COVERAGE", "UNKNOT_SERVER_COVERAGE_SOURCES"

_SERVERS = frozenset(
    {
        "cherrypy", "coverage", "daphne", "django", "flask", "granian", "gunicorn", "http", "hypercorn", "paste", "pdb",
        "pyramid", "twisted", "uvicorn", "waitress", "werkzeug",
    }
)  # fmt: skip
"""Programs that run others: their own code is not that of an application."""


class RunningLines:
    """The lines of own code that this process runs."""

    def __init__(self, directory: str, sources: "list[str]") -> None:
        import coverage

        # Its contexts would tell steps apart too, but not with its fastest core; so its data are taken as they are.
        self._coverage = coverage.Coverage(data_file=None, config_file=False, source=sources, messages=False)
        self._directory = directory
        self._known: set[str] = set()
        self._listening: Any = None
        self._coverage.start()
        self._data: Any = self._coverage._collector.data  # type: ignore[union-attr]
        self._listen()
        os.register_at_fork(after_in_child=self._after_fork)
        _exit_actions(self._leave)

    def taken(self) -> "dict[str, dict[str, list[int]]]":
        """The lines that ran since they were taken last, and of each file that is new all lines with code."""
        ran = {}
        for name, lines in list(self._data.items()):
            # Each of these is one step for other threads: a line that runs in between is in neither or comes back.
            now = lines.copy()
            lines.difference_update(now)
            if now:
                ran[name] = sorted(now)
        if hasattr(sys, "monitoring"):
            # Its events fire once for each line otherwise.
            sys.monitoring.restart_events()
        new = [name for name in ran if name not in self._known]
        self._known.update(new)
        return {"ran": ran, "code": {name: lines_with_code(name) for name in new}}

    def _listen(self) -> None:
        path = os.path.join(self._directory, f"{os.getpid()}.sock")
        if os.path.exists(path):
            os.unlink(path)
        self._listening = _Socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(path)
        self._listening.listen(4)
        # Threads of `threading` would be measured, and waited for at the end.
        _start_thread(self._serve, (self._listening,))

    def _serve(self, listening: Any) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            try:
                connection.sendall(json.dumps(self.taken()).encode())
            except Exception as problem:  # noqa: BLE001 - the program must not notice
                leave_problem(self._directory, problem)
            finally:
                connection.close()

    def _after_fork(self) -> None:
        """What the parent ran is in the child's data too; that does no harm."""
        try:
            self._listening.close()
            self._listen()
        except Exception as problem:  # noqa: BLE001 - the program must not notice
            leave_problem(self._directory, problem)

    def _leave(self) -> None:
        """A process that ends by itself leaves its last lines in a file."""
        try:
            path = os.path.join(self._directory, f"{os.getpid()}.json")
            with open(path + ".part", "w") as file:
                json.dump(self.taken(), file)
            os.replace(path + ".part", path)
        except Exception as problem:  # noqa: BLE001 - the program must not notice
            leave_problem(self._directory, problem)


def lines_with_code(path: str) -> "list[int]":
    """Empty if the file cannot be read or compiled."""
    try:
        with tokenize.open(path) as file:
            waiting = [compile(file.read(), path, "exec", dont_inherit=True)]
    except (OSError, SyntaxError, ValueError):
        return []
    lines: set[int] = set()
    while waiting:
        code = waiting.pop()
        lines.update(line for _, line in dis.findlinestarts(code) if line)
        waiting.extend(each for each in code.co_consts if isinstance(each, CodeType))
    return sorted(lines)


def own_package(arguments: "list[str]") -> str:
    """The package of the program that was started, as `python -m NAME` or as an installed command; empty if it is none,
    or one that runs others."""
    words = arguments[1:]
    name = ""
    if "-m" in words[:-1]:
        name = words[words.index("-m") + 1]
    elif words and os.path.dirname(os.path.abspath(words[0])) == os.path.dirname(os.path.abspath(sys.executable)):
        from importlib.metadata import entry_points

        command = os.path.basename(words[0])
        found = [each for each in entry_points(group="console_scripts") if each.name == command]
        name = found[0].value if found else ""
    package = name.partition(":")[0].partition(".")[0].strip()
    return "" if package in _SERVERS else package


def leave_problem(directory: str, problem: "Exception | str") -> None:
    try:
        with open(os.path.join(directory, "problem"), "w") as file:
            file.write(problem if isinstance(problem, str) else f"{type(problem).__name__}: {problem}")
    except OSError:
        pass


def begin(directory: str) -> None:
    try:
        sources = os.environ.get(SOURCES, "").split(os.pathsep)
        if sources == [""]:
            package = own_package(sys.orig_argv)
            sources = [os.getcwd()] + ([package] if package else [])
        RunningLines(directory, sources)
    except ImportError:
        leave_problem(directory, "coverage.py is not installed for " + sys.executable)
    except Exception as problem:  # noqa: BLE001 - the program must not notice
        leave_problem(directory, problem)


def run_next() -> None:
    """The `sitecustomize` that this one hides."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [each for each in sys.path if os.path.abspath(each) != here]
    this = sys.modules.pop("sitecustomize")
    try:
        import_module("sitecustomize")
    except ImportError as problem:
        if problem.name != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault("sitecustomize", this)


if __name__ == "sitecustomize" and os.environ.get(DIRECTORY):
    begin(os.environ[DIRECTORY])
    run_next()
