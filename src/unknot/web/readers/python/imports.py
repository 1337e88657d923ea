"""What imported names mean: found when they are used, in the project or nowhere."""

from typing import TYPE_CHECKING

from unknot.web.readers.interpreter.machine import Activation
from unknot.web.readers.interpreter.values import UNKNOWN, Unknown, Value, either, options
from unknot.web.readers.python.code import ImportCode
from unknot.web.readers.python.containers import elements
from unknot.web.readers.python.values import ImportedName, PythonModule, texts_of

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

_MOST_HOPS = 20
"""Packages hand names on to each other; two that do so in a circle must not keep us."""


def bind_imported(language: "PythonLanguage", code: ImportCode, at: Activation) -> None:
    module = language.module_at(at)
    for there, here in code.names:
        if there == "*":
            _bind_all(language, code, module, at)
            continue
        value: Value = ImportedName(module, code.module, there, code.level, code.line)
        # Where one of two imports is tried after the other, either may be the one that works.
        known = at.scope.names.get(here) if at.uncertain else None
        at.scope.names[here] = value if known is None else either((known, value))


def _bind_all(language: "PythonLanguage", code: ImportCode, importer: PythonModule, at: Activation) -> None:
    module = language.project.imported(importer, code.module, code.level)
    if module is None:
        importer.is_open = True
        return
    language.load(module)
    importer.is_open |= module.is_open or module.is_being_read
    public = module.scope.names.get("__all__")
    listed = [] if public is None else elements(language, public)[0]
    named = {text for each in listed for text in texts_of(each)}
    known = module.scope.names.items()
    at.scope.names |= {name: value for name, value in known if name in named or not name.startswith("_")}


def followed(language: "PythonLanguage", value: Value, hops: int = 0) -> Value:
    """With every import replaced by what it means. One that can only mean something of the project, and is not there,
    is a gap, unless another of the values is found."""
    several = options(value)
    if not any(isinstance(option, ImportedName) for option in several):
        return value
    found: list[Value] = []
    missing: list[str] = []
    for option in several:
        meant = _meaning(language, option, hops) if isinstance(option, ImportedName) else option
        if isinstance(meant, str):
            missing.append(meant)
        else:
            found.append(meant)
    if missing and not found:
        language.machine.trace.misses(missing[0])
    return either([*found, *(UNKNOWN for _ in missing)])


def _meaning(language: "PythonLanguage", imported: ImportedName, hops: int) -> Value | str:
    """The value, or what is missing, in words."""
    importer, dotted, level = imported.importer, imported.module, imported.level
    where = f"{importer.path}:{imported.line}"
    module = language.project.imported(importer, dotted, level)
    if module is None:
        if language.project.seems_ours(importer, dotted, level):
            return f"{where}: the module {'.' * level}{dotted} is not in the project"
        return Unknown(".".join(filter(None, (dotted, imported.name))))
    language.load(module)
    if not imported.name:
        return module
    known = member(language, module, imported.name, hops + 1)
    if known is not None:
        return known
    if module.path.endswith("/"):
        return Unknown(f"{dotted}.{imported.name}")
    return f"{where}: {imported.name} is not in {module.path}"


def member(language: "PythonLanguage", module: PythonModule, name: str, hops: int = 0) -> Value | None:
    """A name of a module, or a module of a package; None where it surely has none."""
    if name in module.scope.names and hops < _MOST_HOPS:
        return followed(language, module.scope.names[name], hops)
    below = language.project.submodule(module, name)
    if below is not None:
        language.load(below)
        return below
    is_given = name.startswith("__")
    if is_given or module.is_open or module.is_being_read or hops >= _MOST_HOPS or "__getattr__" in module.scope.names:
        return Unknown(f".{name}")
    return None
