"""Fixtures that restore the state that a test changes, or provide the state that a test needs."""

from collections.abc import Callable, Iterator

from unknot.fix.access_path import AccessPath, Attribute, Hidden, Item, ProjectModules, parse_access_path, simple_value
from unknot.fix.external_recipes import (
    is_logging,
    own_directory,
    restored_environment,
    restored_file,
    restored_logging,
    restored_process,
    variable,
)
from unknot.fix.fixture_builder import (
    FixtureBuilder,
    Recipe,
    RecipeMaker,
    describe_location,
    is_dict,
    restore_statements,
)
from unknot.model.recording import REMOVED, Location

_DEFAULTS = Attribute("__defaults__")


def restore_recipes(location: Location, shown: str, modules: ProjectModules) -> Iterator[RecipeMaker]:
    """Recipes that save a location before the test that changes it and restore it afterwards, the simplest first. A
    trial shows whether one helps."""
    if is_logging(location.name):
        yield from restored_logging(location)
    elif location.kind == "memory":
        yield from _memory(location, shown, modules)
    elif location.kind == "environment":
        yield from restored_environment(location)
    elif location.kind == "process":
        yield from restored_process(location)
    elif location.kind in ("file", "directory", "table"):
        yield from restored_file(location)


def _memory(location: Location, shown: str, modules: ProjectModules) -> Iterator[RecipeMaker]:
    if location.name == "warnings.filters":
        yield lambda builder: _within(builder, location, f"{builder.names.module('warnings')}.catch_warnings()")
        return
    path = parse_access_path(location.name, modules)
    if path is None:
        return
    match path.last:
        case Hidden():
            yield lambda builder: _hidden(builder, location, path)
            return
        case Item() if path.module == "sys":
            # Other modules that were imported meanwhile must stay.
            yield lambda builder: _entry(builder, location, path)
            return
        case Item() if path.steps[-2:-1] == (_DEFAULTS,):
            # An item of a tuple is never replaced, only changed inside.
            if restore_statements(shown, ""):
                yield lambda builder: _in_place(builder, location, path, shown, deep=False)
            return
        case Item():
            yield lambda builder: _patched_dict(builder, location, path.parent)
            yield lambda builder: _entry(builder, location, path)
        case Attribute() if restore_statements(shown, ""):
            yield lambda builder: _in_place(builder, location, path, shown, deep=False)
            yield lambda builder: _in_place(builder, location, path, shown, deep=True)
        case Attribute():
            yield lambda builder: _attribute(builder, location, path, f"{builder.thing(path)}")
    top = path.outermost
    yield lambda builder: _attribute(
        builder, location, top, f"{builder.names.module('copy')}.deepcopy({builder.thing(top)})"
    )
    if len(path.steps) == 1 and isinstance(path.last, Attribute):
        yield lambda builder: _removed(builder, location, path)


def _recipe(builder: FixtureBuilder, location: Location, lines: tuple[str, ...], *takes: str) -> Recipe:
    return Recipe(
        builder.fixture("restored", location),
        f"Restores {describe_location(location)} after the test.",
        lines,
        takes,
        f"restore {describe_location(location)} after the test that changes it",
    )


def _within(builder: FixtureBuilder, location: Location, context: str) -> Recipe:
    return _recipe(builder, location, (f"with {context}:", "    yield"))


def _patched_dict(builder: FixtureBuilder, location: Location, path: AccessPath) -> Recipe:
    """`patch.dict` restores all entries, in the same dict."""
    thing = builder.thing(path)
    return _within(builder, location, f"{builder.names.member('unittest', 'mock')}.patch.dict({thing})")


def _entry(builder: FixtureBuilder, location: Location, path: AccessPath) -> Recipe:
    assert isinstance(path.last, Item)
    thing, key = builder.thing(path.parent), f"{path.last.value!a}"
    lines = (
        f"before = [{thing}[{key}]] if {key} in {thing} else []",
        "yield",
        "if before:",
        f"    {thing}[{key}] = before[0]",
        "else:",
        f"    {thing}.pop({key}, None)",
    )
    return _recipe(builder, location, lines)


def _in_place(builder: FixtureBuilder, location: Location, path: AccessPath, shown: str, *, deep: bool) -> Recipe:
    if not deep and is_dict(shown):
        return _patched_dict(builder, location, path)
    thing = builder.thing(path)
    copied = "deepcopy" if deep else "copy"
    before = f"before = {builder.names.module('copy')}.{copied}({thing})"
    return _recipe(builder, location, (before, "yield", *restore_statements(shown, thing)))


