"""The files of a project, as modules: which file an import means, its code, and what imported names mean. Names are
found when they are used, in the project or nowhere."""

import ast
import warnings
from collections.abc import Callable, Collection, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.machine import Activation
from unknot.web.readers.python.lowering import ImportCode, lowered
from unknot.web.readers.python.values import ImportedName, PythonModule, texts_of

if TYPE_CHECKING:
    from unknot.web.readers.python.language import PythonLanguage

Read = Callable[[str], str | None]
"""The text of a project file, named from the project's root with slashes; None where it cannot be had."""

_LONGEST_FILE = 1_000_000
"""Characters. A syntax tree takes some hundred times the memory of its text; no test code is that long."""


class PythonProject:
    """Gives modules by path and by import. Each file is read and parsed once. `roots` are directories where imports
    start besides the project's root, `src` and the places where pytest looks."""

    def __init__(self, read: Read, files: Collection[str], roots: Sequence[str] = ()) -> None:
        self._read = read
        self._files = frozenset(files)
        self._directories = frozenset(
            part
            for path in self._files
            for part in accumulate(path.split("/")[:-1], lambda above, name: f"{above}/{name}")
        )
        self._roots = tuple(root.strip("/").removeprefix("./").removesuffix(".") for root in roots)
        self._modules: dict[str, PythonModule] = {}
        self._imported: dict[tuple[str, str, int], PythonModule | None] = {}

    def text(self, path: str) -> str | None:
        return self._read(path) if path in self._files else None

    def ending_in(self, path: str) -> str | None:
        """The file at this path, or the only one whose path ends like it."""
        if path in self._files:
            return path
        fitting = [each for each in self._files if each.endswith(f"/{path}")]
        return fitting[0] if len(fitting) == 1 else None

    def module(self, path: str) -> PythonModule | None:
        """The file as a module, with a gap where it cannot be read or parsed; None if the project has no such file."""
        if path not in self._files:
            return None
        if path not in self._modules:
            self._modules[path] = self._parsed(path)
        return self._modules[path]

    def imported(self, importer: PythonModule, dotted: str, level: int) -> PythonModule | None:
        """What `import dotted` means in that module, if it is a file or a directory of the project."""
        key = (importer.directory, dotted, level)
        if key not in self._imported:
            self._imported[key] = self._found(importer, dotted, level)
        return self._imported[key]

    def _found(self, importer: PythonModule, dotted: str, level: int) -> PythonModule | None:
        paths = [_below(start, *dotted.split(".")) for start in self._starts(importer, level)]
        # A directory is often called like the library that its tests use: files first.
        return next(filter(None, map(self._file, paths)), None) or next(filter(None, map(self._directory, paths)), None)

    def submodule(self, package: PythonModule, name: str) -> PythonModule | None:
        path = _below(package.directory, name)
        return (self._file(path) or self._directory(path)) if package.is_package else None

    def seems_ours(self, importer: PythonModule, dotted: str, level: int) -> bool:
        """Whether the import can only mean something of the project, whatever it is that is missing."""
        if level:
            return True
        first = dotted.partition(".")[0]
        return any(_below(start, first, "__init__.py") in self._files for start in self._starts(importer, 0))

    def _starts(self, importer: PythonModule, level: int) -> list[str]:
        parts = importer.directory.split("/") if importer.directory else []
        if level:
            return ["/".join(parts[: len(parts) - level + 1])] if level <= len(parts) + 1 else []
        above = ["/".join(parts[:size]) for size in range(len(parts), -1, -1)]
        inserted = [each for each in above if _below(each, "__init__.py") not in self._files][:1]
        # Last every directory above: suites that change `sys.path` themselves mean one of these.
        return list(dict.fromkeys([*inserted, "", "src", *self._roots, *above]))

    def _file(self, path: str) -> PythonModule | None:
        return self.module(f"{path}.py") or self.module(_below(path, "__init__.py"))

    def _directory(self, path: str) -> PythonModule | None:
        if path not in self._directories:
            return None
        return self._modules.setdefault(f"{path}/", PythonModule(f"{path}/", is_read=True))

    def _parsed(self, path: str) -> PythonModule:
        text = self._read(path)
        if text is None:
            return PythonModule(path, gaps=[f"{path} cannot be read"], is_open=True)
        if len(text) > _LONGEST_FILE:
            return PythonModule(path, gaps=[f"{path} is too long to be read ({len(text):,} characters)"], is_open=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return PythonModule(path, lowered(ast.parse(text), path))
        except SyntaxError as error:
            return PythonModule(path, gaps=[f"{path}:{error.lineno or 1} does not parse: {error.msg}"], is_open=True)
        except (ValueError, RecursionError, MemoryError, OverflowError, SystemError) as error:
            # What the parser raises for texts that are no program at all, or nested without end.
            return PythonModule(path, gaps=[f"{path}:1 does not parse: {error}"], is_open=True)


def _below(start: str, *parts: str) -> str:
    return "/".join(part for part in (start, *parts) if part)


_MOST_HOPS = 20
"""Packages hand names on to each other; two that do so in a circle must not keep us."""


def bind_imported(language: "PythonLanguage", code: ImportCode, at: Activation) -> None:
    module = language.module_at(at)
    for there, here in code.names:
        if there == "*":
            _bind_all(language, code, module, at)
            continue
        value: v.Value = ImportedName(module, code.module, there, code.level, code.line)
        # Where one of two imports is tried after the other, either may be the one that works.
        known = at.scope.names.get(here) if at.uncertain else None
        at.scope.names[here] = value if known is None else v.either((known, value))


def _bind_all(language: "PythonLanguage", code: ImportCode, importer: PythonModule, at: Activation) -> None:
    module = language.project.imported(importer, code.module, code.level)
    if module is None:
        importer.is_open = True
        return
    language.load(module)
    importer.is_open |= module.is_open or module.is_being_read
    public = module.scope.names.get("__all__")
    listed = [] if public is None else language.elements(public)[0]
    named = {text for each in listed for text in texts_of(each)}
    known = module.scope.names.items()
    at.scope.names |= {name: value for name, value in known if name in named or not name.startswith("_")}


def followed(language: "PythonLanguage", value: v.Value, hops: int = 0) -> v.Value:
    """With every import replaced by what it means. One that can only mean something of the project, and is not there,
    is a gap, unless another of the values is found."""
    several = v.options(value)
    if not any(isinstance(option, ImportedName) for option in several):
        return value
    found: list[v.Value] = []
    missing: list[str] = []
    for option in several:
        meant = _meaning(language, option, hops) if isinstance(option, ImportedName) else option
        if isinstance(meant, str):
            missing.append(meant)
        else:
            found.append(meant)
    if missing and not found:
        language.machine.trace.add_gap(missing[0])
    return v.either([*found, *(v.UNKNOWN for _ in missing)])


def _meaning(language: "PythonLanguage", imported: ImportedName, hops: int) -> v.Value | str:
    """The value, or what is missing, in words."""
    importer, dotted, level = imported.importer, imported.module, imported.level
    where = f"{importer.path}:{imported.line}"
    module = language.project.imported(importer, dotted, level)
    if module is None:
        if language.project.seems_ours(importer, dotted, level):
            return f"{where}: the module {'.' * level}{dotted} is not in the project"
        return v.Unknown(".".join(filter(None, (dotted, imported.name))))
    language.load(module)
    if not imported.name:
        return module
    known = member(language, module, imported.name, hops + 1)
    if known is not None:
        return known
    if module.path.endswith("/"):
        return v.Unknown(f"{dotted}.{imported.name}")
    return f"{where}: {imported.name} is not in {module.path}"


def member(language: "PythonLanguage", module: PythonModule, name: str, hops: int = 0) -> v.Value | None:
    """A name of a module, or a module of a package; None where it surely has none."""
    if name in module.scope.names and hops < _MOST_HOPS:
        return followed(language, module.scope.names[name], hops)
    below = language.project.submodule(module, name)
    if below is not None:
        language.load(below)
        return below
    is_given = name.startswith("__")
    if is_given or module.is_open or module.is_being_read or hops >= _MOST_HOPS or "__getattr__" in module.scope.names:
        return v.Unknown(f".{name}")
    return None
