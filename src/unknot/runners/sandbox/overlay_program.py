"""The program that holds a worker's mount namespace, in which a layer over the user's directories takes all writes.

`Overlays` starts it as an isolated program. It makes the namespace, lays an overlay over each directory, and waits for
requests; it ends with its connection. The namespace lives on as long as a process in it. Standard library only.
"""

import contextlib
import ctypes
import json
import os
import re
import shutil
import socket
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from unknot.runners.sandbox.tree import is_within, is_within_any

_CLONE_NEWNS = 0x00020000
_CLONE_NEWUSER = 0x10000000
_MS_BIND = 0x1000
_MS_REC = 0x4000
_MS_SLAVE = 0x80000
_MNT_DETACH = 2
_PATH = getattr(os, "O_PATH", 0) | os.O_CLOEXEC

_BYTE_CODE = "__pycache__"
_OWN = "unknot-"
"""What directories and locks of any unknot are called: see `make_home` and `lock_directory`."""

_NONE: Mapping[str, Sequence[str]] = MappingProxyType({})

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    names = (os.fsencode(source), os.fsencode(target), kind.encode() or None)
    _check(_libc.mount(*names, ctypes.c_ulong(flags), data.encode() or None), f"mount on {target}")


def _unshare() -> bool:
    """Whether it took a user namespace, as it does for everybody but root."""
    if _libc.unshare(_CLONE_NEWNS) == 0:
        return False
    user, group = os.geteuid(), os.getegid()
    _check(_libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS), "a new mount namespace")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    return True


def _maps_all_users() -> bool:
    """Whether this is the first user namespace of the system: others have no trusted attributes."""
    with open("/proc/self/uid_map", encoding="ascii") as file:
        return file.read().split() == ["0", "0", str(2**32 - 1)]


class Cover:
    """One directory and the layers over it. `lower` are descriptors, the uppermost layer first; the last is the
    user's own directory."""

    def __init__(self, path: str, layers: Sequence[str]) -> None:
        self.path = path
        self.lower = [os.open(layer, _PATH | os.O_DIRECTORY) for layer in layers or (path,)]
        self.real = self.lower[-1]
        self.upper = ""

    def is_changed(self, opaque: str) -> bool:
        """Whether anything was written. Byte code does not count, nor do directories that are as they are below.
        Cost: a walk of what was written."""
        return self._differs("", opaque)

    def _differs(self, name: str, opaque: str) -> bool:
        here = os.path.join(self.upper, name)
        below = self._below(name)
        if below is None or stat.S_IMODE(below.st_mode) != stat.S_IMODE(os.lstat(here).st_mode):
            return True
        if name and _has_attribute(here, opaque):
            return True
        with os.scandir(here) as entries:
            return any(
                not entry.is_dir(follow_symlinks=False) or self._differs(os.path.join(name, entry.name), opaque)
                for entry in entries
                if entry.name != _BYTE_CODE
            )

    def _below(self, name: str) -> os.stat_result | None:
        """The directory of this name in the uppermost layer below that has one; None if it is none there."""
        for layer in self.lower:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                found = os.lstat(f"{_reached(layer)}/{name}")
                return found if stat.S_ISDIR(found.st_mode) else None
        return None


def _reached(descriptor: int) -> str:
    """A name that leads there whatever was mounted since."""
    return f"/proc/self/fd/{descriptor}"


def _has_attribute(path: str, name: str) -> bool:
    try:
        return bool(os.getxattr(path, name, follow_symlinks=False))
    except OSError:
        return False


