"""Names, members and library calls as JavaScript has them: what its own objects, packages and Node give when their
arguments are known, and which calls submit values to a page or a server."""

import posixpath
import re
from collections.abc import Callable, Sequence

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.code import ClassCode
from unknot.web.readers.interpreter.foreign_code import call_of_unread, unread_call, with_base_names
from unknot.web.readers.interpreter.known_functions import list_method, map_method, text_method
from unknot.web.readers.interpreter.language import Language
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.objects import entered, invoked, pass_to_library
from unknot.web.readers.javascript.cypress import Cypress
from unknot.web.readers.javascript.declaring_functions import SuiteDeclarations
from unknot.web.readers.javascript.lowering import Export, Import, Imported
from unknot.web.readers.javascript.modules import JavaScriptModules

_CHAINED = v.words("then within each spread tap finally catch")
_OF_OBJECTS = v.words("toString valueOf hasOwnProperty toJSON toLocaleString isPrototypeOf propertyIsEnumerable")
_TEST_LIBRARIES = v.words("@playwright/test ava tape node:test")
_ADDING = v.words("add addAll addQuery overwrite overwriteQuery")


class JavaScriptLanguage(Language):
    def __init__(self, files: Sequence[str], read: Callable[[str], str | None]) -> None:
        self.modules = JavaScriptModules(files, read)
        self.machine = Machine(self)
        self.declarations = SuiteDeclarations(self.machine)
        self.cypress = Cypress(self.machine, self.modules)

    def free_name(self, name: str, at: Activation) -> v.Value:
        if name == "undefined":
            return v.UNKNOWN
        if name == "require":
            return v.LibraryValue("require", lambda arguments: self._required(arguments, at))
        if name == "__dirname":
            return v.Text(posixpath.dirname(at.file) or ".", None, is_text=False)
        if name in GLOBALS:
            return v.LibraryValue(name)
        return self.declarations.api(name) or v.UNKNOWN

    def _required(self, arguments: list[v.Value], at: Activation) -> v.Value:
        source = arguments[0] if arguments else v.UNKNOWN
        if not isinstance(source, v.Text):
            return v.UNKNOWN
        return self.imported(Imported(source.place.line if source.place else 0, source.text, "*"), at)

    def imported(self, code: Imported, at: Activation) -> v.Value:
        """Of a library, the functions that declare tests, and the few objects that we know."""
        if not self.modules.is_library(code.source, at.file):
            return self.modules.imported(self.machine, code, at)
        is_test = code.name == "default" and code.source in _TEST_LIBRARIES
        known = self.declarations.api("test" if is_test else code.name)
        if code.name == "*":
            names = ("test", "it", "describe", "before", "beforeEach")
            members: dict[str, v.Value] = {name: self.declarations.api(name) or v.UNKNOWN for name in names}
            return v.LibraryValue(library_name(code.source, "*"), None, members, _unread(code))
        return known or v.LibraryValue(library_name(code.source, code.name), unread=_unread(code))

    def assign_free(self, name: str, value: v.Value, at: Activation) -> None:
        at.scope.names[name] = value

    def library_call(
        self, receiver: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int
    ) -> v.Value:
        known = self._known(receiver, name, arguments, at, line)
        if known is not None:
            return known
        if name in self.cypress.commands:
            return self.cypress.command(name, arguments, at)
        called = name or (receiver.name if isinstance(receiver, v.LibraryValue) else "")
        for value in with_base_names(called, submitted_by(receiver, called, arguments)):
            self.machine.trace.submits(value)
        if isinstance(receiver, v.LibraryValue) and receiver.name == "cy":
            return self.cypress.link(receiver, name, arguments, at, line)
        return self._elsewhere(receiver, name, arguments, at, line)

    def _known(
        self, receiver: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int
    ) -> v.Value | None:
        match receiver:
            case v.Text():
                made = text_method(receiver, name, arguments, at.place(line))
                return None if made is None else self.machine.read(made)
            case v.Items():
                return list_method(self.machine, receiver, name, arguments, at, line)
            case v.Entries(origin="map"):
                return map_method(self.machine, receiver, name, arguments, at, line)
            case v.Closure() if name in ("call", "apply", "bind"):
                given = v.items(arguments[1]) if name == "apply" and len(arguments) > 1 else arguments[1:]
                this = arguments[0] if arguments else v.UNKNOWN
                return receiver if name == "bind" else entered(self.machine, receiver, this, given, at.uncertain)
            case v.LibraryValue(name="fs") if name == "readFileSync" and arguments and isinstance(arguments[0], v.Text):
                return self.modules.data(posixpath.normpath(arguments[0].text))
            case v.LibraryValue(name="Cypress.Commands") if name in _ADDING and arguments:
                self.cypress.add_command(name, arguments)
                return v.UNKNOWN
            case v.LibraryValue(name=owner) if owner:
                return static_call(owner, name, arguments, at, line)
        return None

    def _elsewhere(self, receiver: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int) -> v.Value:
        """Code outside the project. A call that waits for a value hands it to its callback."""
        if name == "as" and arguments and isinstance(arguments[0], v.Text):
            self.cypress.aliases[arguments[0].text] = receiver
            return receiver
        if name in _CHAINED and not isinstance(receiver, v.Unknown | v.LibraryValue):
            result: v.Value = v.UNKNOWN
            for function in v.functions_in(arguments):
                result = invoked(self.machine, function, "", [receiver], at, line)
            return receiver if isinstance(result, v.Unknown) else result
        of = receiver.type if isinstance(receiver, v.ProjectObject) else None
        if of is not None and of.is_all_known and name not in _OF_OBJECTS:
            self.machine.trace.add_gap(f"{at.file}:{line} calls {name} of {of.name}, which has no such method")
        pass_to_library(self.machine, arguments)
        if isinstance(receiver, v.Unknown) and receiver.maker:
            if submitted_by(receiver, name, arguments):
                return receiver
            return call_of_unread(self.machine, receiver, name, arguments, at, line)
        if unread := _unread_name(receiver):
            called = f"{unread}.{name}" if name else unread
            return unread_call(self.machine, called, arguments, at, line)
        return v.UNKNOWN

    def library_new(self, of: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int) -> v.Value:
        if name == "Map":
            pairs = [
                pair.items
                for pair in (arguments[0].items if arguments and isinstance(arguments[0], v.Items) else [])
                if isinstance(pair, v.Items) and len(pair.items) == 2
            ]
            return v.Entries({key.text: value for key, value in pairs if isinstance(key, v.Text)}, "map")
        if name in ("Set", "Array"):
            return arguments[0] if arguments and isinstance(arguments[0], v.Items) else v.Items([])
        return self._elsewhere(of if _unread_name(of) else v.UNKNOWN, "", arguments, at, line)

    def library_member(self, receiver: v.Value, name: str, at: Activation, line: int) -> v.Value:  # noqa: ARG002
        if isinstance(receiver, v.Unknown) and receiver.maker:
            return receiver
        if unread := _unread_name(receiver):
            return v.Unknown(f"{unread}.{name}")
        if isinstance(receiver, v.LibraryValue) and receiver.name == "Cypress" and name == "Commands":
            return v.LibraryValue("Cypress.Commands")
        return v.UNKNOWN

    def class_of(self, code: ClassCode, at: Activation) -> v.Value:
        above: v.Value | None = None
        if code.superclass is not None:
            found = self.machine.value(code.superclass, at)
            above = found if isinstance(found, v.ProjectClass) else v.UNKNOWN
        return v.ProjectClass(code, at.scope, above)


