"""Calls of what is not the project's: pages, elements, libraries. Code of other packages cannot be read: where it gets
the browser and a text, it may type the text."""

import sys
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter.foreign_code import only_looks
from unknot.web.readers.interpreter.values import BROWSER, UNKNOWN, CallArguments, Unknown, Value, options, words
from unknot.web.readers.python.containers import texts_within
from unknot.web.readers.python.library import FUNCTIONS
from unknot.web.readers.python.submissions import submitted
from unknot.web.readers.python.values import BoundMethod, Mark, PartialCall, PythonFunction, texts_of

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_KNOWN_PACKAGES = words(
    "playwright pytest_playwright selenium seleniumwire seleniumbase appium splinter selene helium pypom page_objects",
    "undetected_chromedriver webdriver_manager chromedriver_autoinstaller selenium_stealth playwright_stealth",
    "pytest pytest_bdd pytest_check pytest_html pytest_asyncio pytest_mock pytest_django behave robot unittest2 nose",
    "allure allure_pytest allure_commons hamcrest assertpy expects sure softest delayed_assert dirty_equals deepdiff",
    "axe_playwright_python axe_selenium_python axe_core_python percy applitools syrupy needle pixelmatch PIL cv2",
    "faker mimesis factory parameterized ddt hypothesis freezegun tenacity retry retrying polling polling2 waiting",
    "requests httpx aiohttp bs4 lxml numpy pandas openpyxl yaml dotenv environs pydantic attr attrs loguru structlog",
    "django flask sqlalchemy psycopg2 pymysql redis boto3 docker testcontainers pyotp termcolor rich six",
    "typing_extensions",
)
"""They type nothing beyond what is looked for anyway."""

_NO_PACKAGES = frozenset({"browser", "builtins", "inherited", "request", "sb"})
"""Where paths begin of what was not imported."""

_BROWSERS = frozenset({"Chrome", "ChromiumEdge", "Edge", "Firefox", "Ie", "Remote", "Safari", "WebKitGTK", "new_page"})
"""What Selenium's are called, and how Playwright makes one."""

_KEPT = frozenset({"fixture", "yield_fixture", "expand"})
_KEPT_PATHS = frozenset({"pytest.param", "ddt.data"})


def called(language: "PythonLanguage", callee: Unknown, given: CallArguments) -> Value:
    """What the call submits and mentions is recorded. Functions that it is given may be called by it: they are
    followed, with nothing known of their arguments."""
    if callee.path.startswith("pytest.mark.") or callee.path in _KEPT_PATHS or callee.last in _KEPT:
        return Mark(callee.last, given.positional, given.keywords, given.place.line)
    typed = list(submitted(language, callee, given))
    for text in typed:
        language.machine.trace.submits_text(text, given.place)
    language.mention_all(given)
    if callee.path == "request.getfixturevalue" and given.positional:
        names = texts_of(given.positional[0])
        return language.fixture(names[0]) if len(names) == 1 else UNKNOWN
    known = FUNCTIONS.get(callee.path)
    answer = known(language, given) if known is not None else None
    if answer is None:
        _call_back(language, given)
    return answer or _result(language, callee, given, is_recorded=bool(typed))


def _call_back(language: "PythonLanguage", given: CallArguments) -> None:
    for value in given.all:
        for option in options(value):
            if isinstance(option, PythonFunction | BoundMethod | PartialCall):
                doubtful = CallArguments(place=given.place, is_open=True, uncertain=given.uncertain + 1)
                language.call(option, doubtful)


def _result(language: "PythonLanguage", callee: Unknown, given: CallArguments, *, is_recorded: bool) -> Value:
    """What a call gives of which nothing else is known. One that may type a text, and cannot be read, is a gap, unless
    the text `is_recorded` as typed already."""
    if callee.maker:
        if not is_recorded:
            _note(language, callee, f"{callee.last} of {callee.maker} cannot be read", given)
        return Unknown(maker=callee.maker)
    if callee.last in _BROWSERS:
        return BROWSER
    several = [option for value in given.all for option in options(value)]
    gets_browser = any(isinstance(option, Unknown) and option.is_browser for option in several)
    if not _is_unread(callee.path) or not gets_browser:
        return UNKNOWN
    _note(language, callee, f"{callee.path} gets the browser, and cannot be read", given)
    return Unknown(maker=callee.path)


def _note(language: "PythonLanguage", callee: Unknown, what: str, given: CallArguments) -> None:
    if not only_looks(callee.last) and any(texts_within(language, value) for value in given.all):
        language.add_gap(what, given.place)


def _is_unread(path: str) -> bool:
    """Whether it was imported, and from a package of which nothing is known."""
    package, dot, _ = path.partition(".")
    return bool(package and dot) and package not in _NO_PACKAGES and not is_known_package(package)


def is_known_package(name: str) -> bool:
    """
    >>> is_known_package("selenium"), is_known_package("json"), is_known_package("acme_pages")
    (True, True, False)
    """
    return name in _KNOWN_PACKAGES or name in sys.stdlib_module_names
