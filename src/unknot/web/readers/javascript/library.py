"""JavaScript's own objects, packages and Node: what they give when their arguments are known, and which calls submit
values to a page or a server."""

import posixpath
import re
from collections.abc import Sequence

from unknot.web.readers.interpreter.machine import Activation
from unknot.web.readers.interpreter.values import UNKNOWN, Entries, Items, LibraryValue, Text, Unknown, Value, words

_TYPING = words(
    "fill type pressSequentially selectOption setInputFiles setFiles insertText select setValue addValue",
    "selectByVisibleText selectByAttribute sendKeys typeText setFilesToUpload selectFile attachFile realType",
)
_LAST_ONLY = frozenset(["selectByAttribute"])
_SENDING = frozenset(["post", "put", "patch"])
_BODIES = ("data", "form", "multipart", "body", "json")
_VALUES = words("label value contents fileName name buffer filePath index")
_SPECIAL_KEY = re.compile(
    r"\{(?:[a-zA-Z]+[aA]rrow|enter|esc|del|backspace|tab|selectall|home|end|ctrl|shift|alt|meta"
    r"|page(?:Up|Down)|moveTo(?:Start|End)|insert|cmd|control|option)\}",
    re.IGNORECASE,
)


def submitted_by(receiver: Value, name: str, arguments: Sequence[Value]) -> list[Value]:
    """The values that `receiver.name(arguments)` submits; none if it submits nothing."""
    is_cypress = isinstance(receiver, LibraryValue) and receiver.name == "cy"
    if is_cypress and name == "request":
        return _requested(arguments)
    if name in _SENDING or name == "fetch":
        return _sent(arguments)
    if is_cypress and name == "check":
        return [_typed(value) for value in arguments[:1] if isinstance(value, Text | Items)]
    if name not in _TYPING or isinstance(receiver, Items | Text):
        return []
    values = [value for value in arguments if not _is_options(value)]
    if len(values) > 1 and not is_cypress and name != "sendKeys":
        values = values[1:]
    if name in _LAST_ONLY:
        values = values[-1:]
    return [_typed(value) for value in (values[:1] if is_cypress else values)]


def _is_options(value: Value) -> bool:
    """`{ delay: 100 }`, and not `{ label: 'Blue' }`."""
    return isinstance(value, Entries) and not _VALUES & value.entries.keys()


def _typed(value: Value) -> Value:
    """Without Cypress's special keys: `user{enter}` types `user`."""
    if isinstance(value, Text) and "{" in value.text:
        return Text(_SPECIAL_KEY.sub("", value.text), value.place, value.is_text)
    if isinstance(value, Entries):
        return Items([part for name, part in value.entries.items() if name in _VALUES])
    return value


def _requested(arguments: Sequence[Value]) -> list[Value]:
    """`cy.request('POST', url, body)`, `cy.request(url, body)`, `cy.request({ method, url, body })`."""
    if arguments and isinstance(arguments[0], Entries):
        method = arguments[0].entries.get("method")
        is_reading = not isinstance(method, Text | Unknown) or (
            isinstance(method, Text) and method.text.upper() == "GET"
        )
        return [] if is_reading else _body(arguments[0])
    return list(arguments[1:][-1:]) if len(arguments) > 1 and not _is_url(arguments[-1]) else []


def _is_url(value: Value) -> bool:
    return isinstance(value, Text)


def _sent(arguments: Sequence[Value]) -> list[Value]:
    """`request.post(url, { data })`, `fetch(url, { method, body })`, `axios.post(url, data)`."""
    if len(arguments) < 2 or not isinstance(arguments[1], Entries):
        return []
    return _body(arguments[1]) or [arguments[1]]


def _body(options: Entries) -> list[Value]:
    return [options.entries[name] for name in _BODIES if name in options.entries]


