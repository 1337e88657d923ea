"""Where the browser is, and how it is started: without a window, and so that it reaches the allowed origins only."""

import os
import shutil
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from unknot.model.errors import RunnerError, UsageError
from unknot.model.sanitise import shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

ENVIRONMENT = "UNKNOT_CHROMIUM"
"""Names the program, where it is not found by itself."""

_PROGRAMS = (
    "/usr/lib/chromium/chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)
"""The shells have no windows to draw: two thirds of the work."""

_FLAGS = (
    "--disable-quic",
    "--disable-sync",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # A navigation replaces the document in its frame, not the frame: the counters of code go on, where they would
    # lose what the last document ran. Playwright's own choice, which this replaces, comes first.
    "--enable-features=CDPScreenshotNewSurface,RenderDocument:level/crashed-frame",
)
_NOWHERE = "127.0.0.1:9"
"""Nothing listens on the port for discarding. As the proxy of all requests but those to the origins, it ends them,
without a process of ours in between."""


def origin_of(address: str) -> str:
    """Scheme, host and port, with the port that the scheme has by default. Raises UsageError for an address that is not
    of a web application.

    >>> origin_of("http://localhost/login?next=/")
    'http://localhost:80'
    """
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            f"{shown(address)} is not the address of a web application",
            hint="Write it with its scheme, for example http://127.0.0.1:8000/.",
            slug="crawl-address",
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}:{port or (443 if parts.scheme == 'https' else 80)}"


def in_origins(address: str, origins: Collection[str]) -> bool:
    """Whether an address that a page names, which may be none, is of one of the origins."""
    try:
        return origin_of(address) in origins
    except UsageError:
        return False


def launch(playwright: "Playwright", origins: Sequence[str]) -> "Browser":
    """A browser whose requests reach these origins and nothing else, whatever makes them: pages, popups, redirects,
    service workers. Raises RunnerError if there is no browser."""
    program = _program()
    parts = [urlsplit(origin) for origin in origins]
    hosts = sorted({part.hostname or "" for part in parts})
    flags = [
        *_FLAGS,
        f"--proxy-server={_NOWHERE}",
        # Chromium reaches this machine without a proxy otherwise.
        f"--proxy-bypass-list=<-loopback>;{';'.join(part.netloc for part in parts)}",
        "--host-resolver-rules=MAP * ~NOTFOUND , " + " , ".join(f"EXCLUDE {host}" for host in hosts),
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
    ]
    from playwright.sync_api import Error

    try:
        # Ctrl-C ends the crawl, which then ends the browser.
        return playwright.chromium.launch(
            executable_path=program, args=flags, handle_sigint=False, handle_sigterm=False, handle_sighup=False
        )
    except Error as problem:
        raise RunnerError(
            f"the browser {shown(program)} does not start: {shown(str(problem.message).splitlines()[0])}",
            hint=f"Try `{shown(program)} --headless --dump-dom about:blank`, or name another one in {ENVIRONMENT}.",
            slug="browser-failed",
        ) from problem


def process_of(browser: "Browser") -> int:
    """The id of its main process, to end a browser that does not answer."""
    devtools = browser.new_browser_cdp_session()
    found = devtools.send("SystemInfo.getProcessInfo")["processInfo"]
    devtools.detach()
    return next(int(each["id"]) for each in found if each["type"] == "browser")


def _program() -> str:
    found = os.environ.get(ENVIRONMENT) or next(filter(None, map(shutil.which, _PROGRAMS)), "")
    if not found:
        raise RunnerError(
            "there is no Chromium on this machine",
            hint=f"Install it (Debian: `apt install chromium-headless-shell`), or name the program in {ENVIRONMENT}.",
            slug="browser-missing",
        )
    return found
