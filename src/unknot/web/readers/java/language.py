"""Names, methods and library calls as Java has them: what submits a text to a page,
library functions with known results, and methods that classes have without writing them."""

from unknot.model.recording import Frame
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.code import ClassCode
from unknot.web.readers.interpreter.expressions import put_together
from unknot.web.readers.interpreter.foreign_code import call_of_unread, unread_call, with_base_names
from unknot.web.readers.interpreter.known_functions import list_method, map_method, text_method
from unknot.web.readers.interpreter.language import Language
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.objects import (
    constructed,
    entered,
    known_member,
    method_call,
    pass_to_library,
    start,
    static_of,
)
from unknot.web.readers.interpreter.statements import put
from unknot.web.readers.java.project import JavaProject, is_abstract

_CONSTRUCTED = 12
"""Objects that are only known by their type are made inside each other no deeper than this."""

_DRIVER = "Driver"
"""What Selenium's browsers end with: WebDriver, ChromeDriver."""


class JavaLanguage(Language):
    def __init__(self, project: JavaProject) -> None:
        self.project = project
        self.machine = Machine(self)
        self._making: list[v.ProjectClass] = []

    def free_name(self, name: str, at: Activation) -> v.Value:
        """A field of the object, of those around it or of the class; an imported constant; a class."""
        for this, owner in _around(at):
            found = known_member(this, name) if isinstance(this, v.ProjectObject) else None
            if found is None and owner is not None:
                found = static_of(owner, name)
            if found is not None and not isinstance(found, v.Closure):
                return found
        for owner in self.project.static_member_owners(name, at.file):
            constant = static_of(owner, name)
            if constant is not None:
                return constant
        is_of_library = name[:1].isupper() or self.project.is_package(name)
        return self._class(name, at) or (v.LibraryValue(name) if is_of_library else v.UNKNOWN)

    def _class(self, name: str, at: Activation) -> v.ProjectClass | None:
        found = self.project.class_named(name, at.file, at.owner)
        if found is None:
            line = self.project.missing_import(name, at.file)
            if line is not None:
                self.machine.trace.add_gap(f"{at.file}:{line} imports {name}, which is not in the project")
        return found

    def assign_free(self, name: str, value: v.Value, at: Activation) -> None:
        for this, owner in _around(at):
            if isinstance(this, v.ProjectObject) and name in this.fields:
                put(self.machine, this.fields, name, value, at.uncertain)
                return
            for holder in owner.chain() if owner is not None else ():
                if any(member.name == name and member.kind == "field" for member in holder.code.members):
                    static_of(holder, name)
                    put(self.machine, holder.statics, name, value, at.uncertain)
                    return

    def own_call(self, name: str, arguments: list[v.Value], at: Activation, line: int) -> v.Value:
        for this, owner in _around(at):
            of = this.type if isinstance(this, v.ProjectObject) else owner
            method = method_call(self.machine, of, name, this, arguments, at.uncertain) if of is not None else None
            if method is not None:
                return method
        for owner in self.project.static_member_owners(name, at.file):
            method = method_call(self.machine, owner, name, owner, arguments, at.uncertain)
            if method is not None:
                return method
        holder = self.project.file(at.file).static_imports.get(name, "")
        unread = f"{holder}.{name}" if holder and self.project.is_unread(holder, at.file) else ""
        return call_library(self.machine, v.UNKNOWN, name, arguments, at, line, unread=unread)

    def library_call(
        self, receiver: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int
    ) -> v.Value:
        unread = ""
        if isinstance(receiver, v.LibraryValue) and receiver.name:
            self._note_missing(receiver.name, at, line)
            unread = f"{receiver.name}.{name}" if self.project.is_unread(receiver.name, at.file) else ""
        return call_library(self.machine, receiver, name, arguments, at, line, unread=unread)

    def library_new(self, of: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int) -> v.Value:  # noqa: ARG002
        self._note_missing(name, at, line)
        is_unread = self.project.is_unread(name, at.file)
        unread = unread_call(self.machine, name, arguments, at, line) if is_unread else v.UNKNOWN
        made = new_of_library(self.machine, name, arguments)
        if made == v.UNKNOWN and name.endswith(_DRIVER):
            return v.BROWSER
        # A page may be called `UserList`, which sounds like a list.
        return made if unread == v.UNKNOWN else unread

    def _note_missing(self, name: str, at: Activation, line: int) -> None:
        if self.project.is_missing_here(name, at.file, at.owner):
            self.machine.trace.add_gap(f"{at.file}:{line} uses {name}, which is not found in its package")

    def library_member(self, receiver: v.Value, name: str, at: Activation, line: int) -> v.Value:  # noqa: ARG002
        """`Outer.Inner`, `com.shop.Cart`; what else is read of a library is not known."""
        if isinstance(receiver, v.ProjectClass):
            return self.project.class_named(name, receiver.code.file, receiver) or v.UNKNOWN
        if isinstance(receiver, v.LibraryValue) and receiver.name:
            qualified = f"{receiver.name}.{name}"
            return self.project.class_named(qualified, at.file) or v.LibraryValue(qualified)
        return v.UNKNOWN

    def typed(self, type_name: str, at: Activation) -> v.Value:
        found = self.project.class_named(type_name, at.file, at.owner) if type_name else None
        if found is None or found.code.kind == "enum":
            return v.BROWSER if found is None and type_name.endswith(_DRIVER) else v.UNKNOWN
        return self.made(found, at)

    def made(self, of: v.ProjectClass, at: Activation) -> v.Value:
        """An object of which only the type is known; of an abstract type, one of each class that may be meant."""
        if of in self._making or len(self._making) >= _CONSTRUCTED:
            return v.UNKNOWN
        self._making.append(of)
        try:
            candidates = (self.project.implementers(of) or [of]) if is_abstract(of) else [of]
            return v.either([constructed(self.machine, one, one.name, [], at, 0) for one in candidates])
        finally:
            self._making.pop()

    def class_of(self, code: ClassCode, at: Activation) -> v.ProjectClass:
        found = self.project.class_for(code, at.owner)
        found.scope = at.scope
        return found


