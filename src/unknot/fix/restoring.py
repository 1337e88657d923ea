"""Fixtures for a test that leaves something behind: they save the location before it and put it back after it."""

from collections.abc import Iterator

from unknot.fix.containers import is_dict, putting_back
from unknot.fix.logging_recipes import is_logging, restored_logging
from unknot.fix.modules import Modules
from unknot.fix.outside_recipes import restored_environment, restored_file, restored_process
from unknot.fix.recipe import Recipe
from unknot.fix.road import Attribute, Hidden, Key, Road, read_road
from unknot.fix.workbench import Builder, Workbench, called
from unknot.model.recording import Location

_DEFAULTS = Attribute("__defaults__")


def restoring(location: Location, shown: str, modules: Modules) -> Iterator[Builder]:
    """Ways to restore the location, the simplest first. Whether one helps is for a trial to say."""
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


def _memory(location: Location, shown: str, modules: Modules) -> Iterator[Builder]:
    if location.name == "warnings.filters":
        yield lambda bench: _within(bench, location, f"{bench.names.module('warnings')}.catch_warnings()")
        return
    road = read_road(location.name, modules)
    if road is None:
        return
    match road.last:
        case Hidden():
            yield lambda bench: _hidden(bench, location, road)
            return
        case Key() if road.module == "sys":
            # Whatever else was imported meanwhile must stay.
            yield lambda bench: _entry(bench, location, road)
            return
        case Key() if road.steps[-2:-1] == (_DEFAULTS,):
            # What stands in a tuple is never replaced, only changed inside.
            if putting_back(shown, ""):
                yield lambda bench: _in_place(bench, location, road, shown, deep=False)
            return
        case Key():
            yield lambda bench: _patched_dict(bench, location, road.parent)
            yield lambda bench: _entry(bench, location, road)
        case Attribute() if putting_back(shown, ""):
            yield lambda bench: _in_place(bench, location, road, shown, deep=False)
            yield lambda bench: _in_place(bench, location, road, shown, deep=True)
        case Attribute():
            yield lambda bench: _attribute(bench, location, road, f"{bench.thing(road)}")
    top = road.outermost
    yield lambda bench: _attribute(bench, location, top, f"{bench.names.module('copy')}.deepcopy({bench.thing(top)})")
    if len(road.steps) == 1 and isinstance(road.last, Attribute):
        yield lambda bench: _removed(bench, location, road)


def _recipe(bench: Workbench, location: Location, lines: tuple[str, ...], *takes: str) -> Recipe:
    return Recipe(
        bench.fixture("restored", location),
        f"Puts {called(location)} back as it was.",
        lines,
        takes,
        f"putting {called(location)} back after the test that leaves it",
    )


def _within(bench: Workbench, location: Location, context: str) -> Recipe:
    return _recipe(bench, location, (f"with {context}:", "    yield"))


def _patched_dict(bench: Workbench, location: Location, road: Road) -> Recipe:
    """`patch.dict` puts all entries back, in the same dict."""
    thing = bench.thing(road)
    return _within(bench, location, f"{bench.names.member('unittest', 'mock')}.patch.dict({thing})")


def _entry(bench: Workbench, location: Location, road: Road) -> Recipe:
    assert isinstance(road.last, Key)
    thing, key = bench.thing(road.parent), f"{road.last.value!a}"
    lines = (
        f"before = [{thing}[{key}]] if {key} in {thing} else []",
        "yield",
        "if before:",
        f"    {thing}[{key}] = before[0]",
        "else:",
        f"    {thing}.pop({key}, None)",
    )
    return _recipe(bench, location, lines)


def _in_place(bench: Workbench, location: Location, road: Road, shown: str, *, deep: bool) -> Recipe:
    if not deep and is_dict(shown):
        return _patched_dict(bench, location, road)
    thing = bench.thing(road)
    copied = "deepcopy" if deep else "copy"
    before = f"before = {bench.names.module('copy')}.{copied}({thing})"
    return _recipe(bench, location, (before, "yield", *putting_back(shown, thing)))


def _attribute(bench: Workbench, location: Location, road: Road, value: str) -> Recipe:
    """monkeypatch puts back what it found, whatever the test has put there."""
    return _recipe(bench, location, (bench.set_to(road, value),), "monkeypatch")


def _removed(bench: Workbench, location: Location, road: Road) -> Recipe:
    """For what was not there before."""
    assert isinstance(road.last, Attribute)
    is_own = bench.names.is_own(road.module)
    home = "globals()" if is_own else f"vars({bench.thing(road.parent)})"
    return _recipe(bench, location, ("yield", f'{home}.pop("{road.last.name}", None)'))


def _hidden(bench: Workbench, location: Location, road: Road) -> Recipe:
    assert isinstance(road.last, Hidden)
    holder = road.parent
    thing = bench.thing(holder)
    if road.last.what == "cache":
        return _recipe(bench, location, ("yield", f"{thing}.cache_clear()"))
    if road.last.what == "closure":
        cell = f'cell = {thing}.__closure__[{thing}.__code__.co_freevars.index("{road.last.name}")]'
        put_back = 'monkeypatch.setattr(cell, "cell_contents", cell.cell_contents)'
        return _recipe(bench, location, (cell, put_back), "monkeypatch")
    return _attribute(bench, location, holder, f"{bench.names.module('copy')}.copy({thing})")
