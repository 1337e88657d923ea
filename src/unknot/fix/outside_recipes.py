"""Fixtures for what is no Python object: the environment, the process, files."""

import re
from collections.abc import Callable, Iterator

from unknot.fix.recipe import Recipe
from unknot.fix.road import simple_value
from unknot.fix.workbench import Builder, Workbench, called
from unknot.model.recording import Location

_VARIABLE = re.compile(r"os\.environ\[(.*)\]$", re.DOTALL)
_SIGNAL = re.compile(r"signal\.getsignal\((?:signal\.)?(SIG[A-Z0-9_]+)\)$")
_OWN_DIRECTORY = "monkeypatch.chdir(tmp_path)"

_Body = tuple[tuple[str, ...], tuple[str, ...]]
"""Lines, and the fixtures they ask for."""


def variable(location: Location) -> str | None:
    """The environment variable's name, as code."""
    found = _VARIABLE.match(location.name)
    value = simple_value(found[1]) if found else None
    return ascii(value[0]) if value is not None and isinstance(value[0], str) else None


def file_of(location: Location) -> str | None:
    """The file behind a file or a table; None for a database that is in memory or on a server."""
    if location.kind == "file":
        return location.name
    path, _, _ = location.name.rpartition(": table ")
    return path if (location.kind == "table" and "/" in path) or path.endswith((".db", ".sqlite", ".sqlite3")) else None


def restored_environment(location: Location) -> Iterator[Builder]:
    name = variable(location)
    if name is None:
        return

    def all_of_it(bench: Workbench) -> Recipe:
        mock, os = bench.names.member("unittest", "mock"), bench.names.module("os")
        return _restoring(bench, location, (f"with {mock}.patch.dict({os}.environ):", "    yield"))

    def only_this(bench: Workbench) -> Recipe:
        environment = f"{bench.names.module('os')}.environ"
        lines = (
            f"before = {environment}.get({name})",
            "yield",
            "if before is None:",
            f"    {environment}.pop({name}, None)",
            "else:",
            f"    {environment}[{name}] = before",
        )
        return _restoring(bench, location, lines)

    yield all_of_it
    yield only_this


def restored_process(location: Location) -> Iterator[Builder]:
    body = _PROCESS.get(location.name) or (_signal_handler if _SIGNAL.match(location.name) else None)
    if body is not None:
        yield lambda bench: _restoring(bench, location, *body(bench, location))


def restored_file(location: Location) -> Iterator[Builder]:
    """A directory of its own for the test, if its paths are relative; the file's content saved and put back."""
    if location.kind == "directory" or file_of(location) is not None:
        yield lambda bench: own_directory(bench, location)
    if (path := file_of(location)) is not None:
        yield lambda bench: _restoring(bench, location, _kept_file(bench, path, ()))


def without_file(location: Location) -> Iterator[Builder]:
    """The file put aside for the time of a test."""
    yield lambda bench: own_directory(bench, location)
    if (path := file_of(location)) is not None:
        yield lambda bench: Recipe(
            bench.fixture("without", location),
            f"Puts {called(location)} aside.",
            _kept_file(bench, path, ("file.unlink(missing_ok=True)",)),
            (),
            f"putting {called(location)} aside for the test",
        )


def own_directory(bench: Workbench, location: Location) -> Recipe:
    return Recipe(
        bench.names.free("own_directory"),
        "Runs the test in a directory of its own: others never see the files.",
        (_OWN_DIRECTORY,),
        ("monkeypatch", "tmp_path"),
        f"a directory of its own, in which {called(location)} is another file",
    )


def _kept_file(bench: Workbench, path: str, first: tuple[str, ...]) -> tuple[str, ...]:
    return (
        f"file = {bench.file(path)}",
        "before = file.read_bytes() if file.exists() else None",
        *first,
        "yield",
        "if before is None:",
        "    file.unlink(missing_ok=True)",
        "else:",
        "    file.write_bytes(before)",
    )


def _restoring(bench: Workbench, location: Location, lines: tuple[str, ...], takes: tuple[str, ...] = ()) -> Recipe:
    return Recipe(
        bench.fixture("restored", location),
        f"Puts {called(location)} back as it was.",
        lines,
        takes,
        f"putting {called(location)} back after the test that leaves it",
    )


def _directory(bench: Workbench, _location: Location) -> _Body:
    return (f"monkeypatch.chdir({bench.names.module('os')}.curdir)",), ("monkeypatch",)


def _umask(bench: Workbench, _location: Location) -> _Body:
    os = bench.names.module("os")
    return (f"before = {os}.umask(0)", f"{os}.umask(before)", "yield", f"{os}.umask(before)"), ()


def _locale(bench: Workbench, _location: Location) -> _Body:
    locale = bench.names.module("locale")
    set_all = f"{locale}.setlocale({locale}.LC_ALL"
    return (f"before = {set_all})", "yield", f"{set_all}, before)"), ()


def _time_zone(bench: Workbench, _location: Location) -> _Body:
    mock, os, time = bench.names.member("unittest", "mock"), bench.names.module("os"), bench.names.module("time")
    return (f"with {mock}.patch.dict({os}.environ):", "    yield", f"{time}.tzset()"), ()


def _random(bench: Workbench, _location: Location) -> _Body:
    random = bench.names.module("random")
    return (f"before = {random}.getstate()", "yield", f"{random}.setstate(before)"), ()


def _numpy_random(bench: Workbench, _location: Location) -> _Body:
    random = f"{bench.names.module('numpy')}.random"
    return (f"before = {random}.get_state()", "yield", f"{random}.set_state(before)"), ()


def _decimal(bench: Workbench, _location: Location) -> _Body:
    return (f"with {bench.names.module('decimal')}.localcontext():", "    yield"), ()


def _signal_handler(bench: Workbench, location: Location) -> _Body:
    found = _SIGNAL.match(location.name)
    assert found is not None
    signal = bench.names.module("signal")
    number = f"{signal}.{found[1]}"
    return (f"before = {signal}.getsignal({number})", "yield", f"{signal}.signal({number}, before)"), ()


_PROCESS: dict[str, Callable[[Workbench, Location], _Body]] = {
    "os.getcwd()": _directory,
    "os.umask()": _umask,
    "locale.setlocale()": _locale,
    "time.tzname": _time_zone,
    "random.getstate()": _random,
    "numpy.random.get_state()": _numpy_random,
    "decimal.getcontext()": _decimal,
}
