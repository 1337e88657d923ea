"""What a slot keeps in its directory for all orders: where mtr is started, which tests it passes over, a data directory
that is ready, and the one server for orders that shall share one."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from unknot.model.errors import RunnerError
from unknot.runners.mtr.installation import account, base_directory, find_client, find_server, suite_directory
from unknot.runners.mtr.request import PORTS_TAKEN, Request, build_threads, mtr_environment, mtr_words

# mtr leaves out tests that say that they are big, but not if a test is named on its command line, as we do.
_SOURCE = re.compile(r"\s*(?:--)?\s*source\s+([^;\s]+)")
_BIG = "include/big_test.inc"

_TEST_DIRECTORY = "mysql-test"
"""mtr knows its suites by this name in their paths."""

_SERVER_OPTIONS = ("--loose-innodb", "--loose-partition", "--loose-sequence", "--innodb-fast-shutdown=3")
"""mtr's own configuration leaves these plugins out and lets each test request them, which it cannot do here. At its end
the server need not tidy up: its directory is put back anyway."""

_STAND_IN = """\
#!/bin/sh
# Stands in for the server when mtr has it make a new data directory. The same words and the same
# statements give the same directory: it is copied. Anything else goes to the server.
here={here}
if [ "$*" = "$(cat "$here/words")" ] && cmp -s "$here/bootstrap.sql" {statements}; then
    exec cp -R "$here/data/." {target}
