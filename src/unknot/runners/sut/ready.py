"""What says that a system is up: a page, ports that accept, or a command that succeeds."""

import http.client
import ipaddress
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Sequence

from unknot.model.errors import UsageError
from unknot.runners.sut.commands import InstanceContext, finish


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirection is an answer; where it leads to may be another machine."""

    def redirect_request(self, *_: object) -> None:
        return None


opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())
"""Never through a proxy, and never to where an answer points."""


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


PORT = "port"
_SCHEMES = ("http://", "https://")

Check = Callable[[float], bool]
"""Whether it is up now. The argument is how many seconds the answer may take."""

_FIRST_PAUSE = 0.005
_LONGEST_PAUSE = 0.25
_SHARE = 0.05
"""Of the time that was waited: so much may be lost by pauses between checks."""

_LONGEST_TRY = 5.0
_SHORTEST_TRY = 0.05


def make_check(ready: Sequence[str], ports: Sequence[int], context: InstanceContext) -> Check:
    """`ready` with its placeholders filled. A check must change nothing in the system: it may run at any time. Raises
    UsageError for a page that is not of this machine."""
    if not ready:
        return lambda seconds: True
    if len(ready) == 1 and ready[0] == PORT:
        return lambda seconds: all(_accepts(port, seconds) for port in ports)
    if is_page(ready):
        check_page(ready[0])
        return lambda seconds: _answers(ready[0], seconds)

    def succeeds(seconds: float) -> bool:
        context.log.clear()
        return finish(ready, context, seconds=seconds) == 0

    return succeeds


def wait_until(check: Check, seconds: float, *, is_running: Callable[[], bool]) -> bool:
    """Checks quickly at first, then slower. False when the time is over, or nothing runs any more: another program
    may answer in its place."""
    began = time.monotonic()
    deadline = began + seconds
    while is_running():
        left = deadline - time.monotonic()
        if check(max(_SHORTEST_TRY, min(left, _LONGEST_TRY))):
            return is_running()
        if left <= 0:
            return False
        pause = max(_FIRST_PAUSE, min((time.monotonic() - began) * _SHARE, _LONGEST_PAUSE))
        time.sleep(min(pause, max(left, 0.0)))
    return False


def is_page(ready: Sequence[str]) -> bool:
    return len(ready) == 1 and ready[0].lower().startswith(_SCHEMES)


def check_page(url: str, what: str = "`ready` of the instance") -> None:
    """Raises UsageError unless it is a page of this machine, without encryption. `what` says where it was written."""
    try:
        parts = urllib.parse.urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as problem:
        raise UsageError(f"{what} is not a web address: {url} ({problem})", slug="url-invalid") from problem
    if parts.scheme != "http":
        raise UsageError(
            f"{what} must begin with http://, not {parts.scheme}://: {url}",
            hint='use `ready = "port"`, or a command such as `curl -fks …`',
            slug="url-invalid",
        )
    if not host or not _is_loopback(host):
        raise UsageError(
            f"{what} must be a page of this machine, not of {host or 'no host'}: {url}",
            hint='an instance runs beside its worker: write "http://127.0.0.1:{port0}/…"',
            slug="url-invalid",
        )


def _accepts(port: int, seconds: float) -> bool:
    for address in ("127.0.0.1", "::1"):
        try:
            with socket.create_connection((address, port), timeout=seconds) as connection:
                # The kernel may connect a free port of its own range to itself.
                if connection.getsockname() != connection.getpeername():
                    return True
        except OSError:
            continue
    return False


def _answers(url: str, seconds: float) -> bool:
    try:
        with opener.open(url, timeout=seconds) as response:
            return int(response.status) < 500
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.code < 500
    except (OSError, http.client.HTTPException, ValueError):
        return False