_PACKAGES = words(
    "playwright playwright-core cypress selenium-webdriver webdriverio puppeteer puppeteer-core testcafe nightwatch",
    "mocha chai jest vitest ava tape expect should sinon jest-dom uuid nanoid lodash underscore ramda moment dayjs",
    "date-fns luxon faker chance axios node-fetch got supertest superagent dotenv fs-extra glob yaml js-yaml csv-parse",
    "papaparse xlsx pg mysql mysql2 mongodb knex zod ajv typescript react react-dom vue axe-core axe-playwright",
    "cypress-axe playwright-lighthouse lighthouse pixelmatch pngjs looks-same chalk debug winston pino otpauth otplib",
    "chromedriver geckodriver jquery rxjs allure-js-commons allure-playwright allure-mocha monocart-reporter tslib",
)
_SCOPES = tuple(
    words(
        "@playwright/ @cypress/ @testing-library/ @faker-js/ @types/ @wdio/ @jest/ @axe-core/ @percy/ @applitools/",
        "@argos-ci/ @chromatic-com/ @badeball/ @cucumber/ @babel/ @shelex/ node:",
    )
)
_OF_NODE = words(
    "assert async_hooks buffer child_process cluster console constants crypto dgram dns domain events fs http http2",
    "https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder",
    "timers tls tty url util v8 vm worker_threads zlib",
)


def is_known_package(source: str) -> bool:
    """
    >>> is_known_package("@playwright/test"), is_known_package("fs/promises"), is_known_package("acme-pages")
    (True, True, False)
    """
    return source.startswith(_SCOPES) or source.partition("/")[0] in _PACKAGES | _OF_NODE


GLOBALS = words("Object JSON Array Promise String Number path process Cypress cy fetch")


def static_call(owner: str, name: str, arguments: Sequence[Value], at: Activation, line: int) -> Value | None:
    """`Object.entries(users)` and the like; None if that is nothing we know."""
    first = arguments[0] if arguments else UNKNOWN
    match owner, name:
        case "Object", "keys" | "values" | "entries" if isinstance(first, Entries):
            return _listed(first, name, at, line)
        case ("Object", "freeze" | "seal" | "assign" | "fromEntries") | ("Array", "from") | ("JSON", _):
            return _merged(arguments) if name == "assign" else first
        case ("Promise", "all" | "allSettled" | "resolve") | ("String" | "Number", "" | "raw"):
            return first
        case "Array", "of":
            return Items(list(arguments))
        case "path", "join" | "resolve":
            return _path(arguments, at, line)
        case ("path", "basename") if isinstance(first, Text):
            return Text(posixpath.basename(first.text), at.place(line))
    return None


def _listed(record: Entries, name: str, at: Activation, line: int) -> Value:
    keys: list[Value] = [Text(key, at.place(line)) for key in record.entries]
    values = list(record.entries.values())
    if name == "entries":
        return Items([Items([key, value]) for key, value in zip(keys, values, strict=True)])
    return Items(keys if name == "keys" else values)


def _merged(arguments: Sequence[Value]) -> Value:
    entries: dict[str, Value] = {}
    for argument in arguments:
        entries.update(argument.entries if isinstance(argument, Entries) else {})
    return Entries(entries)


def _path(arguments: Sequence[Value], at: Activation, line: int) -> Value:
    """Without the part that is known only at run time, such as the directory of the file."""
    texts = [argument.text for argument in arguments if isinstance(argument, Text)]
    joined = posixpath.normpath(posixpath.join(*(text.lstrip("/") for text in texts))) if texts else ""
    while joined.startswith("../"):
        joined = joined.removeprefix("../")
    return Text(joined, at.place(line)) if joined else UNKNOWN


def library_name(source: str, name: str) -> str:
    """What we call an export of a library; empty for all but the few that we know."""
    simple = source.removeprefix("node:")
    if name not in ("default", "*"):
        return ""
    return {"path": "path", "path/posix": "path", "fs": "fs", "fs-extra": "fs"}.get(simple, "")
