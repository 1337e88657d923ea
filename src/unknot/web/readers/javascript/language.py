"""Names, members and library calls as JavaScript has them."""

import posixpath
from collections.abc import Callable, Sequence

from unknot.web.readers.interpreter.code import ClassCode
from unknot.web.readers.interpreter.foreign_code import call_of_unread, unread_call, with_base_names
from unknot.web.readers.interpreter.known_functions import list_method, map_method, text_method
from unknot.web.readers.interpreter.language import Language
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.objects import entered, invoked, pass_to_library
from unknot.web.readers.interpreter.values import (
    BROWSER,
    UNKNOWN,
    Closure,
    Entries,
    Items,
    LibraryValue,
    ProjectClass,
    ProjectObject,
    Text,
    Unknown,
    Value,
    functions_in,
    items,
    words,
)
from unknot.web.readers.javascript.cypress import Cypress
from unknot.web.readers.javascript.declaring_functions import SuiteDeclarations
from unknot.web.readers.javascript.library import GLOBALS, is_known_package, library_name, static_call, submitted_by
from unknot.web.readers.javascript.lowering import Export, Import, Imported
from unknot.web.readers.javascript.modules import JavaScriptModules

_CHAINED = words("then within each spread tap finally catch")
_OF_OBJECTS = words("toString valueOf hasOwnProperty toJSON toLocaleString isPrototypeOf propertyIsEnumerable")
_TEST_LIBRARIES = words("@playwright/test ava tape node:test")
_ADDING = words("add addAll addQuery overwrite overwriteQuery")


