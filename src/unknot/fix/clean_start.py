"""Fixtures for a victim: they put the clean content in place before it, whoever ran earlier."""

import ast
from collections.abc import Iterator

from unknot.fix.containers import putting_back
from unknot.fix.logging_recipes import clean_logging, is_logging
from unknot.fix.modules import Modules
from unknot.fix.outside_recipes import variable, without_file
from unknot.fix.recipe import Recipe
from unknot.fix.road import Attribute, Hidden, Key, Road, read_road
from unknot.fix.workbench import Builder, Workbench, called
from unknot.model.recording import Location

Value = tuple[object] | None
"""A content that code can say, in a tuple of one; None where it is not known."""


def clean_start(
    location: Location, shown: str, original: Value, source: ast.Module | None, modules: Modules
) -> Iterator[Builder]:
    """Ways to begin with the clean content, the likeliest first. `original` is what the location held before all
    tests, `source` the code of the module it is in, which may say so itself."""
    if is_logging(location.name):
        yield from clean_logging(location)
    elif location.kind == "memory":
        yield from _memory(location, shown, original, source, modules)
    elif location.kind == "environment" and (name := variable(location)) is not None:
        yield lambda bench: _environment(bench, location, name, original)
    elif location.kind == "process":
        yield from _process(location)
    elif location.kind in ("file", "table", "directory"):
        yield from without_file(location)


def first_value(road: Road, source: ast.Module | None) -> Value:
    """What the module's own code gives the location when it is imported, if that is a plain value."""
    body = source.body if source is not None else []
    value: Value = None
    for step in road.steps:
        match step:
            case Attribute(name) if value is None:
                node = _assigned(body, name)
                if isinstance(node, ast.ClassDef):
                    body = node.body
                    continue
                value = _literal(node)
                if value is None:
                    return None
            case Key(key) if value is not None:
                held = value[0]
                if not isinstance(held, dict) or key not in held:
                    return None
                value = (held[key],)
            case _:
                return None
    return value


def _memory(
    location: Location, shown: str, original: Value, source: ast.Module | None, modules: Modules
) -> Iterator[Builder]:
    road = read_road(location.name, modules)
    if road is None:
        return
    if isinstance(road.last, Hidden):
        if road.last.what == "cache":
            yield lambda bench: _recipe(bench, location, (f"{bench.thing(road.parent)}.cache_clear()",))
        return
    value = original if original is not None else first_value(road, source)
    if value is not None:
        if isinstance(road.last, Attribute) and putting_back(shown, ""):
            yield lambda bench: _refilled(bench, location, road, shown, f"{value[0]!a}")
        yield lambda bench: _set(bench, location, road, f"{value[0]!a}")
    if isinstance(road.last, Key):
        key = f"{road.last.value!a}"
        yield lambda bench: _recipe(
            bench,
            location,
            (f"monkeypatch.delitem({bench.thing(road.parent)}, {key}, raising=False)",),
            "monkeypatch",
        )


def _recipe(bench: Workbench, location: Location, lines: tuple[str, ...], *takes: str) -> Recipe:
    return Recipe(
        bench.fixture("clean", location),
        f"Begins with {called(location)} as at the start.",
        lines,
        takes,
        f"beginning with {called(location)} as at the start",
    )


def _set(bench: Workbench, location: Location, road: Road, value: str) -> Recipe:
    return _recipe(bench, location, (bench.set_to(road, value),), "monkeypatch")


def _refilled(bench: Workbench, location: Location, road: Road, shown: str, value: str) -> Recipe:
    """The same object with the clean content, and afterwards with what others may still want."""
    thing = bench.thing(road)
    fill = tuple(line.replace("before", value) for line in putting_back(shown, thing))
    lines = (f"before = {bench.names.module('copy')}.copy({thing})", *fill, "yield", *putting_back(shown, thing))
    return _recipe(bench, location, lines)


def _environment(bench: Workbench, location: Location, name: str, original: Value) -> Recipe:
    line = f"monkeypatch.delenv({name}, raising=False)"
    if original is not None and isinstance(original[0], str):
        line = f"monkeypatch.setenv({name}, {original[0]!a})"
    return _recipe(bench, location, (line,), "monkeypatch")


def _process(location: Location) -> Iterator[Builder]:
    if location.name == "os.getcwd()":
        yield lambda bench: _recipe(bench, location, (f"monkeypatch.chdir({bench.file('')})",), "monkeypatch")
    elif location.name == "decimal.getcontext()":
        yield lambda bench: _decimal(bench, location)


def _decimal(bench: Workbench, location: Location) -> Recipe:
    decimal = bench.names.module("decimal")
    return _recipe(bench, location, (f"with {decimal}.localcontext({decimal}.DefaultContext):", "    yield"))


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
