"""How state that is not a plain Python object is saved, reset and restored: the process, files, loggers.

All lines are templates for `FixtureBuilder.recipe`.
"""

import re
from dataclasses import dataclass

from unknot.fix.access_path import simple_value
from unknot.fix.fixture_builder import YIELD
from unknot.model.recording import Location

_VARIABLE = re.compile(r"os\.environ\[(.*)\]$", re.DOTALL)
_SIGNAL = re.compile(r"signal\.getsignal\((?:signal\.)?(SIG[A-Z0-9_]+)\)$")
_LOGGER = re.compile(r"logging\.getLogger\((.*)\)\.(level|handlers|filters|disabled|propagate)$", re.DOTALL)


@dataclass(frozen=True)
class SavedState:
    """Lines that save the state before the test, set its initial content, and restore it after the test."""

    save: tuple[str, ...]
    reset: tuple[str, ...]
    restore: tuple[str, ...]

    @property
    def restored(self) -> tuple[str, ...]:
        return (*self.save, YIELD, *self.restore)

    @property
    def clean(self) -> tuple[str, ...]:
        return (*self.save, *self.reset, YIELD, *self.restore)


ENVIRONMENT = ("with {mock}.patch.dict({os}.environ):", "    yield")
VARIABLE = (
    "before = {os}.environ.get({name})",
    "yield",
    "if before is None:",
    "    {os}.environ.pop({name}, None)",
    "else:",
    "    {os}.environ[{name}] = before",
)
FILE = SavedState(
    save=("file = {file}", "before = file.read_bytes() if file.exists() else None"),
    reset=("file.unlink(missing_ok=True)",),
    restore=("if before is None:", "    file.unlink(missing_ok=True)", "else:", "    file.write_bytes(before)"),
)

_RESTORED = {
    "os.getcwd()": ("monkeypatch.chdir({os}.curdir)",),
    "os.umask()": ("before = {os}.umask(0)", "{os}.umask(before)", "yield", "{os}.umask(before)"),
    "locale.setlocale()": (
        "before = {locale}.setlocale({locale}.LC_ALL)",
        "yield",
        "{locale}.setlocale({locale}.LC_ALL, before)",
    ),
    "time.tzname": (*ENVIRONMENT, "{time}.tzset()"),
    "random.getstate()": ("before = {random}.getstate()", "yield", "{random}.setstate(before)"),
    "numpy.random.get_state()": (
        "before = {numpy}.random.get_state()",
        "yield",
        "{numpy}.random.set_state(before)",
    ),
    "decimal.getcontext()": ("with {decimal}.localcontext():", "    yield"),
}
CLEAN_PROCESS = {
    "os.getcwd()": ("monkeypatch.chdir({root})",),
    "decimal.getcontext()": ("with {decimal}.localcontext({decimal}.DefaultContext):", "    yield"),
}


def restored_process(name: str) -> tuple[str, ...]:
    """Empty for a setting that cannot be restored."""
    if found := _SIGNAL.match(name):
        number = f"{{signal}}.{found[1]}"
        return (f"before = {{signal}}.getsignal({number})", "yield", f"{{signal}}.signal({number}, before)")
    return _RESTORED.get(name, ())


def variable_of(location: Location) -> str | None:
    """The name of the environment variable, as code."""
    found = _VARIABLE.match(location.name)
    value = simple_value(found[1]) if found else None
    return ascii(value[0]) if value is not None and isinstance(value[0], str) else None


def file_of(location: Location) -> str | None:
    """The file of a file or table location; None for a database in memory or on a server."""
    if location.kind == "file":
        return location.name
    path, _, _ = location.name.rpartition(": table ")
    is_file = "/" in path or path.endswith((".db", ".sqlite", ".sqlite3"))
    return path if location.kind == "table" and is_file else None


def logging_state(name: str) -> SavedState | None:
    """None for a location that is no setting of the logging module; `{logger}` is the name of the logger, as code."""
    if name == "logging.root.manager.disable":
        return SavedState(
            ("before = {logging}.root.manager.disable",),
            ("{logging}.disable({logging}.NOTSET)",),
            ("{logging}.disable(before)",),
        )
    found = _LOGGER.match(name)
    if found is None:
        return None
    logger, attribute = "logger = {logging}.getLogger({logger})", found[2]
    if attribute == "level":
        usual = "NOTSET" if found[1] else "WARNING"
        reset = f"logger.setLevel({{logging}}.{usual})"
        return SavedState((logger, "before = logger.level"), (reset,), ("logger.setLevel(before)",))
    if attribute in ("handlers", "filters"):
        save, reset, restore = "list(logger.{0})", "logger.{0}.clear()", "logger.{0}[:] = before"
    else:
        save, reset, restore = "logger.{0}", f"logger.{{0}} = {attribute == 'propagate'}", "logger.{0} = before"
    save, reset, restore = (line.format(attribute) for line in (save, reset, restore))
    return SavedState((logger, f"before = {save}"), (reset,), (restore,))


def logger_of(name: str) -> str:
    """The name of the logger, as code; empty for the root logger."""
    found = _LOGGER.match(name)
    value = simple_value(found[1]) if found and found[1] else None
    return "" if value is None else ascii(value[0])