def _unread(code: Imported) -> str:
    """What to call something of a package of which nothing is known; empty for what is of another."""
    if is_known_package(code.source):
        return ""
    return code.source if code.name in ("default", "*") else f"{code.source}.{code.name}"


def _unread_name(value: v.Value) -> str:
    return (
        value.unread
        if isinstance(value, v.LibraryValue)
        else value.path
        if isinstance(value, v.Unknown) and value != v.BROWSER
        else ""
    )


def _imported(machine: Machine, code: Imported, at: Activation) -> v.Value:
    language = machine.language
    return language.imported(code, at) if isinstance(language, JavaScriptLanguage) else v.UNKNOWN


Machine.evaluators[Imported] = _imported
Machine.evaluators.update(dict.fromkeys((Import, Export), lambda machine, code, at: v.UNKNOWN))


_TYPING = v.words(
    "fill type pressSequentially selectOption setInputFiles setFiles insertText select setValue addValue",
    "selectByVisibleText selectByAttribute sendKeys typeText setFilesToUpload selectFile attachFile realType",
)
_LAST_ONLY = frozenset(["selectByAttribute"])
_SENDING = frozenset(["post", "put", "patch"])
_BODIES = ("data", "form", "multipart", "body", "json")
_VALUES = v.words("label value contents fileName name buffer filePath index")
_SPECIAL_KEY = re.compile(
    r"\{(?:[a-zA-Z]+[aA]rrow|enter|esc|del|backspace|tab|selectall|home|end|ctrl|shift|alt|meta"
    r"|page(?:Up|Down)|moveTo(?:Start|End)|insert|cmd|control|option)\}",
    re.IGNORECASE,
)


