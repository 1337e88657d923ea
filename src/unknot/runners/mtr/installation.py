"""Where mtr and the server are on this machine, and whose processes the servers are."""

import os
import pwd
import shutil
import stat
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import UsageError

_PROGRAM = "mysql-test-run.pl"
_PLACES = (
    "/usr/share/mysql/mysql-test",
    "/usr/share/mariadb/mariadb-test",
    "/usr/share/mysql-test",
    "/usr/local/mysql/mysql-test",
    "/usr/local/mariadb/mariadb-test",
)
"""Debian, its later releases, Red Hat and its kin, archives of binaries."""

_HINT = 'install it (Debian: `apt-get install mariadb-test`), or say where it is: program = "…/mysql-test-run.pl"'


def find_program(given: str, where: str) -> Path:
    """mysql-test-run.pl: the one given, or the first in the usual places. Raises UsageError."""
    if given:
        program = Path(given).expanduser()
        if not program.is_file():
            raise UsageError(f"{where}: program: there is no file {given}", hint=_HINT, slug="mtr-missing")
        return program.resolve()
    for place in _PLACES:
        if Path(place, _PROGRAM).is_file():
            return Path(place, _PROGRAM)
    raise UsageError(f"MariaDB's test runner {_PROGRAM} is not on this machine", hint=_HINT, slug="mtr-missing")


def base_directory(test_directory: Path) -> Path:
    """What mtr looks for programs and libraries from: the nearest of three directories above that has a `bin`."""
    directory = test_directory.parent
    for _ in range(2):
        if (directory / "bin").is_dir():
            break
        directory = directory.parent
    return directory


def find_server(test_directory: Path) -> Path:
    """The server that mtr would start. Raises UsageError."""
    base = base_directory(test_directory)
    if found := _first(base, ("sbin", "bin", "libexec", "sql"), ("mariadbd", "mysqld")):
        return found
    raise UsageError(
        f"there is no mariadbd below {base}",
        hint="install the server too (Debian: `apt-get install mariadb-server`)",
        slug="mtr-missing",
    )


def find_client(test_directory: Path, *names: str) -> Path:
    """A client program by the first of its names that is there. Raises UsageError."""
    base = base_directory(test_directory)
    if found := _first(base, ("bin",), names):
        return found
    raise UsageError(
        f"there is no {names[0]} in {base / 'bin'}", hint="install MariaDB's client programs", slug="mtr-missing"
    )


def _first(base: Path, places: Iterable[str], names: Iterable[str]) -> Path | None:
    found = (base / place / name for place in places for name in names)
    return next((path for path in found if path.is_file()), None)


@dataclass(frozen=True)
class ServerAccount:
    """The user that servers run as: mtr does not test as root what a user would do."""

    name: str
    user: int
    group: int

    @property
    def popen(self) -> dict[str, object]:
        """What makes a process this account's, for `subprocess.Popen`; nothing if it is one's own."""
        if self.user == os.geteuid():
            return {}
        return {"user": self.user, "group": self.group, "extra_groups": []}

    def become(self) -> None:
        """For good; to be followed by an exec."""
        if self.user == os.geteuid():
            return
        os.setgroups([])
        os.setgid(self.group)
        os.setuid(self.user)

    def make(self, directory: Path) -> None:
        """A directory of this account's that it can get to."""
        directory.mkdir(parents=True, exist_ok=True)
        self.own(directory)
        self.open_way(directory)

    def own(self, path: Path) -> None:
        if self.user != os.geteuid():
            os.chown(path, self.user, self.group, follow_symlinks=False)

    def open_way(self, path: Path) -> None:
        """Lets this account through the directories above `path`. Private ones are opened to its group, for passing
        through only: no other user gains anything. One that belongs to others stays as it is: UsageError."""
        if self.user == os.geteuid():
            return
        for directory in reversed(path.parents):
            status = directory.stat()
            if self._may_pass(status):
                continue
            if status.st_mode & stat.S_IRWXG or status.st_uid != os.geteuid():
                raise UsageError(
                    f"the user {self.name}, which runs the servers, cannot get to {path}: {directory} is closed",
                    hint="set TMPDIR to a directory that every user may enter, or name another `user`",
                    slug="mtr-user",
                )
            os.chown(directory, -1, self.group)
            directory.chmod(stat.S_IMODE(status.st_mode) | stat.S_IXGRP)

    def _may_pass(self, status: os.stat_result) -> bool:
        if status.st_uid == self.user:
            return bool(status.st_mode & stat.S_IXUSR)
        if status.st_gid == self.group:
            return bool(status.st_mode & stat.S_IXGRP)
        return bool(status.st_mode & stat.S_IXOTH)


def account(name: str) -> ServerAccount:
    """By its name; oneself if that is empty. Raises UsageError."""
    if not name:
        return ServerAccount("", os.geteuid(), os.getegid())
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise UsageError(
            f"there is no user {name} on this machine", hint="name another in [tool.unknot.mtr] user", slug="mtr-user"
        ) from None
    found = ServerAccount(name, entry.pw_uid, entry.pw_gid)
    if found.user != os.geteuid() and os.geteuid() != 0:
        raise UsageError(
            f"only root can run servers as {name}", hint="leave `user` out, or run unknot as root", slug="mtr-user"
        )
    return found


def suite_directory(test_directory: Path, suite: str) -> Path | None:
    """Where one of mtr's own suites has its files: among the others, or with its plugin. What follows a `-` is a
    variation of it. None if mtr has no such suite."""
    name = suite.partition("-")[0]
    places = (test_directory / "suite", *sorted(test_directory.glob("plugin/*")))
    found = [test_directory / "main"] if name == "main" else [place / name for place in places if name]
    return next((directory for directory in found if directory.is_dir()), None)


def version(server: Path) -> str:
    """The version that the server prints. Raises UsageError if it does not run."""
    try:
        done = subprocess.run(
            [server, "--no-defaults", "--version"], capture_output=True, text=True, errors="replace", check=True
        )
    except (OSError, subprocess.CalledProcessError) as problem:
        raise UsageError(
            f"{server} does not run: {problem}", hint="run it by hand to see why", slug="mtr-failed"
        ) from problem
    return done.stdout.strip()


def check_perl() -> None:
    if shutil.which("perl") is None:
        raise UsageError(
            "mtr needs perl, which is not on this machine",
            hint="install it (Debian: `apt-get install perl`)",
            slug="mtr-missing",
        )
