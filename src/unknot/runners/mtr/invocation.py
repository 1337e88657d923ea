"""How mtr is called."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from unknot.runners.mtr.request import Request

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
"""One worker that runs what was asked, in the order asked, each test once, to the end. No checks of what a test leaves
behind: mtr would restart the server after such a test and so undo what we look for. Servers are killed, not shut down:
mtr starts the next one from a new data directory anyway."""

_FIRST_PORTS = 300
_LAST_PORTS = 750
"""mtr's numbers for groups of 30 ports; these are 19000 to 32529."""
_OTHER_PORTS = 61
PORTS_TAKEN = "Some port(s) was not free"
"""How mtr says that somebody listens on one of a group."""

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
    """Groups of ports to try for a slot, one after another, should somebody else be there."""
    span = _LAST_PORTS - _FIRST_PORTS
    return [_FIRST_PORTS + (worker + attempt * _OTHER_PORTS) % span for attempt in range(4)]