def submitted_by(receiver: v.Value, name: str, arguments: Sequence[v.Value]) -> list[v.Value]:
    """The values that `receiver.name(arguments)` submits; none if it submits nothing."""
    is_cypress = isinstance(receiver, v.LibraryValue) and receiver.name == "cy"
    if is_cypress and name == "request":
        return _requested(arguments)
    if name in _SENDING or name == "fetch":
        return _sent(arguments)
    if is_cypress and name == "check":
        return [_typed(value) for value in arguments[:1] if isinstance(value, v.Text | v.Items)]
    if name not in _TYPING or isinstance(receiver, v.Items | v.Text):
        return []
    values = [value for value in arguments if not _is_options(value)]
    if len(values) > 1 and not is_cypress and name != "sendKeys":
        values = values[1:]
    if name in _LAST_ONLY:
        values = values[-1:]
    return [_typed(value) for value in (values[:1] if is_cypress else values)]


def _is_options(value: v.Value) -> bool:
    """`{ delay: 100 }`, and not `{ label: 'Blue' }`."""
    return isinstance(value, v.Entries) and not _VALUES & value.entries.keys()


def _typed(value: v.Value) -> v.Value:
    """Without Cypress's special keys: `user{enter}` types `user`."""
    if isinstance(value, v.Text) and "{" in value.text:
        return v.Text(_SPECIAL_KEY.sub("", value.text), value.place, value.is_text)
    if isinstance(value, v.Entries):
        return v.Items([part for name, part in value.entries.items() if name in _VALUES])
    return value


def _requested(arguments: Sequence[v.Value]) -> list[v.Value]:
    """`cy.request('POST', url, body)`, `cy.request(url, body)`, `cy.request({ method, url, body })`."""
    if arguments and isinstance(arguments[0], v.Entries):
        method = arguments[0].entries.get("method")
        is_reading = not isinstance(method, v.Text | v.Unknown) or (
            isinstance(method, v.Text) and method.text.upper() == "GET"
        )
        return [] if is_reading else _body(arguments[0])
    return list(arguments[1:][-1:]) if len(arguments) > 1 and not isinstance(arguments[-1], v.Text) else []


def _sent(arguments: Sequence[v.Value]) -> list[v.Value]:
    """`request.post(url, { data })`, `fetch(url, { method, body })`, `axios.post(url, data)`."""
    if len(arguments) < 2 or not isinstance(arguments[1], v.Entries):
        return []
    return _body(arguments[1]) or [arguments[1]]


