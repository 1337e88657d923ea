"""What is in lists, dicts, records and enumerations, what `value.name` may be, and what methods of Python's own types
give."""

from itertools import islice, product
from posixpath import basename, dirname
from typing import TYPE_CHECKING, Any

from unknot.model.recording import Frame
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.statements import put
from unknot.web.readers.interpreter.string_trace import significant_parts
from unknot.web.readers.python import data_files, texts
from unknot.web.readers.python.project import member
from unknot.web.readers.python.values import (
    NONE,
    BuiltinMethod,
    FixtureRequest,
    KeyboardKey,
    OpenFile,
    PartialCall,
    PythonClass,
    PythonFunction,
    PythonModule,
    SuperObject,
    class_of,
    constant,
    first,
    one_of,
    scalars_of,
)

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_MOST_TEXTS = 1_000
_AT_ONCE = 10
"""So many values are gone through in the time of one step."""

_LONGEST_SPELLED = 50
"""No test types a text letter by letter that is longer."""


def elements(language: "PythonLanguage", value: v.Value) -> tuple[list[v.Value], bool]:
    """What is in it, in sequence, and whether that is all."""
    found: list[v.Value] = []
    is_whole = True
    for option in v.options(value):
        match option:
            case v.Items(items=items, rest=rest):
                found.extend(items)
                if rest is not None:
                    found.append(rest)
                    is_whole = is_whole and rest != v.UNKNOWN
            case v.Entries(entries=entries, rest=rest):
                found.extend(map(constant, entries))
                is_whole = is_whole and rest is None
            case v.Text(is_text=True, text=text) if len(text) <= _LONGEST_SPELLED:
                found.extend(map(constant, text))
            case PythonClass() if option.is_enumeration:
                found.extend(members(option))
            case v.ProjectObject():
                found.extend(field_values(option))
            case _:
                is_whole = False
    language.machine.spend(len(found) // _AT_ONCE)
    return found, is_whole


def members(enumeration: PythonClass) -> list[v.ProjectObject]:
    """Of an enumeration; the same objects every time."""
    made: list[v.ProjectObject] = []
    for ancestor in enumeration.ancestors:
        for name, value in ancestor.statics.items():
            if not name.startswith("_") and not any(isinstance(each, PythonFunction) for each in v.options(value)):
                member = v.ProjectObject(enumeration, {"name": constant(name), "value": value})
                made.append(enumeration.members.setdefault(name, member))
    return made


def items_at(language: "PythonLanguage", held: v.Value, keys: v.Value, place: Frame) -> v.Value:
    """`held[key]`; where the key is not known, anything that is in it."""
    pairs = [(option, key) for option in v.options(held) for key in v.options(keys)]
    return v.either(item(language, option, key, place) for option, key in pairs)


def item(language: "PythonLanguage", of: v.Value, key: v.Value, place: Frame) -> v.Value:
    """The same for one value and one key."""
    match of:
        case v.Entries(entries=entries, rest=rest):
            if isinstance(key, v.Text):
                return entries.get(key.value) or rest or v.UNKNOWN
            return v.either([*entries.values(), *(() if rest is None else (rest,))])
        case v.Items(items=items, rest=rest):
            if isinstance(key, v.Text) and isinstance(key.value, int) and rest is None:
                return items[key.value] if -len(items) <= key.value < len(items) else v.UNKNOWN
            return v.either([*items, *(() if rest is None else (rest,))])
        case PythonClass() if of.is_enumeration and isinstance(key, v.Text):
            return v.either([each for each in members(of) if each.fields["name"] == key])
        case v.ProjectObject():
            method = language.attribute(of, "__getitem__", place)
            if not isinstance(first(method), v.Unknown):
                return language.call(method, v.CallArguments([key], place=place))
            return v.either(field_values(of))
        case v.Unknown(path=path):
            # `Optional[LoginPage]`, `list[str]`: nothing is known of it; of `os.environ[...]` neither.
            return v.Unknown(f"{path}.[]")
        case _:
            return v.UNKNOWN


def field_values(record: v.ProjectObject) -> list[v.Value]:
    """Of a record, in sequence: what `name, password = user` takes apart."""
    of = class_of(record)
    defaults = {name: value for ancestor in reversed(of.ancestors) for name, value in ancestor.statics.items()}
    return [record.fields.get(name) or defaults.get(name) or v.UNKNOWN for name in of.field_names]


def texts_within(language: "PythonLanguage", value: v.Value) -> list[str]:
    """Every text within, however deep; the keys of dicts are names of fields, not texts."""
    found: list[str] = []
    seen: set[int] = set()
    waiting = list(v.options(value))
    while waiting and len(found) < _MOST_TEXTS and len(seen) < _MOST_TEXTS:
        at = waiting.pop(0)
        is_new = id(at) not in seen
        match at:
            case v.Text(is_text=True, text=text):
                found.append(text)
            case v.PartialText(parts=parts):
                found.extend(significant_parts(parts))
            case v.Items(items=items) if is_new:
                waiting.extend(each for one in items for each in v.options(one))
            case v.Entries(entries=entries) if is_new:
                waiting.extend(each for one in entries.values() for each in v.options(one))
            case v.ProjectObject() if is_new and class_of(at).is_enumeration:
                waiting.extend(v.options(at.fields["value"]) if "value" in at.fields else ())
            case v.ProjectObject() if is_new:
                waiting.extend(each for one in field_values(at) for each in v.options(one))
        seen.add(id(at))
    language.machine.spend(len(seen) // _AT_ONCE)
    return found


_LONGEST_PATH = 200
_NAMES = ("__name__", "__qualname__")

INHERITED = "inherited"
"""Where the path of a method begins that a class of the project has from a class of another package."""


def attribute(language: "PythonLanguage", of: v.Value, name: str, place: Frame) -> v.Value:
    """Of one value."""
    match of:
        case v.Unknown(path=path, maker=maker):
            return KeyboardKey(name) if of.last == "Keys" else v.Unknown(f"{path}.{name}"[-_LONGEST_PATH:], maker)
        case v.ProjectObject():
            return _of_instance(language, of, name, place)
        case PythonClass():
            return _of_class(language, of, name, place)
        case SuperObject(after=after, to=to):
            return _of_super(language, after, to, name, place)
        case PythonModule():
            return _of_module(language, of, name, place)
        case v.Text(is_text=True):
            return _of_text(of, name)
        case v.Text() | v.PartialText() | v.Items() | v.Entries() | OpenFile():
            return BuiltinMethod(of, name)
        case FixtureRequest(param=param):
            return _of_request(language, param, name)
        case PythonFunction(name=called) | PartialCall(callee=PythonFunction(name=called)) if name in _NAMES:
            return constant(called.rpartition(".")[2])
        case _:
            return v.Unknown(f".{name}")


def _of_instance(language: "PythonLanguage", instance: v.ProjectObject, name: str, place: Frame) -> v.Value:
    own = instance.fields.get(name)
    if own is not None:
        return own
    of = class_of(instance)
    inherited = found_in(of.ancestors, name)
    if inherited is not None:
        return v.either(_bound(language, each, instance, place) for each in v.options(inherited))
    if name == "__class__":
        return of
    return v.Entries(dict(instance.fields)) if name == "__dict__" else v.Unknown(f"{INHERITED}.{name}")


def _of_class(language: "PythonLanguage", of: PythonClass, name: str, place: Frame) -> v.Value:
    if name in _NAMES:
        return constant(of.name)
    if of.is_enumeration:
        known: list[v.Value] = [each for each in members(of) if each.fields["name"] == constant(name)]
        if known:
            return v.either(known)
    inherited = found_in(of.ancestors, name)
    if inherited is None:
        return v.Unknown(f".{name}")
    return v.either(_bound(language, each, of, place) for each in v.options(inherited))


def _of_super(language: "PythonLanguage", after: PythonClass, to: v.Value, name: str, place: Frame) -> v.Value:
    beginning = to.type if isinstance(to, v.ProjectObject) else to
    line = beginning.ancestors if isinstance(beginning, PythonClass) else after.ancestors
    behind = line[line.index(after) + 1 :] if after in line else after.ancestors[1:]
    inherited = found_in(behind, name)
    if inherited is None:
        return v.Unknown(f"{INHERITED}.{name}")
    return v.either(_bound(language, each, to, place) for each in v.options(inherited))


def found_in(classes: list[PythonClass], name: str) -> v.Value | None:
    return next((each.statics[name] for each in classes if name in each.statics), None)


def _bound(language: "PythonLanguage", found: v.Value, to: v.Value, place: Frame) -> v.Value:
    """A method with its object; of a property what it gives."""
    if (
        isinstance(found, v.ProjectObject)
        and isinstance(to, v.ProjectObject)
        and found_in(class_of(found).ancestors, "__get__")
    ):
        getter = _of_instance(language, found, "__get__", place)
        return language.call(getter, v.CallArguments([to, to.type], place=place))
    if not isinstance(found, PythonFunction):
        return language.resolve(found)
    if found.kind == "class":
        return PartialCall(found, (to.type if isinstance(to, v.ProjectObject) else to,))
    if found.kind == "static" or isinstance(to, PythonClass):
        return found
    method = PartialCall(found, (to,))
    return language.call(method, v.CallArguments(place=place)) if found.kind == "property" else method


def _of_module(language: "PythonLanguage", module: PythonModule, name: str, place: Frame) -> v.Value:
    language.load(module)
    known = member(language, module, name)
    if known is None and not module.path.endswith("/"):
        language.add_gap(f"{name} is not in {module.path}", place)
    return known if known is not None else v.Unknown(f".{name}")


def _of_text(of: v.Text, name: str) -> v.Value:
    """Paths count as texts: what their attributes give is known as well."""
    if name == "parent":
        return constant(dirname(of.text))
    if name in ("name", "stem"):
        last = basename(of.text)
        return constant(last if name == "name" else last.rpartition(".")[0] or last)
    return BuiltinMethod(of, name)


def _of_request(language: "PythonLanguage", param: v.Value, name: str) -> v.Value:
    if name == "param":
        return param
    if name == "instance":
        return language.test_object
    if name == "cls":
        return v.either([each.type for each in v.options(language.test_object) if isinstance(each, v.ProjectObject)])
    return v.Unknown(f"request.{name}")


def set_attribute(
    language: "PythonLanguage", owner: v.Value, name: str, value: v.Value, place: Frame, uncertain: int
) -> None:
    if isinstance(owner, v.ProjectObject):
        if not _is_set_by_code(language, owner, name, value, place):
            put(language.machine, owner.fields, name, value, uncertain)
    elif isinstance(owner, PythonClass):
        put(language.machine, owner.statics, name, value, uncertain)
    elif isinstance(owner, PythonModule):
        put(language.machine, owner.scope.names, name, value, uncertain)


def _is_set_by_code(
    language: "PythonLanguage", owner: v.ProjectObject, name: str, value: v.Value, place: Frame
) -> bool:
    """Page objects that type when an attribute is set: by a property with a setter, or by an object with `__set__`."""
    found = found_in(class_of(owner).ancestors, name)
    for option in () if found is None else v.options(found):
        if isinstance(option, PythonFunction) and option.setter is not None:
            language.call(option.setter, v.CallArguments([owner, value], place=place))
            return True
        if isinstance(option, v.ProjectObject):
            setter = language.attribute(option, "__set__", place)
            if not isinstance(first(setter), v.Unknown):
                language.call(setter, v.CallArguments([owner, value], place=place))
                return True
    return False


def method_of(of: PythonClass, name: str) -> PythonFunction | None:
    found = found_in(of.ancestors, name)
    several = () if found is None else v.options(found)
    return next((option for option in several if isinstance(option, PythonFunction)), None)


def optional_method(language: "PythonLanguage", of: v.Value, names: tuple[str, ...], place: Frame) -> v.Value | None:
    """The first of these methods that the object has."""
    for name in names:
        found = language.attribute(of, name, place)
        if not isinstance(first(found), v.Unknown):
            return found
    return None


_MOST_WAYS = 16


def call_builtin(language: "PythonLanguage", method: BuiltinMethod, given: v.CallArguments) -> v.Value:
    language.mention_all(given)
    match method.of:
        case v.Text(is_text=True, text=text):
            return _text_method(language, text, method.name, given)
        case v.PartialText():
            return method.of if method.name in texts.KEEPING_METHODS or method.name == "strip" else v.UNKNOWN
        case v.Items():
            return _list_method(language, method.of, method.name, given)
        case v.Entries():
            return _dict_method(language, method.of, method.name, given)
        case OpenFile(path=path):
            return data_files.content(language, path) if method.name in ("read", "readlines") else v.UNKNOWN
        case _:
            return v.UNKNOWN


def _text_method(language: "PythonLanguage", text: str, name: str, given: v.CallArguments) -> v.Value:
    if name == "format":
        return texts.braces(text, given.positional, lambda key: given.keywords.get(key, v.UNKNOWN))
    if name in ("substitute", "safe_substitute"):
        # Of a template, which counts as a text.
        return texts.dollars(text, lambda key: _substituted(language, key, given))
    if name == "join" and given.positional:
        return _joined_by(language, text, given.positional[0])
    if name == "joinpath":
        parts = [part for each in given.positional for part in (v.Text("/"), each)]
        return texts.put_together([v.Text(text), *parts])
    if name in ("read_text", "read_bytes"):
        return data_files.content(language, text)
    if name == "open":
        return data_files.opened(language, text)
    known = [scalars_of(each) for each in given.all]
    if any(len(scalars) != len(v.options(each)) for scalars, each in zip(known, given.all, strict=True)):
        return v.UNKNOWN
    return v.either([texts.method(text, name, list(way)) for way in islice(product(*known), _MOST_WAYS)])


def _substituted(language: "PythonLanguage", name: str, given: v.CallArguments) -> v.Value:
    if name in given.keywords or not given.positional:
        return given.keywords.get(name, v.UNKNOWN)
    return items_at(language, given.positional[0], constant(name), given.place)


def _joined_by(language: "PythonLanguage", separator: str, value: v.Value) -> v.Value:
    found, is_whole = language.elements(value)
    if not is_whole:
        found = [*found, v.UNKNOWN]
    return texts.put_together([each for item in found for each in (v.Text(separator), item)][1:])


def _list_method(language: "PythonLanguage", held: v.Items, name: str, given: v.CallArguments) -> v.Value:
    match name, given.positional:
        case (("append" | "add" | "appendleft"), [value]) | ("insert", [_, value]):
            append(language, held, [value])
            return NONE
        case (("extend" | "update"), [value]):
            append(language, held, language.elements(value)[0])
            return NONE
        case "copy", []:
            return v.Items(list(held.items), held.rest)
        case (("pop" | "popleft"), _):
            return one_of(*held.items, held.rest) or v.UNKNOWN
        case _:
            return v.UNKNOWN


def append(language: "PythonLanguage", held: v.Items, added: list[v.Value]) -> None:
    language.machine.changes.save(held.items)
    held.items.extend(added[: max(0, v.MOST_ITEMS - len(held.items))])


def _dict_method(language: "PythonLanguage", held: v.Entries, name: str, given: v.CallArguments) -> v.Value:
    entries = held.entries
    match name, given.positional:
        case (("get" | "pop"), [key]):
            return items_at(language, held, key, given.place)
        case "read", [path]:
            for section, value in data_files.sections(language, path).items():
                put(language.machine, entries, section, value, given.uncertain)
            return v.UNKNOWN
        case "get", [key, option] if any(isinstance(each, v.Entries) for each in _chosen(entries, key)):
            # Of a configuration, not of a dict.
            return items_at(language, v.either(_chosen(entries, key)), option, given.place)
        case (("get" | "pop" | "setdefault"), [key, default]):
            chosen = _chosen(entries, key)
            return v.either(chosen) if chosen else one_of(held.rest, default) or v.UNKNOWN
        case "items", []:
            pairs: list[v.Value] = [v.Items([constant(key), value]) for key, value in entries.items()]
            return v.Items(pairs, None if held.rest is None else v.Items([v.UNKNOWN, held.rest]))
        case "values", []:
            return v.Items(list(entries.values()), held.rest)
        case "keys", []:
            return v.Items([constant(key) for key in entries], None if held.rest is None else v.UNKNOWN)
        case "copy", []:
            return v.Entries(dict(entries), "", held.rest)
        case "update", several:
            added: dict[Any, v.Value] = {}
            for option in (option for value in several for option in v.options(value)):
                added |= option.entries if isinstance(option, v.Entries) else {}
            for key, value in {**added, **given.keywords}.items():
                put(language.machine, entries, key, value, given.uncertain)
            return NONE
        case _:
            return v.UNKNOWN


def _chosen(entries: dict[Any, v.Value], keys: v.Value) -> list[v.Value]:
    found = [entries.get(key) for key in scalars_of(keys)]
    return [option for value in found if value is not None for option in v.options(value)]
