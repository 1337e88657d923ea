"""Whose processes the servers are: mtr does not test as root what a user would do."""

import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path

from unknot.model.errors import UsageError


@dataclass(frozen=True)
class ServerAccount:
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