def _around(at: Activation) -> list[tuple[v.Value, v.ProjectClass | None]]:
    """The object and class at work, then those around them."""
    found: list[tuple[v.Value, v.ProjectClass | None]] = []
    this, owner = at.this, at.owner
    while owner is not None and len(found) < 20:
        found.append((this, owner))
        this = this.outer if isinstance(this, v.ProjectObject) else v.UNKNOWN
        owner = owner.outer
        if isinstance(this, v.ProjectObject) and owner is None:
            owner = this.type
    return found or [(this, None)]


SUBMITTING = v.words(
    "sendKeys selectByVisibleText selectByValue selectByIndex selectByContainsVisibleText setValue",
    "selectOption selectOptionByValue uploadFile uploadFromClasspath typeText fill pressSequentially",
    "setInputFiles",
)
_SELECTOR_FIRST = frozenset({"fill", "selectOption", "setInputFiles"})


def call_library(
    machine: Machine,
    receiver: v.Value,
    name: str,
    arguments: list[v.Value],
    at: Activation,
    line: int,
    *,
    unread: str = "",
) -> v.Value:
    """`unread` is what to call the code that is called, if it is of a package of which nothing is known."""
    known = _known(machine, receiver, name, arguments, at, line)
    if known is not None:
        return known
    of = receiver.type if isinstance(receiver, v.ProjectObject) else receiver
    if isinstance(of, v.ProjectClass) and is_missing_method(of, name):
        machine.trace.add_gap(f"{at.file}:{line} calls {name} of {of.name}, which has no such method")
    if name in SUBMITTING:
        skipped = (
            1
            if name in _SELECTOR_FIRST and len(arguments) > 1 and isinstance(arguments[1], v.Text | v.Items | v.Unknown)
            else 0
        )
        for argument in with_base_names(name, arguments[skipped:]):
            machine.trace.submits(argument)
    made: v.Value = v.UNKNOWN
    if isinstance(receiver, v.Unknown) and receiver.maker:
        is_recorded = name in SUBMITTING
        made = receiver if is_recorded else call_of_unread(machine, receiver, name, arguments, at, line)
    elif unread:
        made = unread_call(machine, unread, arguments, at, line)
    return _elsewhere(machine, receiver, arguments, at, made)


