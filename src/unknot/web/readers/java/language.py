"""Names, methods and library calls as Java has them."""

from unknot.web.readers.interpreter.binding import put
from unknot.web.readers.interpreter.code import ClassCode
from unknot.web.readers.interpreter.foreign_code import unread_call
from unknot.web.readers.interpreter.language import Language
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.objects import constructed, known_member, method_call, static_of
from unknot.web.readers.interpreter.values import (
    BROWSER,
    UNKNOWN,
    Closure,
    LibraryValue,
    ProjectClass,
    ProjectObject,
    Value,
    either,
)
from unknot.web.readers.java.library import library_call, library_new, library_value
from unknot.web.readers.java.project import JavaProject, is_abstract

_CONSTRUCTED = 12
"""Objects that are only known by their type are made inside each other no deeper than this."""

_DRIVER = "Driver"
"""What Selenium's browsers end with: WebDriver, ChromeDriver."""


class JavaLanguage(Language):
    def __init__(self, project: JavaProject) -> None:
        self.project = project
        self.machine = Machine(self)
        self._making: list[ProjectClass] = []

    def free_name(self, name: str, at: Activation) -> Value:
        """A field of the object, of those around it or of the class; an imported constant; a class."""
        for this, owner in _around(at):
            found = known_member(this, name) if isinstance(this, ProjectObject) else None
            if found is None and owner is not None:
                found = static_of(owner, name)
            if found is not None and not isinstance(found, Closure):
                return found
        for owner in self.project.static_member_owners(name, at.file):
            constant = static_of(owner, name)
            if constant is not None:
                return constant
        return self._class(name, at) or (LibraryValue(name) if self.project.is_package(name) else library_value(name))

    def _class(self, name: str, at: Activation) -> ProjectClass | None:
        found = self.project.class_named(name, at.file, at.owner)
        if found is None:
            line = self.project.missing_import(name, at.file)
            if line is not None:
                self.machine.trace.add_gap(f"{at.file}:{line} imports {name}, which is not in the project")
        return found

    def assign_free(self, name: str, value: Value, at: Activation) -> None:
        for this, owner in _around(at):
            if isinstance(this, ProjectObject) and name in this.fields:
                put(self.machine, this.fields, name, value, at.uncertain)
                return
            for holder in owner.chain() if owner is not None else ():
                if any(member.name == name and member.kind == "field" for member in holder.code.members):
                    static_of(holder, name)
                    put(self.machine, holder.statics, name, value, at.uncertain)
                    return

    def own_call(self, name: str, arguments: list[Value], at: Activation, line: int) -> Value:
        for this, owner in _around(at):
            of = this.type if isinstance(this, ProjectObject) else owner
            method = method_call(self.machine, of, name, this, arguments, at.uncertain) if of is not None else None
            if method is not None:
                return method
        for owner in self.project.static_member_owners(name, at.file):
            method = method_call(self.machine, owner, name, owner, arguments, at.uncertain)
            if method is not None:
                return method
        holder = self.project.static_import(name, at.file)
        unread = f"{holder}.{name}" if holder and self.project.is_unread(holder, at.file) else ""
        return library_call(self.machine, UNKNOWN, name, arguments, at, line, unread=unread)

    def library_call(self, receiver: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Value:
        unread = ""
        if isinstance(receiver, LibraryValue) and receiver.name:
            self._note_missing(receiver.name, at, line)
            unread = f"{receiver.name}.{name}" if self.project.is_unread(receiver.name, at.file) else ""
        return library_call(self.machine, receiver, name, arguments, at, line, unread=unread)

    def library_new(self, of: Value, name: str, arguments: list[Value], at: Activation, line: int) -> Value:  # noqa: ARG002
        self._note_missing(name, at, line)
        is_unread = self.project.is_unread(name, at.file)
        unread = unread_call(self.machine, name, arguments, at, line) if is_unread else UNKNOWN
        made = library_new(self.machine, name, arguments)
        if made == UNKNOWN and name.endswith(_DRIVER):
            return BROWSER
        # A page may be called `UserList`, which sounds like a list.
        return made if unread == UNKNOWN else unread

    def _note_missing(self, name: str, at: Activation, line: int) -> None:
        if self.project.is_missing_here(name, at.file, at.owner):
            self.machine.trace.add_gap(f"{at.file}:{line} uses {name}, which is not found in its package")

    def library_member(self, receiver: Value, name: str, at: Activation, line: int) -> Value:  # noqa: ARG002
        """`Outer.Inner`, `com.shop.Cart`; what else is read of a library is not known."""
        if isinstance(receiver, ProjectClass):
            return self.project.class_named(name, receiver.code.file, receiver) or UNKNOWN
        if isinstance(receiver, LibraryValue) and receiver.name:
            qualified = f"{receiver.name}.{name}"
            return self.project.class_named(qualified, at.file) or LibraryValue(qualified)
        return UNKNOWN

    def typed(self, type_name: str, at: Activation) -> Value:
        found = self.project.class_named(type_name, at.file, at.owner) if type_name else None
        if found is None or found.code.kind == "enum":
            return BROWSER if found is None and type_name.endswith(_DRIVER) else UNKNOWN
        return self.made(found, at)

    def made(self, of: ProjectClass, at: Activation) -> Value:
        """An object of which only the type is known; of an abstract type, one of each class that may be meant."""
        if of in self._making or len(self._making) >= _CONSTRUCTED:
            return UNKNOWN
        self._making.append(of)
        try:
            candidates = (self.project.implementers(of) or [of]) if is_abstract(of) else [of]
            return either([constructed(self.machine, one, one.name, [], at, 0) for one in candidates])
        finally:
            self._making.pop()

    def class_of(self, code: ClassCode, at: Activation) -> ProjectClass:
        found = self.project.class_for(code, at.owner)
        found.scope = at.scope
        return found


def _around(at: Activation) -> list[tuple[Value, ProjectClass | None]]:
    """The object and class at work, then those around them."""
    found: list[tuple[Value, ProjectClass | None]] = []
    this, owner = at.this, at.owner
    while owner is not None and len(found) < 20:
        found.append((this, owner))
        this = this.outer if isinstance(this, ProjectObject) else UNKNOWN
        owner = owner.outer
        if isinstance(this, ProjectObject) and owner is None:
            owner = this.type
    return found or [(this, None)]
