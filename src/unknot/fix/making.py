"""Fixtures for a test that needs another: they make what it needs to find."""

from collections.abc import Callable, Iterator

from unknot.fix.modules import Modules
from unknot.fix.outside_recipes import own_directory, variable
from unknot.fix.recipe import Recipe
from unknot.fix.restoring import restoring
from unknot.fix.road import Hidden, read_road, simple_value
from unknot.fix.workbench import Builder, Workbench, called
from unknot.model.recording import Location
from unknot.recorder.sentences import REMOVED

Calls = Callable[[Workbench], tuple[str, ...]]
"""The statements that make the state as the needed tests do; none if they cannot be called."""


def making(location: Location, shown: str, calls: Calls, modules: Modules) -> Iterator[Builder]:
    """Ways to make the state, the simplest first: the value that was left, put in place; the needed test called, with
    what it leaves put back afterwards; the same in a directory of its own, or without tidying up. A builder raises
    ValueError if its way does not exist."""
    yield from _by_value(location, shown, modules)
    if location.kind in ("file", "table", "directory"):
        yield lambda bench: _calling(
            bench, own_directory(bench, location), location, calls, "in a directory of its own"
        )
    else:
        restored = next(restoring(location, shown, modules), None)
        if restored is not None:
            yield lambda bench: _calling(bench, restored(bench), location, calls, "put back afterwards")
    yield lambda bench: _calling(bench, Recipe("", "", ()), location, calls)


def _by_value(location: Location, shown: str, modules: Modules) -> Iterator[Builder]:
    if location.kind == "environment" and (name := variable(location)) is not None:
        if shown == REMOVED:
            yield lambda bench: _given(bench, location, f"monkeypatch.delenv({name}, raising=False)", shown)
        elif (text := simple_value(shown)) is not None and isinstance(text[0], str):
            setting = f"monkeypatch.setenv({name}, {text[0]!a})"
            yield lambda bench: _given(bench, location, setting, shown)
    elif location.kind == "memory":
        road, value = read_road(location.name, modules), simple_value(shown)
        if road is not None and value is not None and not isinstance(road.last, Hidden):
            code = f"{value[0]!a}"
            yield lambda bench: _given(bench, location, bench.set_to(road, code), shown)


def _given(bench: Workbench, location: Location, line: str, shown: str) -> Recipe:
    return Recipe(
        bench.fixture("given", location),
        f"Gives {called(location)} the value that the test needs.",
        (line,),
        ("monkeypatch",),
        f"setting {called(location)} to {shown} for the test",
    )


def _calling(bench: Workbench, around: Recipe, location: Location, calls: Calls, how: str = "") -> Recipe:
    statements = calls(bench)
    if not statements:
        raise ValueError("what it needs is made by a test that cannot be called as a plain function")
    inner = around.doing(statements)
    return Recipe(
        bench.fixture("made", location),
        f"Makes {called(location)} as the test needs it.",
        inner.lines,
        inner.takes,
        f"making {called(location)} before the test, by {_named(statements)}" + (f", {how}" if how else ""),
    )


def _named(statements: tuple[str, ...]) -> str:
    return " and ".join(statement for statement in statements if not statement.startswith("import "))