def _known(
    machine: Machine, receiver: v.Value, name: str, arguments: list[v.Value], at: Activation, line: int
) -> v.Value | None:
    """The result of a call with a known meaning; None of any other."""
    made: v.Value | None = None
    match receiver:
        case v.ProjectObject() | v.ProjectClass():
            return implicit_method(machine, receiver, name, arguments, at)
        case v.TextBuilder():
            if name == "append" and arguments:
                receiver.text = put_together([receiver.text, arguments[0]], at, line)
            return receiver.text if name == "toString" else receiver
        case v.Items():
            if name in ("getKey", "getValue") and len(receiver.items) == 2:
                # An entry of a map.
                return machine.read(receiver.items[name == "getValue"])
            return list_method(machine, receiver, name, arguments, at, line)
        case v.Entries():
            return map_method(machine, receiver, name, arguments, at, line)
        case v.Closure():
            # A functional interface, whatever it calls its one method.
            return entered(machine, receiver, receiver.this, arguments, at.uncertain)
        case v.LibraryValue() if name in ("generate", "iterate"):
            return v.Items([entered(machine, one, one.this, []) for one in v.functions_in(arguments)])
        case v.Text():
            made = text_method(receiver, name, arguments, at.place(line))
        case v.LibraryValue(name=owner):
            made = static_call(owner, name, arguments, at, line)
        case v.Unknown() if name == "arguments":
            made = v.Items(list(arguments))
    return None if made is None else machine.read(made)


def _elsewhere(machine: Machine, receiver: v.Value, arguments: list[v.Value], at: Activation, made: v.Value) -> v.Value:
    """Code outside the project, which gives `made` as far as that is known. It may use all its arguments. Of
    a class it makes an object, as `PageFactory.initElements(driver, LoginPage.class)` does; a chain of calls stays with
    its object."""
    pass_to_library(machine, arguments)
    for argument in arguments:
        if isinstance(argument, v.ProjectClass) and argument.code.kind == "class":
            return constructed(machine, argument, argument.name, [], at, 0)
    return receiver if isinstance(receiver, v.ProjectObject) and not receiver.type.is_all_known else made


_OF_OBJECTS = v.words(
    "toString equals hashCode getClass wait notify notifyAll name ordinal compareTo values valueOf length",
    "clone builder toBuilder build getSimpleName getName getResource getResourceAsStream getClassLoader isInstance",
    "cast getPackage getDeclaredFields getDeclaredMethods getEnumConstants",
)


def implicit_method(
    machine: Machine, receiver: v.ProjectObject | v.ProjectClass, name: str, arguments: list[v.Value], at: Activation
) -> v.Value | None:
    """Its result; None if there is no such method."""
    if isinstance(receiver, v.ProjectClass):
        if receiver.code.kind == "enum":
            start(receiver)
            if name == "values":
                return v.Items([receiver.statics[constant] for constant, _ in receiver.code.constants])
            if name == "valueOf" and arguments and isinstance(arguments[0], v.Text):
                return machine.read(receiver.statics.get(arguments[0].text, v.UNKNOWN))
        if name in ("getDeclaredConstructor", "getConstructor"):
            return receiver
        if name == "newInstance":
            return constructed(machine, receiver, receiver.name, arguments, at, 0)
        return v.ProjectObject(receiver) if name == "builder" and not arguments else None
    if receiver.type.code.kind == "enum" and name in ("name", "toString"):
        return machine.read(_constant_name(receiver))
    if name in ("build", "toBuilder") and not arguments:
        return receiver
    field = next((one for one in _field_names(name) if one in receiver.fields), None)
    if field is not None and not arguments:
        return machine.read(receiver.fields[field])
    own_fields = {member.name for holder in receiver.type.chain() for member in holder.code.members}
    field = next((one for one in _field_names(name) if one in own_fields), None)
    if field is not None and len(arguments) == 1:
        receiver.fields[field] = arguments[0]
        return receiver
    return None