def _attribute(builder: FixtureBuilder, location: Location, path: AccessPath, value: str) -> Recipe:
    """monkeypatch restores the value that it found, whatever the test has set."""
    return _recipe(builder, location, (builder.set_to(path, value),), "monkeypatch")


def _removed(builder: FixtureBuilder, location: Location, path: AccessPath) -> Recipe:
    """For an attribute that did not exist before."""
    assert isinstance(path.last, Attribute)
    is_own = builder.names.is_own(path.module)
    home = "globals()" if is_own else f"vars({builder.thing(path.parent)})"
    return _recipe(builder, location, ("yield", f'{home}.pop("{path.last.name}", None)'))


def _hidden(builder: FixtureBuilder, location: Location, path: AccessPath) -> Recipe:
    assert isinstance(path.last, Hidden)
    holder = path.parent
    thing = builder.thing(holder)
    if path.last.what == "cache":
        return _recipe(builder, location, ("yield", f"{thing}.cache_clear()"))
    if path.last.what == "closure":
        cell = f'cell = {thing}.__closure__[{thing}.__code__.co_freevars.index("{path.last.name}")]'
        put_back = 'monkeypatch.setattr(cell, "cell_contents", cell.cell_contents)'
        return _recipe(builder, location, (cell, put_back), "monkeypatch")
    return _attribute(builder, location, holder, f"{builder.names.module('copy')}.copy({thing})")


Calls = Callable[[FixtureBuilder], tuple[str, ...]]
"""The statements that create the state as the needed tests do; none if they cannot be called."""


def provide_recipes(location: Location, shown: str, calls: Calls, modules: ProjectModules) -> Iterator[RecipeMaker]:
    """Recipes that create the state, the simplest first: set the recorded value; call the needed test and restore
    afterwards what it changes; the same in its own directory, or without cleaning up. A maker raises ValueError if its
    recipe does not exist."""
    yield from _by_value(location, shown, modules)
    if location.kind in ("file", "table", "directory"):
        yield lambda builder: _calling(
            builder, own_directory(builder, location), location, calls, "in its own directory"
        )
    else:
        restored = next(restore_recipes(location, shown, modules), None)
        if restored is not None:
            yield lambda builder: _calling(builder, restored(builder), location, calls, "restored afterwards")
    yield lambda builder: _calling(builder, Recipe("", "", ()), location, calls)


def _by_value(location: Location, shown: str, modules: ProjectModules) -> Iterator[RecipeMaker]:
    if location.kind == "environment" and (name := variable(location)) is not None:
        if shown == REMOVED:
            yield lambda builder: _given(builder, location, f"monkeypatch.delenv({name}, raising=False)", shown)
        elif (text := simple_value(shown)) is not None and isinstance(text[0], str):
            setting = f"monkeypatch.setenv({name}, {text[0]!a})"
            yield lambda builder: _given(builder, location, setting, shown)
    elif location.kind == "memory":
        path, value = parse_access_path(location.name, modules), simple_value(shown)
        if path is not None and value is not None and not isinstance(path.last, Hidden):
            code = f"{value[0]!a}"
            yield lambda builder: _given(builder, location, builder.set_to(path, code), shown)


def _given(builder: FixtureBuilder, location: Location, line: str, shown: str) -> Recipe:
    return Recipe(
        builder.fixture("given", location),
        f"Sets {describe_location(location)} to the value that the test needs.",
        (line,),
        ("monkeypatch",),
        f"set {describe_location(location)} to {shown} for the test",
    )


def _calling(builder: FixtureBuilder, around: Recipe, location: Location, calls: Calls, how: str = "") -> Recipe:
    statements = calls(builder)
    if not statements:
        raise ValueError("the state is created by a test that cannot be called as a plain function")
    inner = around.with_calls(statements)
    return Recipe(
        builder.fixture("made", location),
        f"Creates {describe_location(location)} as the test needs it.",
        inner.lines,
        inner.takes,
        f"create {describe_location(location)} before the test with {_named(statements)}" + (f", {how}" if how else ""),
    )


def _named(statements: tuple[str, ...]) -> str:
    return " and ".join(statement for statement in statements if not statement.startswith("import "))
