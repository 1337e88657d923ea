"""What `value.name` may be, and what an assignment to it does."""

from posixpath import basename, dirname
from typing import TYPE_CHECKING

from unknot.model.recording import Frame
from unknot.web.readers.interpreter.binding import put
from unknot.web.readers.interpreter.values import (
    CallArguments,
    Entries,
    Items,
    PartialText,
    ProjectObject,
    Text,
    Unknown,
    Value,
    either,
    options,
)
from unknot.web.readers.python.containers import first, members
from unknot.web.readers.python.project import member
from unknot.web.readers.python.values import (
    BoundMethod,
    BuiltinMethod,
    FixtureRequest,
    KeyboardKey,
    OpenFile,
    PythonClass,
    PythonFunction,
    PythonModule,
    SuperObject,
    as_dict,
    class_of,
    constant,
    same_or_unknown,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_LONGEST_PATH = 200

INHERITED = "inherited"
"""Where the path of a method begins that a class of the project has from a class of another package."""


def attribute(language: "PythonLanguage", of: Value, name: str, place: Frame) -> Value:
    """Of one value."""
    match of:
        case Unknown(path=path, maker=maker):
            return KeyboardKey(name) if of.last == "Keys" else Unknown(f"{path}.{name}"[-_LONGEST_PATH:], maker)
        case ProjectObject():
            return _of_instance(language, of, name, place)
        case PythonClass():
            return _of_class(language, of, name, place)
        case SuperObject(after=after, to=to):
            return _of_super(language, after, to, name, place)
        case PythonModule():
            return _of_module(language, of, name, place)
        case Text(is_text=True):
            return _of_text(of, name)
        case Text() | PartialText() | Items() | Entries() | OpenFile():
            return BuiltinMethod(of, name)
        case FixtureRequest(param=param):
            return _of_request(language, param, name)
        case PythonFunction() | BoundMethod() if name in ("__name__", "__qualname__"):
            function = of if isinstance(of, PythonFunction) else of.function
            return constant(function.name.rpartition(".")[2])
        case _:
            return Unknown(f".{name}")


def _of_instance(language: "PythonLanguage", instance: ProjectObject, name: str, place: Frame) -> Value:
    own = instance.fields.get(name)
    if own is not None:
        return own
    of = class_of(instance)
    inherited = found_in(of.ancestors, name)
    if inherited is not None:
        return either(_bound(language, each, instance, place) for each in options(inherited))
    if name == "__class__":
        return of
    return as_dict(instance.fields) if name == "__dict__" else Unknown(f"{INHERITED}.{name}")


def _of_class(language: "PythonLanguage", of: PythonClass, name: str, place: Frame) -> Value:
    if name in ("__name__", "__qualname__"):
        return constant(of.name)
    if of.is_enumeration:
        known: list[Value] = [each for each in members(of) if each.fields["name"] == constant(name)]
        if known:
            return either(known)
    inherited = found_in(of.ancestors, name)
    if inherited is None:
        return Unknown(f".{name}")
    return either(_bound(language, each, of, place) for each in options(inherited))


def _of_super(language: "PythonLanguage", after: PythonClass, to: Value, name: str, place: Frame) -> Value:
    beginning = to.type if isinstance(to, ProjectObject) else to
    line = beginning.ancestors if isinstance(beginning, PythonClass) else after.ancestors
    behind = line[line.index(after) + 1 :] if after in line else after.ancestors[1:]
    inherited = found_in(behind, name)
    if inherited is None:
        return Unknown(f"{INHERITED}.{name}")
    return either(_bound(language, each, to, place) for each in options(inherited))


def found_in(classes: list[PythonClass], name: str) -> Value | None:
    return next((each.statics[name] for each in classes if name in each.statics), None)


def _bound(language: "PythonLanguage", found: Value, to: Value, place: Frame) -> Value:
    """A method with its object; of a property what it gives."""
    if (
        isinstance(found, ProjectObject)
        and isinstance(to, ProjectObject)
        and found_in(class_of(found).ancestors, "__get__")
    ):
        getter = _of_instance(language, found, "__get__", place)
        return language.call(getter, CallArguments([to, to.type], place=place))
    if not isinstance(found, PythonFunction):
        return language.resolve(found)
    if found.kind == "class":
        return BoundMethod(found, to.type if isinstance(to, ProjectObject) else to)
    if found.kind == "static" or isinstance(to, PythonClass):
        return found
    method = BoundMethod(found, to)
    return language.call(method, CallArguments(place=place)) if found.kind == "property" else method


def _of_module(language: "PythonLanguage", module: PythonModule, name: str, place: Frame) -> Value:
    language.load(module)
    known = member(language, module, name)
    if known is None and not module.path.endswith("/"):
        language.add_gap(f"{name} is not in {module.path}", place)
    return known if known is not None else Unknown(f".{name}")


def _of_text(of: Text, name: str) -> Value:
    """Paths count as texts: what their attributes give is known as well."""
    if name == "parent":
        return constant(dirname(of.text))
    if name in ("name", "stem"):
        last = basename(of.text)
        return constant(last if name == "name" else last.rpartition(".")[0] or last)
    return BuiltinMethod(of, name)


def _of_request(language: "PythonLanguage", param: Value, name: str) -> Value:
    if name == "param":
        return param
    if name == "instance":
        return language.test_object
    if name == "cls":
        return same_or_unknown([each.type for each in options(language.test_object) if isinstance(each, ProjectObject)])
    return Unknown(f"request.{name}")


def set_attribute(
    language: "PythonLanguage", owner: Value, name: str, value: Value, place: Frame, uncertain: int
) -> None:
    if isinstance(owner, ProjectObject):
        if not _is_set_by_code(language, owner, name, value, place):
            put(language.machine, owner.fields, name, value, uncertain)
    elif isinstance(owner, PythonClass):
        put(language.machine, owner.statics, name, value, uncertain)
    elif isinstance(owner, PythonModule):
        put(language.machine, owner.scope.names, name, value, uncertain)


def _is_set_by_code(language: "PythonLanguage", owner: ProjectObject, name: str, value: Value, place: Frame) -> bool:
    """Page objects that type when an attribute is set: by a property with a setter, or by an object with `__set__`."""
    found = found_in(class_of(owner).ancestors, name)
    for option in () if found is None else options(found):
        if isinstance(option, PythonFunction) and option.setter is not None:
            language.call(option.setter, CallArguments([owner, value], place=place))
            return True
        if isinstance(option, ProjectObject):
            setter = language.attribute(option, "__set__", place)
            if not isinstance(first(setter), Unknown):
                language.call(setter, CallArguments([owner, value], place=place))
                return True
    return False


def method_of(of: PythonClass, name: str) -> PythonFunction | None:
    found = found_in(of.ancestors, name)
    several = () if found is None else options(found)
    return next((option for option in several if isinstance(option, PythonFunction)), None)


def optional_method(language: "PythonLanguage", of: Value, names: tuple[str, ...], place: Frame) -> Value | None:
    """The first of these methods that the object has."""
    for name in names:
        found = language.attribute(of, name, place)
        if not isinstance(first(found), Unknown):
            return found
    return None