class JavaScriptLanguage(Language):
    def __init__(self, files: Sequence[str], read: Callable[[str], str | None]) -> None:
        self.modules = JavaScriptModules(files, read)
        self.machine = Machine(self)
        self.declarations = SuiteDeclarations(self.machine)
        self.cypress = Cypress(self.machine, self.modules)

    def free_name(self, name: str, at: Activation) -> Value:
        if name == "undefined":
            return UNKNOWN
        if name == "require":
            return LibraryValue("require", lambda arguments: self._required(arguments, at))
        if name == "__dirname":
            return Text(posixpath.dirname(at.file) or ".", None, is_text=False)
        if name in GLOBALS:
            return LibraryValue(name)
        return self.declarations.api(name) or UNKNOWN

    def _required(self, arguments: list[Value], at: Activation) -> Value:
        source = arguments[0] if arguments else UNKNOWN
        if not isinstance(source, Text):
            return UNKNOWN
        return self.imported(Imported(source.place.line if source.place else 0, source.text, "*"), at)

    def imported(self, code: Imported, at: Activation) -> Value:
        """Of a library, the functions that declare tests, and the few objects that we know."""
        if not self.modules.is_library(code.source, at.file):
            return self.modules.imported(self.machine, code, at)
        is_test = code.name == "default" and code.source in _TEST_LIBRARIES
        known = self.declarations.api("test" if is_test else code.name)
        if code.name == "*":
            return LibraryValue(library_name(code.source, "*"), None, self._library_members(), _unread(code))
        return known or LibraryValue(library_name(code.source, code.name), unread=_unread(code))

    def _library_members(self) -> dict[str, Value]:
        made = {name: self.declarations.api(name) for name in ("test", "it", "describe", "before", "beforeEach")}
        return {name: value for name, value in made.items() if value is not None}

    def assign_free(self, name: str, value: Value, at: Activation) -> None:
        at.scope.names[name] = value

    def library_call(self, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Value:
        known = self._known(receiver, name, arguments, at, line)
        if known is not None:
            return known
        if name in self.cypress.commands:
            return self.cypress.command(name, arguments, at)
        called = name or (receiver.name if isinstance(receiver, LibraryValue) else "")
        for value in with_base_names(called, submitted_by(receiver, called, arguments)):
            self.machine.trace.submits(value)
        if isinstance(receiver, LibraryValue) and receiver.name == "cy":
            return self.cypress.link(receiver, name, arguments, at, line)
        return self._elsewhere(receiver, name, arguments, at, line)

    def _known(self, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Value | None:
        match receiver:
            case Text():
                made = text_method(receiver, name, arguments, at.place(line))
                return None if made is None else self.machine.read(made)
            case Items():
                return list_method(self.machine, receiver, name, arguments, at, line)
            case Entries(origin="map"):
                return map_method(self.machine, receiver, name, arguments, at, line)
            case Closure() if name in ("call", "apply", "bind"):
                given = items(arguments[1]) if name == "apply" and len(arguments) > 1 else arguments[1:]
                this = arguments[0] if arguments else UNKNOWN
                return receiver if name == "bind" else entered(self.machine, receiver, this, given, at.uncertain)
            case LibraryValue(name="fs") if name == "readFileSync" and arguments and isinstance(arguments[0], Text):
                return self.modules.data(posixpath.normpath(arguments[0].text))
            case LibraryValue(name="Cypress.Commands") if name in _ADDING and arguments:
                self.cypress.add_command(name, arguments)
                return UNKNOWN
            case LibraryValue(name=owner) if owner:
                return static_call(owner, name, arguments, at, line)
        return None

    def _elsewhere(self, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Value:
        """Code outside the project. A call that waits for a value hands it to its callback."""
        if name == "as" and arguments and isinstance(arguments[0], Text):
            self.cypress.aliases[arguments[0].text] = receiver
            return receiver
        if name in _CHAINED and not isinstance(receiver, Unknown | LibraryValue):
            result: Value = UNKNOWN
            for function in functions_in(arguments):
                result = invoked(self.machine, function, "", [receiver], at, line)
            return receiver if isinstance(result, Unknown) else result
        if self._is_missing_method(receiver, name):
            owner = receiver.type.name if isinstance(receiver, ProjectObject) else ""
            self.machine.trace.add_gap(f"{at.file}:{line} calls {name} of {owner}, which has no such method")
        pass_to_library(self.machine, arguments)
        if isinstance(receiver, Unknown) and receiver.maker:
            if submitted_by(receiver, name, arguments):
                return receiver
            return call_of_unread(self.machine, receiver, name, arguments, at, line)
        if unread := _unread_name(receiver):
            called = f"{unread}.{name}" if name else unread
            return unread_call(self.machine, called, arguments, at, line)
        return UNKNOWN

    def _is_missing_method(self, receiver: Value, name: str) -> bool:
        return isinstance(receiver, ProjectObject) and receiver.type.is_all_known and name not in _OF_OBJECTS

    def library_new(self, of: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Value:
        if name == "Map":
            pairs = [
                pair.items
                for pair in (arguments[0].items if arguments and isinstance(arguments[0], Items) else [])
                if isinstance(pair, Items) and len(pair.items) == 2
            ]
            return Entries({key.text: value for key, value in pairs if isinstance(key, Text)}, "map")
        if name in ("Set", "Array"):
            return arguments[0] if arguments and isinstance(arguments[0], Items) else Items([])
        return self._elsewhere(of if _unread_name(of) else UNKNOWN, "", arguments, at, line)

    def library_member(self, receiver: Value, name: str, at: Activation, line: int) -> Value:  # noqa: ARG002
        if isinstance(receiver, Unknown) and receiver.maker:
            return receiver
        if unread := _unread_name(receiver):
            return Unknown(f"{unread}.{name}")
        if isinstance(receiver, LibraryValue) and receiver.name == "Cypress" and name == "Commands":
            return LibraryValue("Cypress.Commands")
        return UNKNOWN

    def class_of(self, code: ClassCode, at: Activation) -> Value:
        above: Value | None = None
        if code.superclass is not None:
            found = self.machine.value(code.superclass, at)
            above = found if isinstance(found, ProjectClass) else UNKNOWN
        return ProjectClass(code, at.scope, above)


def _unread(code: Imported) -> str:
    """What to call something of a package of which nothing is known; empty for what is of another."""
    if is_known_package(code.source):
        return ""
    return code.source if code.name in ("default", "*") else f"{code.source}.{code.name}"


def _unread_name(value: Value) -> str:
    return (
        value.unread
        if isinstance(value, LibraryValue)
        else value.path
        if isinstance(value, Unknown) and value != BROWSER
        else ""
    )


def _imported(machine: Machine, code: Imported, at: Activation) -> Value:
    language = machine.language
    return language.imported(code, at) if isinstance(language, JavaScriptLanguage) else UNKNOWN


Machine.evaluators[Imported] = _imported
Machine.evaluators.update(dict.fromkeys((Import, Export), lambda machine, code, at: UNKNOWN))
