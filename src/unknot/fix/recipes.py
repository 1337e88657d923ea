"""Fixtures that restore the state that a test changes, start with its initial content, or provide what a test needs."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from unknot.fix.access_path import (
    AccessPath,
    Attribute,
    Hidden,
    Item,
    LiteralValue,
    ProjectModules,
    SetMember,
    parse_access_path,
    simple_value,
)
from unknot.fix.external_state import (
    CLEAN_PROCESS,
    ENVIRONMENT,
    FILE,
    VARIABLE,
    SavedState,
    file_of,
    logger_of,
    logging_state,
    restored_process,
    variable_of,
)
from unknot.fix.fixture_builder import (
    OWN_DIRECTORY,
    FilePath,
    FixtureBuilder,
    Recipe,
    RecipeMaker,
    Setting,
    Value,
    describe_location,
)
from unknot.model.recording import REMOVED, Location

_DEFAULTS = Attribute("__defaults__")
_SET = ("{setting}",)
_PATCHED_DICT = ("with {mock}.patch.dict({thing}):", "    yield")
_ENTRY = (
    "before = [{thing}[{key}]] if {key} in {thing} else []",
    "yield",
    "if before:",
    "    {thing}[{key}] = before[0]",
    "else:",
    "    {thing}.pop({key}, None)",
)


def _maker(what: str, location: Location, *lines: str, **values: Value) -> RecipeMaker:
    return lambda builder: builder.recipe(what, location, lines, values)


def restore_recipes(location: Location, shown: str, modules: ProjectModules) -> Iterator[RecipeMaker]:
    """Recipes that save a location before the test that changes it and restore it afterwards, the simplest first. A
    trial shows whether one helps."""
    name, file = variable_of(location), file_of(location)
    if (state := logging_state(location.name)) is not None:
        yield _maker("restored", location, *state.restored, logger=logger_of(location.name))
    elif location.kind == "memory":
        yield from _restored_memory(location, shown, modules)
    elif location.kind == "environment" and name is not None:
        yield _maker("restored", location, *ENVIRONMENT)
        yield _maker("restored", location, *VARIABLE, name=name)
    elif location.kind == "process" and (lines := restored_process(location.name)):
        yield _maker("restored", location, *lines)
    elif location.kind == "directory" or file is not None:
        yield lambda builder: _own_directory(builder, location)
        if file is not None:
            yield _maker("restored", location, *FILE.restored, file=FilePath(file))


def clean_recipes(
    location: Location, shown: str, initial: LiteralValue, modules: ProjectModules
) -> Iterator[RecipeMaker]:
    """Recipes for a victim, the most likely first: they set the initial content before it, independent of the tests
    that ran earlier."""
    name, file = variable_of(location), file_of(location)
    if (state := logging_state(location.name)) is not None:
        yield _maker("clean", location, *state.clean, logger=logger_of(location.name))
    elif location.kind == "memory":
        yield from _clean_memory(location, shown, initial, modules)
    elif location.kind == "environment" and name is not None:
        if initial is not None and isinstance(initial[0], str):
            yield _maker("clean", location, "monkeypatch.setenv({name}, {value})", name=name, value=ascii(initial[0]))
        else:
            yield _maker("clean", location, "monkeypatch.delenv({name}, raising=False)", name=name)
    elif location.kind == "process" and location.name in CLEAN_PROCESS:
        yield _maker("clean", location, *CLEAN_PROCESS[location.name], root=FilePath(""))
    elif location.kind in ("file", "table", "directory"):
        yield lambda builder: _own_directory(builder, location)
        if file is not None:
            yield _maker("without", location, *FILE.clean, file=FilePath(file))


Calls = Callable[[FixtureBuilder], tuple[str, ...]]
"""The statements that create the state as the needed tests do; none if they cannot be called."""


def provide_recipes(location: Location, shown: str, calls: Calls, modules: ProjectModules) -> Iterator[RecipeMaker]:
    """Recipes that create the state, the simplest first: set the recorded value; call the needed test and restore
    afterwards what it changes; the same in its own directory, or without cleaning up. A maker raises ValueError if its
    recipe does not exist."""
    yield from _by_value(location, shown, modules)
    if location.kind in ("file", "table", "directory"):
        yield lambda builder: _calling(
            builder, _own_directory(builder, location), location, calls, ", in its own directory"
        )
    else:
        restored = next(restore_recipes(location, shown, modules), None)
        if restored is not None:
            yield lambda builder: _calling(builder, restored(builder), location, calls, ", restored afterwards")
    yield lambda builder: _calling(builder, Recipe("", "", ()), location, calls)


def _restored_memory(location: Location, shown: str, modules: ProjectModules) -> Iterator[RecipeMaker]:
    if location.name == "warnings.filters":
        yield _maker("restored", location, "with {warnings}.catch_warnings():", "    yield")
        return
    path = parse_access_path(location.name, modules)
    if path is None:
        return
    content = _content_state(shown)
    in_place = _PATCHED_DICT if _is_dict(shown) else content.restored if content else ()
    match path.last:
        case Hidden() as hidden:
            yield _restored_hidden(location, path.parent, hidden)
            return
        case SetMember():
            yield _maker("restored", location, *_members("discard").restored, thing=path.parent)
        case Item(key) if path.module == "sys":
            # Other modules that were imported meanwhile must stay.
            yield _maker("restored", location, *_ENTRY, thing=path.parent, key=ascii(key))
            return
        case Item() if path.steps[-2:-1] == (_DEFAULTS,):
            # An item of a tuple is never replaced, only changed inside.
            if in_place:
                yield _maker("restored", location, *in_place, thing=path)
            return
        case Item(key):
            yield _maker("restored", location, *_PATCHED_DICT, thing=path.parent)
            yield _maker("restored", location, *_ENTRY, thing=path.parent, key=ascii(key))
        case Attribute() if content is not None:
            deep = replace(content, save=("before = {copy}.deepcopy({thing})",))
            yield _maker("restored", location, *in_place, thing=path)
            yield _maker("restored", location, *deep.restored, thing=path)
        case Attribute():
            # monkeypatch restores the value that it found, whatever the test has set.
            yield _maker("restored", location, *_SET, setting=Setting(path, "{thing}"), thing=path)
    top = path.outermost
    yield _maker("restored", location, *_SET, setting=Setting(top, "{copy}.deepcopy({thing})"), thing=top)
    if len(path.steps) == 1 and isinstance(path.last, Attribute):
        # For an attribute that did not exist before.
        yield _maker("restored", location, "yield", f'{{names}}.pop("{path.last.name}", None)', names=path.parent)


def _restored_hidden(location: Location, holder: AccessPath, hidden: Hidden) -> RecipeMaker:
    if hidden.what == "cache":
        return _maker("restored", location, "yield", "{thing}.cache_clear()", thing=holder)
    if hidden.what == "closure":
        cell = f'cell = {{thing}}.__closure__[{{thing}}.__code__.co_freevars.index("{hidden.name}")]'
        put_back = 'monkeypatch.setattr(cell, "cell_contents", cell.cell_contents)'
        return _maker("restored", location, cell, put_back, thing=holder)
    return _maker("restored", location, *_SET, setting=Setting(holder, "{copy}.copy({thing})"), thing=holder)


def _clean_memory(
    location: Location, shown: str, initial: LiteralValue, modules: ProjectModules
) -> Iterator[RecipeMaker]:
    path = parse_access_path(location.name, modules)
    if path is None:
        return
    if isinstance(path.last, Hidden):
        if path.last.what == "cache":
            yield _maker("clean", location, "{thing}.cache_clear()", thing=path.parent)
        return
    if isinstance(path.last, SetMember):
        yield _maker("clean", location, *_members("discard").clean, thing=path.parent, key=ascii(path.last.value))
        return
    if initial is not None:
        value = ascii(initial[0])
        if isinstance(path.last, Attribute) and (content := _content_state(shown)) is not None:
            yield _maker("clean", location, *content.clean, thing=path, value=value)
        yield _maker("clean", location, *_SET, setting=Setting(path, "{value}"), value=value)
    if isinstance(path.last, Item):
        line = "monkeypatch.delitem({thing}, {key}, raising=False)"
        yield _maker("clean", location, line, thing=path.parent, key=ascii(path.last.value))


_REPLACED = {
    ("{", "set(", "defaultdict(", "OrderedDict(", "Counter("): ("{thing}.clear()", "{thing}.update(CONTENT)"),
    ("[", "bytearray("): ("{thing}[:] = CONTENT",),
    ("deque(",): ("{thing}.clear()", "{thing}.extend(CONTENT)"),
}


def _content_state(shown: str) -> SavedState | None:
    """How the content of a container is saved and replaced; None if it is not a container. It stays the same object,
    because other code may refer to it."""
    for starts, lines in _REPLACED.items():
        if shown.startswith(starts):
            reset, restore = (
                tuple(line.replace("CONTENT", content) for line in lines) for content in ("{value}", "before")
            )
            return SavedState(("before = {copy}.copy({thing})",), reset, restore)
    return None


def _members(change: Literal["add", "discard"]) -> SavedState:
    """How the members of a set are saved, one of them is changed, and all are restored."""
    whole = _content_state("set(")
    assert whole is not None
    return replace(whole, reset=(f"{{thing}}.{change}({{key}})",))


def _is_dict(shown: str) -> bool:
    """Whether the content is certainly a dict: empty braces, or braces with a colon after the first key."""
    return shown.startswith(("{}", "defaultdict(", "OrderedDict(", "Counter(")) or (
        shown.startswith("{") and ": " in shown
    )


def _by_value(location: Location, shown: str, modules: ProjectModules) -> Iterator[RecipeMaker]:
    name, value = variable_of(location), simple_value(shown)
    path = parse_access_path(location.name, modules) if location.kind == "memory" else None
    lines: tuple[str, ...] = ()
    values: dict[str, Value] = {} if value is None else {"value": ascii(value[0])}
    if location.kind == "environment" and name is not None:
        values["name"] = name
        if shown == REMOVED:
            lines = ("monkeypatch.delenv({name}, raising=False)",)
        elif value is not None and isinstance(value[0], str):
            lines = ("monkeypatch.setenv({name}, {value})",)
    elif path is not None and isinstance(path.last, SetMember):
        lines = _members("add").clean
        values |= {"thing": path.parent, "key": ascii(path.last.value)}
    elif path is not None and value is not None and not isinstance(path.last, Hidden):
        lines, values["setting"] = _SET, Setting(path, "{value}")
    if lines:
        yield lambda builder: builder.recipe("given", location, lines, values, shown)


def _calling(builder: FixtureBuilder, around: Recipe, location: Location, calls: Calls, how: str = "") -> Recipe:
    statements = calls(builder)
    if not statements:
        raise ValueError("the state is created by a test that cannot be called as a plain function")
    named = " and ".join(statement for statement in statements if not statement.startswith("import "))
    made = builder.recipe("made", location, (), {}, named + how)
    return replace(made, lines=around.with_calls(statements).lines)


def _own_directory(builder: FixtureBuilder, location: Location) -> Recipe:
    return Recipe(
        builder.names.free("own_directory"),
        "Runs the test in its own directory: other tests never see the files.",
        (OWN_DIRECTORY,),
        f"run the test in its own directory, where {describe_location(location)} is another file",
    )
