"""The command lines of this package's programs, made here and read here, and that of mtr itself."""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FRESH = "fresh"
"""mtr starts servers of its own for each order, and others whenever the next test wants other options."""
EXTERN = "extern"
"""One server for each slot, put back before each order; mtr only talks to it."""

_LISTS = {"suite": "suites", "own": "own", "skip": "skip", "option": "options"}
"""Options that may come several times, and what they are in a request."""


@dataclass(frozen=True)
class Request:
    """`program` is mysql-test-run.pl. `user` is whose processes the servers shall be; empty for one's own. `suites` are
    names that mtr knows, `own` are directories, from the project's directory, of suites that it does not know. `big`
    says to run the tests that mtr leaves out by default. `options` go to mtr as they are."""

    program: Path
    suites: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    user: str = ""
    server: str = FRESH
    big: bool = False
    skip: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def test_directory(self) -> Path:
        """Where mtr lives, with its suites and includes."""
        return self.program.parent

    @property
    def names(self) -> tuple[str, ...]:
        """The suites as tests' ids begin."""
        return (*self.suites, *(Path(suite).name for suite in self.own))

    def words(self) -> tuple[str, ...]:
        """As options of a command line, for `read_request`."""
        words = [f"--program={self.program}", f"--server={self.server}"]
        if self.user:
            words.append(f"--user={self.user}")
        if self.big:
            words.append("--big")
        for name, field in _LISTS.items():
            words += [f"--{name}={value}" for value in getattr(self, field)]
        return tuple(words)


def add_request(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--server", choices=(FRESH, EXTERN), default=FRESH)
    parser.add_argument("--user", default="")
    parser.add_argument("--big", action="store_true")
    for name, field in _LISTS.items():
        parser.add_argument(f"--{name}", dest=field, action="append", default=[])


def read_request(given: argparse.Namespace) -> Request:
    lists = {field: tuple(getattr(given, field)) for field in _LISTS.values()}
    return Request(program=given.program, server=given.server, user=given.user, big=given.big, **lists)


_ALWAYS = (
    "--parallel=1",
    "--noreorder",
    "--force",
    "--max-test-fail=0",
    "--retry=0",
    "--repeat=1",
    "--nocheck-testcases",
    "--nowarnings",
    "--fast",
    "--max-save-core=0",
    "--max-save-datadir=0",
)
"""One worker that runs the given tests, in the given order, each once, to the end. No checks of what a test leaves
behind: mtr would restart the server after such a test and so undo what is searched for. Servers are killed, not shut
down: mtr starts the next one from a new data directory anyway."""

_FIRST_PORTS = 300
_LAST_PORTS = 750
"""mtr's numbers for groups of 30 ports; these are 19000 to 32529."""
_OTHER_PORTS = 61
PORTS_TAKEN = "Some port(s) was not free"
"""How mtr says that another program listens on one of a group."""

LONGEST_SOCKET = 90
"""Of a directory that sockets are made in: their whole path may have 107 characters."""


def mtr_words(request: Request, vardir: Path, build_thread: int, tmpdir: Path | None = None) -> list[str]:
    """What comes before the tests' names. Ours come after the user's, so that ours hold."""
    words = ["perl", "./mysql-test-run.pl", *request.options, *_ALWAYS]
    words += [f"--vardir={vardir}", f"--mtr-build-thread={build_thread}"]
    return [*words, f"--tmpdir={tmpdir}"] if tmpdir else words


def mtr_environment(home: Path, more: Mapping[str, str]) -> dict[str, str]:
    """The environment given to us without what would steer mtr or a client program, and with `home` for HOME."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name == "MTR_BINDIR" or not name.startswith(("MTR_", "MYSQL", "MARIADB"))
    }
    return {**kept, "HOME": str(home), **more}


def build_threads(worker: int) -> Sequence[int]:
    """Groups of ports to try for a slot, one after another, should another program be there."""
    span = _LAST_PORTS - _FIRST_PORTS
    return [_FIRST_PORTS + (worker + attempt * _OTHER_PORTS) % span for attempt in range(4)]
