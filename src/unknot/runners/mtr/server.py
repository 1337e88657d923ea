"""The one server of a slot, for orders that shall share one whatever options their tests want."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.mtr.account import ServerAccount
from unknot.runners.mtr.installation import find_client, find_server
from unknot.runners.mtr.prepare import Prepared, run_mtr
from unknot.runners.mtr.request import PORTS_TAKEN, Request, build_threads, mtr_words

OPTIONS = ("--loose-innodb", "--loose-partition", "--loose-sequence", "--innodb-fast-shutdown=3")
"""mtr's own configuration leaves these plugins out and lets each test request them, which it cannot do here. At its end
the server need not tidy up: its directory is put back anyway."""


def socket_of(directory: Path | str) -> str:
    """`directory` is the slot's, or a placeholder for it."""
    return f"{directory}/server.sock"


def make_data(request: Request, prepared: Prepared, worker: int, owner: ServerAccount) -> None:
    """Has mtr start a server as it would for a test, which writes its configuration and data, and stops that one."""
    for attempt in build_threads(worker):
        words = mtr_words(request, prepared.vardir, attempt)
        try:
            run_mtr(
                [*words, f"--suite={request.names[0]}", "--start-and-exit"],
                prepared.test_directory(request),
                prepared,
                owner,
            )
        except RunnerError as problem:
            if PORTS_TAKEN not in problem.message or attempt == build_threads(worker)[-1]:
                raise
        else:
            break
        finally:
            _shut_down(find_client(request.test_directory, "mariadb-admin", "mysqladmin"), prepared)
    # mtr made the data directory of the server from this one; 28 MB less to be put back.
    shutil.rmtree(prepared.vardir / "install.db", ignore_errors=True)


def _shut_down(admin: Path, prepared: Prepared) -> None:
    """Waits until it is gone."""
    socket = prepared.vardir / "tmp" / "mysqld.1.sock"
    subprocess.run(
        [admin, "--no-defaults", "--user=root", f"--socket={socket}", "shutdown"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


def become_server(
    request: Request, prepared: Prepared, port: int, options: Sequence[str], owner: ServerAccount
) -> None:
    """Never returns: this process is the server from now on."""
    server = find_server(request.test_directory)
    words = [
        str(server),
        f"--defaults-file={prepared.vardir / 'my.cnf'}",
        "--defaults-group-suffix=.1",
        f"--socket={socket_of(prepared.directory)}",
        f"--port={port}",
        "--bind-address=127.0.0.1",
        *OPTIONS,
        *options,
    ]
    owner.become()
    os.chdir(prepared.directory)
    os.execv(server, words)