def _constant_name(constant: v.ProjectObject) -> v.Value:
    of = constant.type
    for name, made in of.code.constants:
        known = of.statics.get(name)
        if known is constant or (isinstance(known, v.LazyValue) and known.value is constant):
            return v.Text(name, Frame(of.code.file, made.line, of.name))
    return v.UNKNOWN


def _field_names(method: str) -> list[str]:
    for prefix in ("get", "is", "set", "with"):
        rest = method.removeprefix(prefix)
        if rest != method and rest[:1].isupper():
            return [rest[0].lower() + rest[1:], method]
    return [method]


def is_missing_method(of: v.ProjectClass, name: str) -> bool:
    has_generated = any(one.code.annotations for one in of.chain())
    is_declared = any(member.name == name for one in of.chain() for member in one.code.members)
    return of.is_all_known and bool(of.name) and not has_generated and name not in _OF_OBJECTS and not is_declared


_LISTS = v.words(
    "List.of Arrays.asList Stream.of Arguments.of Arguments.arguments Set.of Collections.singletonList",
    "Lists.newArrayList ImmutableList.of Sets.newHashSet Collections.singleton List.copyOf EnumSet.of",
    "Collections.unmodifiableList Arrays.stream IntStream.of",
)
_WRAPPERS = v.words("String File Paths Path Integer Long Optional Objects Boolean Double BigDecimal URI URL")


def static_call(owner: str, name: str, arguments: list[v.Value], at: Activation, line: int) -> v.Value | None:
    """`List.of("a")` and the like; None if that is nothing we know."""
    simple = owner.rpartition(".")[2]
    if f"{simple}.{name}" in _LISTS:
        only = arguments[0] if len(arguments) == 1 else None
        takes_list = isinstance(only, v.Items) and name not in ("arguments",) and simple != "Arguments"
        return only if takes_list and only is not None else v.Items(list(arguments))
    if simple == "Map" and name == "of":
        pairs = zip(arguments[::2], arguments[1::2], strict=False)
        return v.Entries({key.text: value for key, value in pairs if isinstance(key, v.Text)})
    if simple == "Map" and name == "entry":
        return v.Items(list(arguments))
    if simple == "System" and name == "getProperty" and len(arguments) == 2:
        return v.either([v.UNKNOWN, arguments[1]])
    if simple == "Map" and name == "ofEntries":
        pairs_given = [pair.items for pair in arguments if isinstance(pair, v.Items) and len(pair.items) == 2]
        return v.Entries({key.text: value for key, value in pairs_given if isinstance(key, v.Text)})
    if simple == "String" and name == "format" and arguments and isinstance(arguments[0], v.Text):
        return text_method(arguments[0], "formatted", arguments[1:], at.place(line))
    if simple == "String" and name == "join" and len(arguments) > 1:
        parts = arguments[1].items if isinstance(arguments[1], v.Items) else arguments[1:]
        texts = [part.text for part in parts if isinstance(part, v.Text)]
        separator = arguments[0].text if isinstance(arguments[0], v.Text) else ""
        return v.Text(separator.join(texts), at.place(line)) if len(texts) == len(parts) else None
    if simple in _WRAPPERS and len(arguments) == 1:
        return arguments[0]
    return None


def new_of_library(machine: Machine, name: str, arguments: list[v.Value]) -> v.Value:
    simple = name.rpartition(".")[2]
    if simple in ("StringBuilder", "StringBuffer"):
        return v.TextBuilder(arguments[0] if arguments and isinstance(arguments[0], v.Text) else v.Text("", None))
    if simple.endswith(("List", "Set", "Deque", "Queue")):
        return v.Items([item for argument in arguments if isinstance(argument, v.Items) for item in argument.items])
    if simple.endswith("Map") or simple == "Properties":
        return v.Entries(dict(pair for one in arguments if isinstance(one, v.Entries) for pair in one.entries.items()))
    if simple in _WRAPPERS and arguments:
        return arguments[-1]
    if simple == "SimpleEntry":
        return v.Items(list(arguments))
    pass_to_library(machine, arguments)
    return v.UNKNOWN