fi
exec {server} "$@"
"""

SOCKET = "server.sock"


class SlotDirectory:
    """The directory of one slot, for one request. Servers run as the account that the request names."""

    def __init__(self, request: Request, directory: Path, worker: int = 0) -> None:
        """Raises UsageError if there is no such account."""
        self.request = request
        self.directory = directory
        self.worker = worker
        self.account = account(request.user)
        self.vardir = directory / "var"
        self.passed_over = directory / "passed-over"
        self._template = directory / "template"
        self.stand_in = self._template / "bootstrap"
        self._link_tree = directory / "base"
        self.test_directory = self._link_tree / _TEST_DIRECTORY if request.own else request.test_directory
        """Where mtr is started."""

    def prepare(self, project: Path) -> None:
        """`project` is the working copy that suites of one's own are in. Raises RunnerError."""
        self.account.make(self.directory)
        if self.request.own:
            own = [project / suite for suite in self.request.own]
            make_link_tree(self._link_tree, self.request.test_directory, own)
            for suite in own:
                self.account.open_way(suite.resolve())
        self.passed_over.write_text("" if self.request.big else self._big_tests(), encoding="utf-8")

    def run_mtr(self, *options: str, build_thread: int | None = None, reorders: bool = False) -> str:
        """A call that is to succeed, and what it printed. Raises RunnerError with the end of that."""
        words = mtr_words(self.request, self.vardir, build_thread or build_threads(self.worker)[0])
        words = [word for word in words if not reorders or word != "--noreorder"]
        done = subprocess.run(
            [*words, *options],
            cwd=self.test_directory,
            env=mtr_environment(self.directory, {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            **self.account.popen,  # type: ignore[call-overload]
        )
        printed: str = done.stdout
        if done.returncode != 0:
            end = "\n".join(printed.strip().splitlines()[-20:])
            raise RunnerError(
                f"mtr ended with status {done.returncode}: {end}",
                hint=f"run it by hand in {self.test_directory}: {shlex.join([*words, *options])}",
                slug="mtr-failed",
            )
        return printed

    def make_template(self) -> None:
        """Has mtr make a data directory, and keeps it: that saves a third of an order of one test. The order must have
        the same `vardir`: its path is among the words that mtr gives to the server."""
        self.run_mtr(f"--suite={self.request.names[0]}", "--dry-run")
        log = self.vardir / "log"
        self._template.mkdir()
        shutil.move(self.vardir / "install.db", self._template / "data")
        shutil.move(log / "bootstrap.sql", self._template / "bootstrap.sql")
        command = (log / "bootstrap.log").read_text(encoding="utf-8", errors="replace").splitlines()[0]
        (self._template / "words").write_text(command.partition(" ")[2], encoding="utf-8")
        self.stand_in.write_text(
            _STAND_IN.format(
                here=shlex.quote(str(self._template)),
                statements=shlex.quote(str(log / "bootstrap.sql")),
                target=shlex.quote(str(self.vardir / "install.db")),
                server=shlex.quote(str(find_server(self.request.test_directory))),
            ),
            encoding="utf-8",
        )
        self.stand_in.chmod(0o755)
        shutil.rmtree(self.vardir)

    def make_data(self) -> None:
        """Has mtr start a server as it would for a test, which writes its configuration and data, and stops that
        one."""
        admin = find_client(self.request.test_directory, "mariadb-admin", "mysqladmin")
        socket = self.vardir / "tmp" / "mysqld.1.sock"
        threads = build_threads(self.worker)
        for thread in threads:
            try:
                self.run_mtr(f"--suite={self.request.names[0]}", "--start-and-exit", build_thread=thread)
            except RunnerError as problem:
                if PORTS_TAKEN not in problem.message or thread == threads[-1]:
                    raise
            else:
                break
            finally:
                # Waits until it is gone.
                subprocess.run(
                    [admin, "--no-defaults", "--user=root", f"--socket={socket}", "shutdown"],
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    check=False,
                )
        # mtr made the data directory of the server from this one; 28 MB less to be put back.
        shutil.rmtree(self.vardir / "install.db", ignore_errors=True)

    def become_server(self, port: int, options: Sequence[str]) -> None:
        """Never returns: this process is the server from now on."""
        server = find_server(self.request.test_directory)
        words = [
            str(server),
            f"--defaults-file={self.vardir / 'my.cnf'}",
            "--defaults-group-suffix=.1",
            f"--socket={self.directory / SOCKET}",
            f"--port={port}",
            "--bind-address=127.0.0.1",
            *_SERVER_OPTIONS,
            *options,
        ]
        self.account.become()
        os.chdir(self.directory)
        os.execv(server, words)

    def _big_tests(self) -> str:
        """As mtr reads it: a test and why it is not run, one a line."""
        big = BigTests(self.test_directory)
        return "".join(
            f"{name}.{test} : a big test, and big tests were not requested\n"
            for name in self.request.names
            if (directory := suite_directory(self.test_directory, name)) is not None
            for test in big.of(directory)
        )


class BigTests:
    """Reads test files and what they include, each once, as mtr does."""

    def __init__(self, test_directory: Path) -> None:
        self._test_directory = test_directory
        self._known: dict[Path, bool] = {}

    def of(self, suite: Path) -> list[str]:
        """The names of big tests in the directory of one suite, without the suite's name."""
        tests = suite / "t" if (suite / "t").is_dir() else suite
        return sorted(file.stem for file in tests.glob("*.test") if self._is_big(file, suite))

    def _is_big(self, file: Path, suite: Path) -> bool:
        if file not in self._known:
            # Two files may include each other.
            self._known[file] = False
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            lines = [line for line in lines if not line.startswith("#")]
            self._known[file] = any(_BIG in line for line in lines) or any(
                self._is_big(included, suite) for included in self._included(lines, file, suite)
            )
        return self._known[file]

    def _included(self, lines: Iterable[str], file: Path, suite: Path) -> Iterable[Path]:
        for line in lines:
            if found := _SOURCE.match(line):
                for directory in (file.parent, suite, self._test_directory):
                    included = directory / found[1]
                    if included != file and included.is_file():
                        yield included
                        break


def make_link_tree(root: Path, test_directory: Path, own: Iterable[Path]) -> None:
    """A directory `root` that looks like the base directory of the installation, made of links, with these suites
    besides. mtr takes suites from below its own directory only. It can be given a suite by its path, but then ids hold
    that path, and a `-` or a `.` anywhere in it breaks it. Raises RunnerError if mtr has a suite of the same name.
    Cost: a link for each entry of three directories."""
    tree = root / _TEST_DIRECTORY
    suites = tree / "suite"
    suites.mkdir(parents=True)
    _link_all(base_directory(test_directory), root, leave_out={_TEST_DIRECTORY})
    _link_all(test_directory, tree, leave_out={"suite", "var"})
    _link_all(test_directory / "suite", suites, leave_out=set())
    for suite in own:
        target = suites / suite.name
        if target.is_symlink():
            raise RunnerError(
                f"the suite {suite.name} in {suite} has the name of one of mtr's own",
                hint="rename its directory",
                slug="mtr-suite",
            )
        target.symlink_to(suite.resolve())


def _link_all(source: Path, target: Path, *, leave_out: set[str]) -> None:
    for entry in source.iterdir():
        if entry.name not in leave_out:
            (target / entry.name).symlink_to(entry)
