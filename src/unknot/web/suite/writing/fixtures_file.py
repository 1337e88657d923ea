"""The conftest.py of a generated suite, which is the user's: it starts the application and a browser, and logs in."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unknot.web.pages.writing.code import from_import
from unknot.web.pages.writing.literals import literal

PACKAGE = '''\
"""Tests that `unknot generate` has written. It replaces those that were not changed."""
'''

_HEAD = '''\
"""Starts the application and a browser, and logs in. This file is yours.

`unknot generate` keeps it as it is.
"""
'''

_TIMEOUT = """\
# Milliseconds: a check passes as soon as it holds.
expect.set_options(timeout=15_000)
"""

PROGRAMS = (
    "/usr/lib/chromium/chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)
"""Where a crawl looks for the browser as well, in this sequence."""

_LAUNCH = """\
    reached = ";".join(map(host_and_port, origins))
    with sync_playwright() as playwright:
        chromium = playwright.chromium
        program = os.environ.get("UNKNOT_CHROMIUM")
        if not program and not Path(chromium.executable_path).exists():
            program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        browser = chromium.launch(
            executable_path=program,
            args=[
                "--proxy-server=127.0.0.1:9",
                f"--proxy-bypass-list=<-loopback>;{reached}",
                "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
            ],
        )
        yield browser
        browser.close()


def host_and_port(address: str) -> str:
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return host if parts.port else f"{host}:{443 if parts.scheme == 'https' else 80}"
"""

_PORT = re.compile(r"\{port(\d+)\}")


@dataclass(frozen=True)
class LoginImport:
    """`function` of `module`, which is found in the directory so many `levels` above the suite if it is not found
    otherwise; 0 if it is."""

    module: str
    function: str
    levels: int = 0


@dataclass(frozen=True)
class FixturesPlan:
    """`address` may have placeholders of an instance. `also` are further origins that may be reached. `start` is the
    class of the page after the login, and `module` where it is."""

    address: str
    start: str
    module: str
    login: LoginImport | None = None
    also: tuple[str, ...] = ()


def fixtures_file(plan: FixturesPlan) -> str:
    browser, page = ("\n".join(lines) for lines in (_browser(plan.also), _page(plan)))
    parts = ["\n".join(_imports(plan)), _TIMEOUT, "", _address(plan.address), "", browser, "", "", page]
    return "\n".join([_HEAD, *parts, ""])


def _imports(plan: FixturesPlan) -> Iterator[str]:
    login = plan.login
    is_elsewhere = login is not None and login.levels > 0
    yield "import os"
    yield "import shutil"
    if is_elsewhere:
        yield "import sys"
    yield "from collections.abc import Iterator"
    yield "from pathlib import Path"
    yield "from urllib.parse import urlsplit"
    yield ""
    yield "import pytest"
    yield "from playwright.sync_api import Browser, Page, expect, sync_playwright"
    yield ""
    own = [(plan.module, plan.start)]
    if login is not None and not is_elsewhere:
        own.append((login.module, login.function))
    for module, name in sorted(own):
        yield from from_import(module, [name])
    if login is not None and is_elsewhere:
        yield ""
        yield f"sys.path.append(str(Path(__file__).parents[{login.levels}]))"
        yield f"from {login.module} import {login.function}"
    yield ""


def _address(address: str) -> str:
    if _PORT.search(address):
        filled = _PORT.sub(r"{unknot_ports[\1]}", address)
        return f'''\
@pytest.fixture(scope="session")
def address(unknot_ports: tuple[int, ...]) -> str:
    """Of a copy of the application, which unknot starts as `[instance]` says."""
    return f{literal(filled)}
'''
    return f'''\
@pytest.fixture(scope="session")
def address() -> str:
    """Of the application, which has to run: another one can be named."""
    return os.environ.get("APPLICATION_ADDRESS", {literal(address)})
'''


def _browser(also: Sequence[str]) -> Iterator[str]:
    yield "PROGRAMS = ("
    yield from (f"    {literal(each)}," for each in PROGRAMS)
    yield ")"
    yield ""
    yield ""
    yield '@pytest.fixture(scope="session")'
    yield "def browser(address: str) -> Iterator[Browser]:"
    yield '    """UNKNOT_CHROMIUM, Playwright\'s own Chromium, or that of the system.'
    yield ""
    yield "    It reaches these origins only: other requests go where nothing listens."
    yield '    """'
    if also:
        yield "    origins = ["
        yield from (f"        {each}," for each in ("address", *map(literal, also)))
        yield "    ]"
    else:
        yield "    origins = [address]"
    yield from _LAUNCH.splitlines()


def _page(plan: FixturesPlan) -> Iterator[str]:
    yield "@pytest.fixture"
    yield "def page(browser: Browser, address: str) -> Iterator[Page]:"
    who = "a user who has just logged in" if plan.login else "a new visitor"
    yield f'    """The first page of {who}."""'
    yield "    with browser.new_context(base_url=address) as context:"
    yield "        page = context.new_page()"
    yield "        page.goto(address)"
    if plan.login is not None:
        yield f"        {plan.login.function}(page)"
    yield f"        {plan.start}(page).wait_until_loaded()"
    yield "        yield page"
