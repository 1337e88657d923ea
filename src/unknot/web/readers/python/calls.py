"""What calls give, and what is followed on the way. Of what is not the project's (pages, elements, libraries): which
arguments end up in a page or a request (typed, selected, uploaded), and what such calls give. Code of other packages
cannot be read: if it gets the browser and a text, it may type the text."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.foreign_code import base_name, looks_like_a_file, only_looks
from unknot.web.readers.interpreter.machine import Activation
from unknot.web.readers.python.library import FUNCTIONS
from unknot.web.readers.python.lowering import written
from unknot.web.readers.python.members import INHERITED, call_builtin, members, method_of, texts_within
from unknot.web.readers.python.texts import MODIFIERS
from unknot.web.readers.python.values import (
    NONE,
    BuiltinMethod,
    KeyboardKey,
    Mark,
    PartialCall,
    PythonClass,
    PythonFunction,
    texts_of,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_MOST_TURNS = 3
"""How often a function may be within itself, each time with other arguments."""

_MOST_CALLED = 8
"""How many functions one call may mean; a table of more is not a call of any of them that we could name."""

_DEEPEST = 100
"""Calls within each other."""

_NO_CALL = v.Unknown(f"{INHERITED}.__call__")


def called(language: "PythonLanguage", callee: v.Value, given: v.CallArguments) -> v.Value:
    several = v.options(callee)
    if len(several) == 1:
        return _one(language, callee, given)
    doubtful = replace(given, uncertain=given.uncertain + 1)
    return v.either([_one(language, option, doubtful) for option in several[:_MOST_CALLED]])


def _one(language: "PythonLanguage", callee: v.Value, given: v.CallArguments) -> v.Value:
    match callee:
        case PythonFunction():
            return _entered(language, callee, given)
        case PartialCall(callee=inner, positional=positional, keywords=keywords):
            return called(
                language, inner, replace(given.after(*positional), keywords={**dict(keywords), **given.keywords})
            )
        case PythonClass():
            return made_instance(language, callee, given)
        case BuiltinMethod():
            return call_builtin(language, callee, given)
        case v.ProjectObject():
            method = language.attribute(callee, "__call__", given.place)
            return foreign_call(language, v.UNKNOWN, given) if method == _NO_CALL else called(language, method, given)
        case v.Unknown():
            return foreign_call(language, callee, given)
        case _:
            return foreign_call(language, v.UNKNOWN, given)


def _entered(language: "PythonLanguage", function: PythonFunction, given: v.CallArguments) -> v.Value:
    at = activation(language, function, given)
    if at is None:
        return v.UNKNOWN
    run(language, function, at)
    if at.yielded:
        return v.Items(at.yielded)
    return v.either(at.returned) if at.returned else NONE


def activation(language: "PythonLanguage", function: PythonFunction, given: v.CallArguments) -> Activation | None:
    """The call before it starts. None for a function that is within itself: with the same arguments it adds nothing
    new; with others it is followed a few times, and then there is a gap."""
    taken = _with_annotations(language, function, _bound(function, given))
    arguments = tuple(taken.values())
    turns = [earlier for active, earlier in language.active if active.code is function.code]
    if arguments in turns:
        return None
    if len(turns) >= _MOST_TURNS:
        language.add_gap(f"{function.name} calls itself, too often to be followed", given.place)
        return None
    if len(language.active) >= _DEEPEST:
        language.add_gap("too deeply nested to be followed", given.place)
        return None
    scope = v.NameScope(taken, function.scope)
    return Activation(scope, function.code.file, function.name, uncertain=given.uncertain)


def run(language: "PythonLanguage", function: PythonFunction, at: Activation) -> None:
    language.active.append((function, tuple(at.scope.names.values())))
    try:
        language.machine.value(function.code.body, at)
    finally:
        language.active.pop()


def _bound(function: PythonFunction, given: v.CallArguments) -> dict[str, v.Value]:
    """Each parameter with its argument, its default, or nothing known. What does not fit is dropped."""
    code = function.code
    names, keyword_only = code.positional, code.keyword_only
    taken: dict[str, v.Value] = dict(zip(names[len(names) - len(function.defaults) :], function.defaults, strict=False))
    keyword_defaults = zip(keyword_only, function.keyword_defaults, strict=False)
    taken |= {name: value for name, value in keyword_defaults if value is not None}
    taken |= dict(zip(names, given.positional, strict=False))
    known = {*names, *keyword_only}
    taken |= {name: value for name, value in given.keywords.items() if name in known}
    rest = v.UNKNOWN if given.is_open else None
    if code.rest:
        taken[code.rest] = v.Items(given.positional[len(names) :], rest)
    if code.keyword_rest:
        others = {name: value for name, value in given.keywords.items() if name not in known}
        taken[code.keyword_rest] = v.Entries(others, "", rest)
    return {name: taken.get(name, v.UNKNOWN) for name in (*names, *keyword_only)} | taken


def _with_annotations(
    language: "PythonLanguage", function: PythonFunction, taken: dict[str, v.Value]
) -> dict[str, v.Value]:
    """An argument of which nothing is known is an object of the project's class that its annotation names."""
    for name, annotation in function.code.annotations.items():
        if taken.get(name) not in (v.UNKNOWN, v.BROWSER):
            continue
        at = Activation(function.scope, function.code.file, "")
        for meant in v.options(language.machine.value(annotation, at)):
            if isinstance(meant, PythonClass) and not meant.is_enumeration and not meant.field_names:
                given = v.CallArguments(place=at.place(annotation.line), is_open=True)
                taken[name] = made_instance(language, meant, given)
                break
    return taken


