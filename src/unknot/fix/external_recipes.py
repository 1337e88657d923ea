"""Fixtures for state that is not a plain Python object: the environment, the process, files, loggers."""

import re
from collections.abc import Callable, Iterator

from unknot.fix.access_path import simple_value
from unknot.fix.fixture_builder import FixtureBuilder, Recipe, RecipeMaker, describe_location
from unknot.model.recording import Location

_VARIABLE = re.compile(r"os\.environ\[(.*)\]$", re.DOTALL)
_SIGNAL = re.compile(r"signal\.getsignal\((?:signal\.)?(SIG[A-Z0-9_]+)\)$")
_OWN_DIRECTORY = "monkeypatch.chdir(tmp_path)"

_Body = tuple[tuple[str, ...], tuple[str, ...]]
"""Lines, and the fixtures that they request."""


def variable(location: Location) -> str | None:
    """The name of the environment variable, as code."""
    found = _VARIABLE.match(location.name)
    value = simple_value(found[1]) if found else None
    return ascii(value[0]) if value is not None and isinstance(value[0], str) else None


def file_of(location: Location) -> str | None:
    """The file of a file or table location; None for a database in memory or on a server."""
    if location.kind == "file":
        return location.name
    path, _, _ = location.name.rpartition(": table ")
    return path if (location.kind == "table" and "/" in path) or path.endswith((".db", ".sqlite", ".sqlite3")) else None


def restored_environment(location: Location) -> Iterator[RecipeMaker]:
    name = variable(location)
    if name is None:
        return

    def all_of_it(builder: FixtureBuilder) -> Recipe:
        mock, os = builder.names.member("unittest", "mock"), builder.names.module("os")
        return _restoring(builder, location, (f"with {mock}.patch.dict({os}.environ):", "    yield"))

    def only_this(builder: FixtureBuilder) -> Recipe:
        environment = f"{builder.names.module('os')}.environ"
        lines = (
            f"before = {environment}.get({name})",
            "yield",
            "if before is None:",
            f"    {environment}.pop({name}, None)",
            "else:",
            f"    {environment}[{name}] = before",
        )
        return _restoring(builder, location, lines)

    yield all_of_it
    yield only_this


def restored_process(location: Location) -> Iterator[RecipeMaker]:
    body = _PROCESS.get(location.name) or (_signal_handler if _SIGNAL.match(location.name) else None)
    if body is not None:
        yield lambda builder: _restoring(builder, location, *body(builder, location))


def restored_file(location: Location) -> Iterator[RecipeMaker]:
    """A temporary directory for the test, in case its paths are relative; or the file's content saved and restored."""
    if location.kind == "directory" or file_of(location) is not None:
        yield lambda builder: own_directory(builder, location)
    if (path := file_of(location)) is not None:
        yield lambda builder: _restoring(builder, location, _kept_file(builder, path, ()))


def without_file(location: Location) -> Iterator[RecipeMaker]:
    """The file removed for the duration of a test."""
    yield lambda builder: own_directory(builder, location)
    if (path := file_of(location)) is not None:
        yield lambda builder: Recipe(
            builder.fixture("without", location),
            f"Removes {describe_location(location)} during the test.",
            _kept_file(builder, path, ("file.unlink(missing_ok=True)",)),
            (),
            f"remove {describe_location(location)} during the test",
        )


def own_directory(builder: FixtureBuilder, location: Location) -> Recipe:
    return Recipe(
        builder.names.free("own_directory"),
        "Runs the test in its own directory: other tests never see the files.",
        (_OWN_DIRECTORY,),
        ("monkeypatch", "tmp_path"),
        f"run the test in its own directory, where {describe_location(location)} is another file",
    )


def _kept_file(builder: FixtureBuilder, path: str, first: tuple[str, ...]) -> tuple[str, ...]:
    return (
        f"file = {builder.file(path)}",
        "before = file.read_bytes() if file.exists() else None",
        *first,
        "yield",
        "if before is None:",
        "    file.unlink(missing_ok=True)",
        "else:",
        "    file.write_bytes(before)",
    )


def _restoring(
    builder: FixtureBuilder, location: Location, lines: tuple[str, ...], takes: tuple[str, ...] = ()
) -> Recipe:
    return Recipe(
        builder.fixture("restored", location),
        f"Restores {describe_location(location)} after the test.",
        lines,
        takes,
        f"restore {describe_location(location)} after the test that changes it",
    )


