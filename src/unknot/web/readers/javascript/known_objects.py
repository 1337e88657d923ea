"""What JavaScript's own objects and Node's give, when their arguments are known."""

import posixpath
from collections.abc import Sequence

from unknot.web.readers.interpreter.machine import Activation
from unknot.web.readers.interpreter.values import UNKNOWN, Entries, Items, Text, Value, words

# Packages of others of which it is known that they type nothing beyond what is looked for anyway.
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
    """Without the part that nobody knows before it runs, such as the directory of the file."""
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
