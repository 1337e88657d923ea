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

_BROWSER = '''\
@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Playwright's own Chromium if it is installed, otherwise that of the system."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium
        is_installed = Path(chromium.executable_path).exists()
        program = None if is_installed else shutil.which("chromium")
        browser = chromium.launch(executable_path=program)
        yield browser
        browser.close()
'''

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
    parts = ["\n".join(_imports(plan)), _TIMEOUT, "", _address(plan.address), "", _BROWSER, "", "\n".join(_page(plan))]
    return "\n".join([_HEAD, *parts, ""])


def _imports(plan: FixturesPlan) -> Iterator[str]:
    login, is_instance = plan.login, _PORT.search(plan.address)
    is_elsewhere = login is not None and login.levels > 0
    if not is_instance:
        yield "import os"
    yield "import re"
    yield "import shutil"
    if is_elsewhere:
        yield "import sys"
    yield "from collections.abc import Iterator"
    yield "from pathlib import Path"
    yield "from urllib.parse import urljoin"
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


def _page(plan: FixturesPlan) -> Iterator[str]:
    yield "@pytest.fixture"
    yield "def page(browser: Browser, address: str) -> Iterator[Page]:"
    who = "a user who has just logged in" if plan.login else "a new visitor"
    yield f'    """The first page of {who}; no other site is reached."""'
    yield from _allowed(plan.also)
    yield "    with browser.new_context(base_url=address) as context:"
    yield '        context.route(re.compile(f"^(?!{allowed})"), lambda route: route.abort())'
    yield "        page = context.new_page()"
    yield "        page.goto(address)"
    if plan.login is not None:
        yield f"        {plan.login.function}(page)"
    yield f"        {plan.start}(page).wait_until_loaded()"
    yield "        yield page"


def _allowed(also: Sequence[str]) -> Iterator[str]:
    if not also:
        yield '    allowed = re.escape(urljoin(address, "/"))'
        return
    yield '    origins = [urljoin(address, "/")]'
    yield from (f"    origins.append({literal(each.rstrip('/') + '/')})" for each in also)
    yield '    allowed = "|".join(map(re.escape, origins))'