class Namespace:
    """`covers` are the directories, `through` paths below them that stay the user's own. So do other file systems that
    are mounted there, directories of unknot itself, and sockets on which a program listens, which no overlay passes on.
    `store` is an empty directory, over which the layers are kept in memory. `layers` are those that lie over a
    directory already, the uppermost first and what is below all of them last: a process that was forked in another
    such namespace lays one more. Without them, an overlay that is there already counts as one layer.

    Assumes that no process is at work in the namespace while layers are exchanged. Cost: 0.2 ms for each directory
    that was written to, nothing to speak of for others."""

    def __init__(
        self, store: str, covers: Sequence[str], through: Sequence[str], layers: Mapping[str, Sequence[str]] = _NONE
    ) -> None:
        self.is_users = _unshare()
        is_trusted = not self.is_users and _maps_all_users()
        prefix, self._option = ("trusted", "redirect_dir=on") if is_trusted else ("user", "userxattr")
        self._opaque = f"{prefix}.overlay.opaque"
        _mount("none", "/", "", _MS_REC | _MS_SLAVE)
        names = (*through, *_mount_points(covers), *_own_directories(covers))
        self._through = {name: os.open(name, _PATH) for name in _topmost(names)}
        self._covers = [Cover(path, layers.get(path, ())) for path in sorted(covers)]
        _mount("tmpfs", store, "tmpfs", 0, "mode=700")
        self._store = os.open(store, _PATH | os.O_DIRECTORY)
        self._made = 0
        self._check_replacing()
        for cover in self._covers:
            self._lay(cover)

    def layers(self, store: str) -> dict[str, list[str]]:
        """All layers over each directory, as `__init__` takes them: by names below `store`, for processes that are
        forked in the namespace. To be called once, before `close`."""
        found = {}
        for number, cover in enumerate(self._covers):
            names = [os.path.join(store, os.path.relpath(cover.upper, _reached(self._store)))]
            for place, layer in enumerate(cover.lower):
                names.append(os.path.join(store, f"{number}-below-{place}"))
                os.mkdir(names[-1])
                _mount(_reached(layer), names[-1], "", _MS_BIND)
            found[cover.path] = names
        return found

    def close(self) -> None:
        """For a process that goes on in the namespace and exchanges no layers."""
        layers = (layer for cover in self._covers for layer in cover.lower)
        for descriptor in (self._store, *self._through.values(), *layers):
            os.close(descriptor)

    @property
    def through(self) -> list[str]:
        """All that stays the user's own, but for sockets."""
        return list(self._through)

    def is_changed(self) -> bool:
        return bool(self._changed())

    def reset(self) -> list[str]:
        """Takes away what was written since the layers were laid. Returns directories that are of no use any more."""
        return self._renew(self._changed())

    def accept(self) -> list[str]:
        """What was written belongs to the clean state from now on."""
        changed = self._changed()
        for cover in changed:
            cover.lower.insert(0, os.open(cover.upper, _PATH | os.O_DIRECTORY))
        self._renew(changed)
        return []

    def start_over(self) -> list[str]:
        """Takes away what was accepted too."""
        accepted = [cover for cover in self._covers if len(cover.lower) > 1]
        unused = []
        for cover in accepted:
            for layer in cover.lower[:-1]:
                unused.append(os.path.dirname(os.readlink(_reached(layer))))
                os.close(layer)
            cover.lower = [cover.real]
        return unused + self._renew([*accepted, *self._changed()])

    def _changed(self) -> list[Cover]:
        return [cover for cover in self._covers if cover.is_changed(self._opaque)]

    def _renew(self, covers: Sequence[Cover]) -> list[str]:
        tops = _topmost(cover.path for cover in covers)
        gone = [cover for cover in self._covers if is_within_any(cover.path, tops)]
        for top in tops:
            # Whatever is mounted below goes with it.
            _check(_libc.umount2(os.fsencode(top), _MNT_DETACH), f"unmount {top}")
        unused = [os.path.dirname(cover.upper) for cover in gone]
        for cover in gone:
            self._lay(cover)
        return unused

    def _lay(self, cover: Cover) -> None:
        cover.upper = self._laid(cover.lower, cover.path)
        inner = [other.path for other in self._covers if other.path != cover.path and is_within(other.path, cover.path)]
        for name, descriptor in self._through.items():
            if is_within(name, cover.path) and not is_within_any(name, inner):
                _pass_on(descriptor, name)
        for name in _sockets(cover.path):
            if is_within_any(name, (*self._through, *inner)):
                continue
            with contextlib.suppress(OSError):  # its file is gone, or was made by a test in the namespace
                descriptor = os.open(f"{_reached(cover.real)}/{os.path.relpath(name, cover.path)}", _PATH)
                _pass_on(descriptor, name)
                os.close(descriptor)

    def _laid(self, lower: Sequence[int], target: str) -> str:
        """Lays a new layer over these; returns its directory."""
        self._made += 1
        layer = f"{_reached(self._store)}/{self._made}"
        upper, work = f"{layer}/upper", f"{layer}/work"
        for directory in (layer, upper, work):
            os.mkdir(directory)
        status = os.stat(_reached(lower[0]))
        with contextlib.suppress(OSError):  # of an owner that a user namespace does not know
            os.chown(upper, status.st_uid, status.st_gid)
        os.chmod(upper, stat.S_IMODE(status.st_mode))
        below = ":".join(map(_reached, lower))
        # Without an index, a layer may lie below that is the uppermost one of another process, which waits.
        options = f"lowerdir={below},upperdir={upper},workdir={work},index=off,{self._option}"
        _mount("overlay", target, "overlay", 0, options)
        return upper

    def _check_replacing(self) -> None:
        """Some kernels cannot replace a directory of the layer below: then all of this is of no use."""
        place = f"{_reached(self._store)}/trial"
        os.makedirs(f"{place}/lower/directory")
        os.mkdir(f"{place}/merged")
        lower = os.open(f"{place}/lower", _PATH | os.O_DIRECTORY)
        self._laid([lower], f"{place}/merged")
        os.rmdir(f"{place}/merged/directory")
        os.mkdir(f"{place}/merged/directory")
        _check(_libc.umount2(f"{place}/merged".encode(), _MNT_DETACH), "unmount")
        os.close(lower)