def _directory(builder: FixtureBuilder, _location: Location) -> _Body:
    return (f"monkeypatch.chdir({builder.names.module('os')}.curdir)",), ("monkeypatch",)


def _umask(builder: FixtureBuilder, _location: Location) -> _Body:
    os = builder.names.module("os")
    return (f"before = {os}.umask(0)", f"{os}.umask(before)", "yield", f"{os}.umask(before)"), ()


def _locale(builder: FixtureBuilder, _location: Location) -> _Body:
    locale = builder.names.module("locale")
    set_all = f"{locale}.setlocale({locale}.LC_ALL"
    return (f"before = {set_all})", "yield", f"{set_all}, before)"), ()


def _time_zone(builder: FixtureBuilder, _location: Location) -> _Body:
    mock, os, time = builder.names.member("unittest", "mock"), builder.names.module("os"), builder.names.module("time")
    return (f"with {mock}.patch.dict({os}.environ):", "    yield", f"{time}.tzset()"), ()


def _random(builder: FixtureBuilder, _location: Location) -> _Body:
    random = builder.names.module("random")
    return (f"before = {random}.getstate()", "yield", f"{random}.setstate(before)"), ()


def _numpy_random(builder: FixtureBuilder, _location: Location) -> _Body:
    random = f"{builder.names.module('numpy')}.random"
    return (f"before = {random}.get_state()", "yield", f"{random}.set_state(before)"), ()


def _decimal(builder: FixtureBuilder, _location: Location) -> _Body:
    return (f"with {builder.names.module('decimal')}.localcontext():", "    yield"), ()


def _signal_handler(builder: FixtureBuilder, location: Location) -> _Body:
    found = _SIGNAL.match(location.name)
    assert found is not None
    signal = builder.names.module("signal")
    number = f"{signal}.{found[1]}"
    return (f"before = {signal}.getsignal({number})", "yield", f"{signal}.signal({number}, before)"), ()


_PROCESS: dict[str, Callable[[FixtureBuilder, Location], _Body]] = {
    "os.getcwd()": _directory,
    "os.umask()": _umask,
    "locale.setlocale()": _locale,
    "time.tzname": _time_zone,
    "random.getstate()": _random,
    "numpy.random.get_state()": _numpy_random,
    "decimal.getcontext()": _decimal,
}


_LOGGER = re.compile(r"logging\.getLogger\((.*)\)\.(level|handlers|filters|disabled|propagate)$", re.DOTALL)
_DISABLE = "logging.root.manager.disable"


def is_logging(name: str) -> bool:
    return name == _DISABLE or _LOGGER.match(name) is not None


def restored_logging(location: Location) -> Iterator[RecipeMaker]:
    """Restores the logging setting after the test."""
    yield lambda builder: _recipe(
        builder, location, "restored", f"Restores {describe_location(location)} after the test.", clean=False
    )


def clean_logging(location: Location) -> Iterator[RecipeMaker]:
    """Python's initial setting, for one test."""
    docstring = f"Starts with {describe_location(location)} in its initial state."
    yield lambda builder: _recipe(builder, location, "clean", docstring, clean=True)


def _recipe(builder: FixtureBuilder, location: Location, what: str, docstring: str, *, clean: bool) -> Recipe:
    lines = (
        _disabled(builder, clean=clean) if location.name == _DISABLE else _logger(builder, location.name, clean=clean)
    )
    return Recipe(builder.fixture(what, location), docstring, lines, (), _summary(location, clean=clean))


def _summary(location: Location, *, clean: bool) -> str:
    if clean:
        return f"start with {describe_location(location)} in its initial state"
    return f"restore {describe_location(location)} after the test that changes it"


def _disabled(builder: FixtureBuilder, *, clean: bool) -> tuple[str, ...]:
    logging = builder.names.module("logging")
    first = (f"{logging}.disable({logging}.NOTSET)",) if clean else ()
    return (f"before = {logging}.root.manager.disable", *first, "yield", f"{logging}.disable(before)")


def _logger(builder: FixtureBuilder, name: str, *, clean: bool) -> tuple[str, ...]:
    found = _LOGGER.match(name)
    assert found is not None
    value = simple_value(found[1]) if found[1] else None
    logging = builder.names.module("logging")
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