def made_instance(language: "PythonLanguage", of: PythonClass, given: v.CallArguments) -> v.Value:
    """With what `__init__` gives it; a class without one is a record, whose fields take the arguments in turn."""
    return _member(of, given) if of.is_enumeration else _new(language, of, given)


def _new(language: "PythonLanguage", of: PythonClass, given: v.CallArguments) -> v.Value:
    made = v.ProjectObject(of)
    initialiser = method_of(of, "__init__")
    if initialiser is not None:
        called(language, PartialCall(initialiser, (made,)), given)
        return made
    made.fields.update(zip(of.field_names, given.positional, strict=False))
    made.fields.update(given.keywords)
    finisher = method_of(of, "__post_init__")
    if finisher is not None:
        called(language, PartialCall(finisher, (made,)), v.CallArguments(place=given.place, uncertain=given.uncertain))
    return made


def _member(of: PythonClass, given: v.CallArguments) -> v.Value:
    wanted = given.get(0, "value")
    if wanted is None or not all(isinstance(option, v.Text) for option in v.options(wanted)):
        return v.UNKNOWN
    return v.either([each for each in members(of) if set(v.options(each.fields["value"])) & set(v.options(wanted))])


_KNOWN_PACKAGES = v.words(
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
"""They type nothing beyond the calls that are known here."""

_NO_PACKAGES = frozenset({"browser", "builtins", "inherited", "request", "sb"})
"""Where paths begin of what was not imported."""

_BROWSERS = frozenset({"Chrome", "ChromiumEdge", "Edge", "Firefox", "Ie", "Remote", "Safari", "WebKitGTK", "new_page"})
"""What Selenium's are foreign_call, and how Playwright makes one."""

_KEPT = frozenset({"fixture", "yield_fixture", "expand"})
_KEPT_PATHS = frozenset({"pytest.param", "ddt.data"})


def foreign_call(language: "PythonLanguage", callee: v.Unknown, given: v.CallArguments) -> v.Value:
    """What the call submits and mentions is recorded. Functions that it is given may be foreign_call by it: they are
    followed, with nothing known of their arguments."""
    if callee.path.startswith("pytest.mark.") or callee.path in _KEPT_PATHS or callee.last in _KEPT:
        return Mark(callee.last, given.positional, given.keywords, given.place.line)
    typed = list(submitted(language, callee, given))
    for text in typed:
        language.machine.trace.submits_text(text, given.place)
    language.mention_all(given)
    if callee.path == "request.getfixturevalue" and given.positional:
        names = texts_of(given.positional[0])
        return language.fixture(names[0]) if len(names) == 1 else v.UNKNOWN
    known = FUNCTIONS.get(callee.path)
    answer = known(language, given) if known is not None else None
    if answer is None:
        _call_back(language, given)
    return answer or _result(language, callee, given, is_recorded=bool(typed))


def _call_back(language: "PythonLanguage", given: v.CallArguments) -> None:
    for value in given.all:
        for option in v.options(value):
            if isinstance(option, PythonFunction | PartialCall):
                doubtful = v.CallArguments(place=given.place, is_open=True, uncertain=given.uncertain + 1)
                language.call(option, doubtful)


def _result(language: "PythonLanguage", callee: v.Unknown, given: v.CallArguments, *, is_recorded: bool) -> v.Value:
    """What a call gives of which nothing else is known. One that may type a text, and cannot be read, is a gap, unless
    the text `is_recorded` as typed already."""
    if callee.maker:
        if not is_recorded:
            _note(language, callee, f"{callee.last} of {callee.maker} cannot be read", given)
        return v.Unknown(maker=callee.maker)
    if callee.last in _BROWSERS:
        return v.BROWSER
    several = [option for value in given.all for option in v.options(value)]
    gets_browser = any(isinstance(option, v.Unknown) and option.is_browser for option in several)
    if not _is_unread(callee.path) or not gets_browser:
        return v.UNKNOWN
    _note(language, callee, f"{callee.path} gets the browser, and cannot be read", given)
    return v.Unknown(maker=callee.path)


def _note(language: "PythonLanguage", callee: v.Unknown, what: str, given: v.CallArguments) -> None:
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


@dataclass(frozen=True)
class _Way:
    """Where a call has what it submits. `values` are the keywords for it. The first `before` positional arguments name
    an element or an address, if there are more; `always` says that they do so even if there are no more. `all` says
    that everything behind them is submitted, and not only what comes next."""

    values: tuple[str, ...] = ()
    before: int = 0
    always: bool = False
    all: bool = False


_TYPED = _Way(("value", "text"), before=1)
_CHOSEN = _Way(("value", "label", "values"), before=1)
_FILES = _Way(("files", "file_path", "filepath", "paths"), before=1)
_ONE = _Way(("value", "text", "files"))
_BODY = ("data", "form", "json", "multipart", "files", "body", "content")
_SENT = _Way(_BODY, before=1, always=True)

_METHODS: dict[str, _Way] = {
    # Playwright; `fill` and `type` are those of Splinter, SeleniumBase and others, too.
    "fill": _TYPED,
    "type": _TYPED,
    "press_sequentially": _ONE,
    "insert_text": _ONE,
    "select_option": _CHOSEN,
    "set_input_files": _FILES,
    "set_files": _FILES,
    "accept": _Way(("prompt_text",), all=True),
    # Selenium.
    "send_keys": _Way(all=True),
    "send_keys_to_element": _Way(before=1, always=True, all=True),
    "select_by_visible_text": _ONE,
    "select_by_value": _ONE,
    # Requests past the page: Playwright's, requests', httpx's; the address takes the place of the element.
    "post": _SENT,
    "put": _SENT,
    "patch": _SENT,
    "fetch": _SENT,
    "request": _Way(_BODY, before=2, always=True),
    # SeleniumBase, Selene, Splinter.
    "add_text": _TYPED,
    "update_text": _TYPED,
    "set_text": _TYPED,
    "set_value": _TYPED,
    "js_type": _TYPED,
    "js_update_text": _TYPED,
    "select_option_by_text": _Way(("option",), before=1),
    "select_option_by_value": _Way(("option",), before=1),
    "choose_file": _FILES,
    "attach_file": _FILES,
    "fill_form": _Way(("field_values",), all=True),
    "choose": _Way(("value",), before=1, always=True),
    "select": _Way(("value",), before=1, always=True),
}

_FUNCTIONS: dict[str, _Way] = {
    "helium.write": _Way(("text",)),
    "helium.select": _Way(("value",), before=1, always=True),
    "helium.attach_file": _Way(("file_path",)),
}

_UPLOADING = frozenset({"helium.attach_file"})

_LOCATOR_FIRST = frozenset({f"{INHERITED}.send_keys", "sb.send_keys"})
"""SeleniumBase's own, unlike Selenium's."""


def submitted(language: "PythonLanguage", called: v.Unknown, given: v.CallArguments) -> Iterator[str]:
    """The texts that the call submits. Numbers are typed as they are written; a page shows the name of a file, and not
    the path."""
    way = _FUNCTIONS.get(called.path) or (_METHODS.get(called.last) if "." in called.path else None)
    if way is None or called.path.startswith("unittest.mock."):
        return
    if called.path in _LOCATOR_FIRST and len(given.positional) > 1:
        way = _TYPED
    values = list(_values(way, given))
    keys = [option.name for value in values for option in v.options(value) if isinstance(option, KeyboardKey)]
    shortest = 2 if any(key in MODIFIERS for key in keys) else 1
    for value in values:
        for text in (*texts_within(language, value), *_numbers(value)):
            if len(text) >= shortest:
                yield text
            if way is _FILES or called.path in _UPLOADING or (called.last == "send_keys" and looks_like_a_file(text)):
                yield base_name(text)


def _values(way: _Way, given: v.CallArguments) -> Iterator[v.Value]:
    named = [given.keywords[name] for name in way.values if name in given.keywords]
    yield from named
    positional = given.positional
    if way.all:
        yield from positional[way.before :]
    elif len(positional) > way.before:
        yield from positional[way.before : way.before + 1]
    elif not named and not way.always:
        yield from positional[:1]


def _numbers(value: v.Value) -> list[str]:
    scalars = [option.scalar for option in v.options(value) if isinstance(option, v.Text) and not option.is_text]
    return [written(each) for each in scalars if isinstance(each, int | float) and not isinstance(each, bool)]