def _pass_on(descriptor: int, name: str) -> None:
    # What was removed meanwhile is not missed, by whatever name it is still reached.
    with contextlib.suppress(FileNotFoundError):
        if os.path.lexists(name):
            _mount(_reached(descriptor), name, "", _MS_BIND | _MS_REC)


def _topmost(paths: Iterable[str]) -> list[str]:
    found: list[str] = []
    for path in sorted(set(paths)):
        if not is_within_any(path, found):
            found.append(path)
    return found


def _mount_points(covers: Sequence[str]) -> Iterator[str]:
    """Below these, and none of them."""
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            name = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), line.split()[4])
            if name not in covers and is_within_any(name, covers):
                yield name


def _own_directories(covers: Sequence[str]) -> Iterator[str]:
    for cover in covers:
        with os.scandir(cover) as entries:
            yield from (entry.path for entry in entries if entry.name.startswith(_OWN) and entry.is_dir())


def _sockets(directory: str) -> list[str]:
    """That programs listen on."""
    with open("/proc/net/unix", encoding="utf-8", errors="surrogateescape") as lines:
        names = ["/" + line.rstrip("\n").partition(" /")[2] for line in lines]
    return _topmost(name for name in names if is_within(name, directory))


class Keeper:
    """Serves one connection: JSON objects, one a line."""

    def __init__(self, connection: socket.socket) -> None:
        self._lines = connection.makefile("r", encoding="utf-8", errors="surrogateescape")
        self._connection = connection
        self._namespace: Namespace | None = None

    def serve(self) -> None:
        for line in self._lines:
            unused: list[str] = []
            try:
                answer: dict[str, object] = {}
                unused = self._done(json.loads(line), answer)
            except OSError as problem:
                answer = {"problem": str(problem.strerror or problem)}
            self._connection.sendall(json.dumps(answer).encode() + b"\n")
            for directory in unused:
                shutil.rmtree(directory, ignore_errors=True)

    def _done(self, request: dict[str, Any], answer: dict[str, object]) -> list[str]:
        if self._namespace is None:
            self._namespace = Namespace(request["store"], request["covers"], request["through"])
            answer |= {"user": self._namespace.is_users, "through": self._namespace.through}
            return []
        match request["do"]:
            case "look":
                answer["changed"] = self._namespace.is_changed()
                return []
            case "accept":
                return self._namespace.accept()
            case "start over":
                return self._namespace.start_over()
        return self._namespace.reset()


def main() -> None:
    Keeper(socket.socket(fileno=sys.stdin.fileno())).serve()
