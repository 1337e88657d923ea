"""A connection to a browser's DevTools: as much of HTTP and WebSocket as that needs, with the standard library only.

It runs in the process under test, whose packages are the suite's: websocket-client, which current versions of Selenium
bring, cannot be assumed there, and this code would have to stay for suites without it. So it serves all of them.
"""

import base64
import contextlib
import json
import os
import socket
import threading
from urllib.parse import urlsplit

_SECONDS = 3.0
_MOST_MESSAGE = 100_000_000
_TEXT, _CLOSE, _PING, _PONG = 0x1, 0x8, 0x9, 0xA


def browser_socket_address(debugger: str) -> str:
    """The address of the browser's own socket; `debugger` is "host:port". Raises OSError or ValueError if there is no
    browser that answers."""
    host, port = debugger.rsplit(":", 1)
    with socket.create_connection((host, int(port)), _SECONDS) as connection, connection.makefile("rb") as answer:
        connection.sendall(f"GET /json/version HTTP/1.1\r\nHost: {debugger}\r\nConnection: close\r\n\r\n".encode())
        length = 0
        while line := answer.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        version = json.loads(answer.read(length))
    return str(version["webSocketDebuggerUrl"])


class DevToolsSocket:
    """Messages out from any thread, messages in to one. Raises OSError when the other side is gone."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._socket = socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 80), _SECONDS)
        self._sending = threading.Lock()
        self._input = self._socket.makefile("rb")
        try:
            self._shake_hands(parts.path, parts.netloc)
        except BaseException:
            self._input.close()
            self._socket.close()
            raise
        self._socket.settimeout(None)

    def _shake_hands(self, path: str, host: str) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        status = self._input.readline()
        if b" 101 " not in status:
            raise OSError(f"the browser refused the connection: {status!r}")
        while self._input.readline() not in (b"\r\n", b""):
            pass

    def send(self, text: str) -> None:
        self._frame(_TEXT, text.encode())

    def receive(self) -> str:
        """The next message, whole."""
        whole = b""
        while True:
            first, second = self._exactly(2)
            length = second & 0x7F
            if length >= 126:
                length = int.from_bytes(self._exactly(2 if length == 126 else 8), "big")
            if length + len(whole) > _MOST_MESSAGE:
                raise OSError("the browser sends too much at once")
            content = self._exactly(length)
            kind = first & 0xF
            if kind == _CLOSE:
                raise OSError("the browser has closed the connection")
            if kind == _PING:
                self._frame(_PONG, content)
            elif kind != _PONG:
                whole += content
                if first & 0x80:
                    return whole.decode("utf-8", "replace")

    def end_input(self) -> None:
        """By the receiver, when no more is to come."""
        self._input.close()

    def close(self) -> None:
        """Ends a `receive` that waits in another thread."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _exactly(self, count: int) -> bytes:
        found = self._input.read(count)
        if len(found) < count:
            raise OSError("the browser is gone")
        return found

    def _frame(self, kind: int, content: bytes) -> None:
        size = len(content)
        if size < 126:
            length = bytes([0x80 | size])
        elif size < 65536:
            length = b"\xfe" + size.to_bytes(2, "big")
        else:
            length = b"\xff" + size.to_bytes(8, "big")
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[at & 3] for at, byte in enumerate(content))
        with self._sending:
            self._socket.sendall(bytes([0x80 | kind]) + length + mask + masked)
