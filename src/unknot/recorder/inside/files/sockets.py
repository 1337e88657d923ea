"""Ports that a test binds or connects to."""

import weakref
from _socket import socket as _Socket
from typing import Any

from unknot.recorder.inside.audit import Collector
from unknot.recorder.inside.ledger import Ledger
from unknot.recorder.inside.stack import Frame

_BIND = "socket.bind"
_EVENTS = frozenset({_BIND, "socket.connect", "socket.sendto", "socket.sendmsg"})
_HOSTS = {"": "0.0.0.0", "localhost": "127.0.0.1"}


class PortCollector(Collector):
    """Binding a port reads it, since that fails if the port is taken, and writes it if the socket is still open at the
    end of the test. Closing it later removes it. Connecting reads it.

    A port that the system chooses (0) does not count, nor does a connection to such a server in this process: no other
    test can know its number. A Unix socket is named by its path as given in the call. Keeps no socket alive. Misses
    ports that the system keeps reserved for a while after they were closed.
    """

    subject = "ports"

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger, _EVENTS)
        self._bound: list[tuple[str, weakref.ref[Any], list[Frame]]] = []
        self._left: list[tuple[str, weakref.ref[Any]]] = []
        self._chosen: list[weakref.ref[Any]] = []

    def _record_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        socket, address = arguments[:2]
        name = _name(address)
        if event == _BIND and isinstance(address, tuple) and not name:
            self._chosen = [server for server in self._chosen if _is_open(server())]
            self._chosen.append(weakref.ref(socket))
            self.ledger.touched.add("port 0")
        if not name:
            return
        self.ledger.touched.add(f"port {name}")
        if event == _BIND:
            self.ledger.read("port", name)
            self._bound.append((name, weakref.ref(socket), self._stack()))
        elif name not in map(_own_name, self._chosen):
            self.ledger.read("port", name)

    def _record_leftovers(self) -> None:
        for name, socket in self._left:
            if not _is_open(socket()):
                self.ledger.removed("port", name, [])
        self._left = [left for left in self._left if _is_open(left[1]())]
        bound, self._bound = self._bound, []
        for name, socket, stack in bound:
            # Skip a socket whose `bind` failed.
            if _own_name(socket) == name:
                self._left.append((name, socket))
                self.ledger.wrote("port", name, stack)


def _is_open(socket: Any) -> bool:
    return socket is not None and _Socket.fileno(socket) >= 0


def _own_name(server: "weakref.ref[Any]") -> str:
    socket: Any = server()
    try:
        return _name(_Socket.getsockname(socket)) if _is_open(socket) else ""
    except OSError:
        return ""


def _name(address: object) -> str:
    """Empty for a port that the system is to choose, and for anything that is not an address."""
    if type(address) is str:
        return address
    if type(address) is bytes:
        return address.decode(errors="replace")
    if type(address) is tuple and len(address) >= 2:
        host, port = address[:2]
        if type(host) is bytes:
            host = host.decode(errors="replace")
        if type(host) is str and type(port) is int and port:
            host = _HOSTS.get(host, host)
            return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return ""
