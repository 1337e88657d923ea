"""Fixtures for a victim: they set the initial content before it, independent of the tests that ran earlier."""

import ast
from collections.abc import Iterator

from unknot.fix.access_path import AccessPath, Attribute, Hidden, Item, ProjectModules, parse_access_path
from unknot.fix.external_recipes import clean_logging, is_logging, variable, without_file
from unknot.fix.fixture_builder import FixtureBuilder, Recipe, RecipeMaker, describe_location, restore_statements
from unknot.model.recording import Location

Value = tuple[object] | None
"""A content that is a literal, in a tuple of one; None if it is unknown."""


def clean_start(
    location: Location, shown: str, original: Value, source: ast.Module | None, modules: ProjectModules
) -> Iterator[RecipeMaker]:
    """Recipes to start with the initial content, the most likely first. `original` is the content before all tests,
    `source` the code of the module of the location, which may contain it."""
    if is_logging(location.name):
        yield from clean_logging(location)
    elif location.kind == "memory":
        yield from _memory(location, shown, original, source, modules)
    elif location.kind == "environment" and (name := variable(location)) is not None:
        yield lambda builder: _environment(builder, location, name, original)
    elif location.kind == "process":
        yield from _process(location)
    elif location.kind in ("file", "table", "directory"):
        yield from without_file(location)


def first_value(path: AccessPath, source: ast.Module | None) -> Value:
    """The value that the module's own code assigns to the location on import, if it is a literal."""
    body = source.body if source is not None else []
    value: Value = None
    for step in path.steps:
        match step:
            case Attribute(name) if value is None:
                node = _assigned(body, name)
                if isinstance(node, ast.ClassDef):
                    body = node.body
                    continue
                value = _literal(node)
                if value is None:
                    return None
            case Item(key) if value is not None:
                held = value[0]
                if not isinstance(held, dict) or key not in held:
                    return None
                value = (held[key],)
            case _:
                return None
    return value


def _memory(
    location: Location, shown: str, original: Value, source: ast.Module | None, modules: ProjectModules
) -> Iterator[RecipeMaker]:
    path = parse_access_path(location.name, modules)
    if path is None:
        return
    if isinstance(path.last, Hidden):
        if path.last.what == "cache":
            yield lambda builder: _recipe(builder, location, (f"{builder.thing(path.parent)}.cache_clear()",))
        return
    value = original if original is not None else first_value(path, source)
    if value is not None:
        if isinstance(path.last, Attribute) and restore_statements(shown, ""):
            yield lambda builder: _refilled(builder, location, path, shown, f"{value[0]!a}")
        yield lambda builder: _set(builder, location, path, f"{value[0]!a}")
    if isinstance(path.last, Item):
        key = f"{path.last.value!a}"
        yield lambda builder: _recipe(
            builder,
            location,
            (f"monkeypatch.delitem({builder.thing(path.parent)}, {key}, raising=False)",),
            "monkeypatch",
        )


def _recipe(builder: FixtureBuilder, location: Location, lines: tuple[str, ...], *takes: str) -> Recipe:
    return Recipe(
        builder.fixture("clean", location),
        f"Starts with {describe_location(location)} in its initial state.",
        lines,
        takes,
        f"start with {describe_location(location)} in its initial state",
    )


def _set(builder: FixtureBuilder, location: Location, path: AccessPath, value: str) -> Recipe:
    return _recipe(builder, location, (builder.set_to(path, value),), "monkeypatch")


def _refilled(builder: FixtureBuilder, location: Location, path: AccessPath, shown: str, value: str) -> Recipe:
    """The same object with the initial content, and afterwards with the content that other tests may need."""
    thing = builder.thing(path)
    restore = restore_statements(shown, thing)
    fill = tuple(line.replace("before", value) for line in restore)
    lines = (f"before = {builder.names.module('copy')}.copy({thing})", *fill, "yield", *restore)
    return _recipe(builder, location, lines)


def _environment(builder: FixtureBuilder, location: Location, name: str, original: Value) -> Recipe:
    line = f"monkeypatch.delenv({name}, raising=False)"
    if original is not None and isinstance(original[0], str):
        line = f"monkeypatch.setenv({name}, {original[0]!a})"
    return _recipe(builder, location, (line,), "monkeypatch")


def _process(location: Location) -> Iterator[RecipeMaker]:
    if location.name == "os.getcwd()":
        yield lambda builder: _recipe(builder, location, (f"monkeypatch.chdir({builder.file('')})",), "monkeypatch")
    elif location.name == "decimal.getcontext()":
        yield lambda builder: _decimal(builder, location)


def _decimal(builder: FixtureBuilder, location: Location) -> Recipe:
    decimal = builder.names.module("decimal")
    return _recipe(builder, location, (f"with {decimal}.localcontext({decimal}.DefaultContext):", "    yield"))


def _assigned(body: list[ast.stmt], name: str) -> ast.expr | ast.ClassDef | None:
    found: ast.expr | ast.ClassDef | None = None
    for node in body:
        match node:
            case ast.ClassDef(name=given) if given == name:
                found = node
            case ast.Assign(targets=targets, value=value):
                if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                    found = value
            case ast.AnnAssign(target=ast.Name(id=given), value=ast.expr() as value) if given == name:
                found = value
    return found


def _literal(node: ast.expr | None) -> Value:
    if node is None:
        return None
    try:
        return (ast.literal_eval(node),)
    except (ValueError, TypeError, MemoryError, RecursionError):
        return (set(),) if isinstance(node, ast.Call) and ast.unparse(node) == "set()" else None