def _body(options: v.Entries) -> list[v.Value]:
    return [options.entries[name] for name in _BODIES if name in options.entries]


_PACKAGES = v.words(
    "playwright playwright-core cypress selenium-webdriver webdriverio puppeteer puppeteer-core testcafe nightwatch",
    "mocha chai jest vitest ava tape expect should sinon jest-dom uuid nanoid lodash underscore ramda moment dayjs",
    "date-fns luxon faker chance axios node-fetch got supertest superagent dotenv fs-extra glob yaml js-yaml csv-parse",
    "papaparse xlsx pg mysql mysql2 mongodb knex zod ajv typescript react react-dom vue axe-core axe-playwright",
    "cypress-axe playwright-lighthouse lighthouse pixelmatch pngjs looks-same chalk debug winston pino otpauth otplib",
    "chromedriver geckodriver jquery rxjs allure-js-commons allure-playwright allure-mocha monocart-reporter tslib",
)
_SCOPES = tuple(
    v.words(
        "@playwright/ @cypress/ @testing-library/ @faker-js/ @types/ @wdio/ @jest/ @axe-core/ @percy/ @applitools/",
        "@argos-ci/ @chromatic-com/ @badeball/ @cucumber/ @babel/ @shelex/ node:",
    )
)
_OF_NODE = v.words(
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


GLOBALS = v.words("Object JSON Array Promise String Number path process Cypress cy fetch")


def static_call(owner: str, name: str, arguments: Sequence[v.Value], at: Activation, line: int) -> v.Value | None:
    """`Object.entries(users)` and the like; None if that is nothing we know."""
    first = arguments[0] if arguments else v.UNKNOWN
    match owner, name:
        case "Object", "keys" | "values" | "entries" if isinstance(first, v.Entries):
            return _listed(first, name, at, line)
        case ("Object", "freeze" | "seal" | "assign" | "fromEntries") | ("Array", "from") | ("JSON", _):
            return _merged(arguments) if name == "assign" else first
        case ("Promise", "all" | "allSettled" | "resolve") | ("String" | "Number", "" | "raw"):
            return first
        case "Array", "of":
            return v.Items(list(arguments))
        case "path", "join" | "resolve":
            return _path(arguments, at, line)
        case ("path", "basename") if isinstance(first, v.Text):
            return v.Text(posixpath.basename(first.text), at.place(line))
    return None


def _listed(record: v.Entries, name: str, at: Activation, line: int) -> v.Value:
    keys: list[v.Value] = [v.Text(key, at.place(line)) for key in record.entries]
    values = list(record.entries.values())
    if name == "entries":
        return v.Items([v.Items([key, value]) for key, value in zip(keys, values, strict=True)])
    return v.Items(keys if name == "keys" else values)


def _merged(arguments: Sequence[v.Value]) -> v.Value:
    entries: dict[str, v.Value] = {}
    for argument in arguments:
        entries.update(argument.entries if isinstance(argument, v.Entries) else {})
    return v.Entries(entries)


def _path(arguments: Sequence[v.Value], at: Activation, line: int) -> v.Value:
    """Without the part that is known only at run time, such as the directory of the file."""
    texts = [argument.text for argument in arguments if isinstance(argument, v.Text)]
    joined = posixpath.normpath(posixpath.join(*(text.lstrip("/") for text in texts))) if texts else ""
    while joined.startswith("../"):
        joined = joined.removeprefix("../")
    return v.Text(joined, at.place(line)) if joined else v.UNKNOWN


def library_name(source: str, name: str) -> str:
    """What we call an export of a library; empty for all but the few that we know."""
    simple = source.removeprefix("node:")
    if name not in ("default", "*"):
        return ""
    return {"path": "path", "path/posix": "path", "fs": "fs", "fs-extra": "fs"}.get(simple, "")
