"""Fixtures for loggers, which have their own ways of being set."""

import re
from collections.abc import Iterator

from unknot.fix.recipe import Recipe
from unknot.fix.road import simple_value
from unknot.fix.workbench import Builder, Workbench, called
from unknot.model.recording import Location

_LOGGER = re.compile(r"logging\.getLogger\((.*)\)\.(level|handlers|filters|disabled|propagate)$", re.DOTALL)
_DISABLE = "logging.root.manager.disable"


def is_logging(name: str) -> bool:
    return name == _DISABLE or _LOGGER.match(name) is not None


def restored_logging(location: Location) -> Iterator[Builder]:
    """Puts it back after the test."""
    yield lambda bench: _recipe(bench, location, "restored", f"Puts {called(location)} back as it was.", clean=False)


def clean_logging(location: Location) -> Iterator[Builder]:
    """As Python has it at the start, for one test."""
    says = f"Begins with {called(location)} as at the start."
    yield lambda bench: _recipe(bench, location, "clean", says, clean=True)


def _recipe(bench: Workbench, location: Location, what: str, says: str, *, clean: bool) -> Recipe:
    lines = _disabled(bench, clean=clean) if location.name == _DISABLE else _logger(bench, location.name, clean=clean)
    return Recipe(bench.fixture(what, location), says, lines, (), _told(location, clean=clean))


def _told(location: Location, *, clean: bool) -> str:
    if clean:
        return f"beginning with {called(location)} as at the start"
    return f"putting {called(location)} back after the test that leaves it"


def _disabled(bench: Workbench, *, clean: bool) -> tuple[str, ...]:
    logging = bench.names.module("logging")
    first = (f"{logging}.disable({logging}.NOTSET)",) if clean else ()
    return (f"before = {logging}.root.manager.disable", *first, "yield", f"{logging}.disable(before)")


def _logger(bench: Workbench, name: str, *, clean: bool) -> tuple[str, ...]:
    found = _LOGGER.match(name)
    assert found is not None
    value = simple_value(found[1]) if found[1] else None
    logging = bench.names.module("logging")
    get = f"logger = {logging}.getLogger({'' if value is None else ascii(value[0])})"
    attribute = found[2]
    if attribute == "level":
        usual = "NOTSET" if found[1] else "WARNING"
        first = (f"logger.setLevel({logging}.{usual})",) if clean else ()
        return (get, "before = logger.level", *first, "yield", "logger.setLevel(before)")
    if attribute in ("handlers", "filters"):
        first = (f"logger.{attribute}.clear()",) if clean else ()
        return (get, f"before = list(logger.{attribute})", *first, "yield", f"logger.{attribute}[:] = before")
    first = (f"logger.{attribute} = {attribute == 'propagate'}",) if clean else ()
    return (get, f"before = logger.{attribute}", *first, "yield", f"logger.{attribute} = before")
