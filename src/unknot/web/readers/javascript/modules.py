"""Modules of the project: run once for what they declare, when they are first imported. An import means a file beside
the importing one, or one that the `paths` of a tsconfig.json lead to."""

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from unknot.model.recording import Frame
from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter import values as v
from unknot.web.readers.interpreter.grammars import LONGEST
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.string_trace import StringTrace
from unknot.web.readers.javascript.lowering import Export, Import, Imported, ModuleCode, module_code

OUTSIDE = "<module>"


@dataclass(eq=False)
class JavaScriptModule:
    """`exports` are for others; `common` is `module.exports`, which may be anything."""

    path: str
    code: ModuleCode
    scope: v.NameScope = field(default_factory=v.NameScope)
    exports: v.Entries = field(default_factory=lambda: v.Entries({}, "module"))
    common: v.Entries = field(default_factory=lambda: v.Entries({"exports": v.Entries({}, "module")}))

    @property
    def outside(self) -> Activation:
        return Activation(self.scope, self.path, OUTSIDE)

    def exported(self, name: str) -> v.Value:
        """What another file gets by this name."""
        given = self.common.entries["exports"]
        is_common = not isinstance(given, v.Entries) or bool(given.entries)
        if name == "*":
            return given if is_common and not self.exports.entries else self.exports
        if name in self.exports.entries:
            return self.exports.entries[name]
        if isinstance(given, v.Entries) and name in given.entries:
            return given.entries[name]
        return given if name == "default" and is_common else v.UNKNOWN


class JavaScriptModules:
    """All files of the project, each parsed and run when first needed. Data files are read as what they hold."""

    def __init__(self, files: Sequence[str], read: Callable[[str], str | None]) -> None:
        self.paths = tuple(path for path in dict.fromkeys(files) if "node_modules" not in path.split("/"))
        self._read = read
        self._resolver = Resolver(self.paths, read)
        self._modules: dict[str, JavaScriptModule] = {}
        self._data: dict[str, v.Value] = {}

    def source(self, path: str) -> str:
        text = self._read(path) or ""
        return text if len(text) <= LONGEST else ""

    def loaded(self, machine: Machine, path: str) -> v.Value:
        """Runs a module for what it declares, unless that was done already or is under way. Gives its exports."""
        if path in self._modules:
            return self._modules[path].exported("*")
        module = self._modules[path] = JavaScriptModule(path, module_code(path, self.source(path)))
        module.scope.names.update(module=module.common, exports=module.common.entries["exports"])
        trace, machine.trace = machine.trace, StringTrace()
        calls, machine.calls = machine.calls, []
        postponed, machine.postpones = machine.postpones, True
        try:
            with machine.changes.lasting():
                self._run(machine, module)
        finally:
            machine.trace, machine.calls, machine.postpones = trace, calls, postponed
        return module.exported("*")

    def module(self, path: str) -> JavaScriptModule | None:
        return self._modules.get(path)

    def _run(self, machine: Machine, module: JavaScriptModule) -> None:
        """Imports and functions first, whatever their place in the file."""
        at = module.outside
        for step in module.code.steps:
            inner = step.inner if isinstance(step, Export) else step
            if isinstance(step, Import):
                for there, here in step.names:
                    module.scope.names[here] = _imported(step.line, step.source, there, at)
            elif isinstance(inner, c.FunctionCode | c.ClassCode) and inner.name:
                made = machine.closure(inner, at) if isinstance(inner, c.FunctionCode) else None
                module.scope.names[inner.name] = made or v.LazyValue(inner, at.scope, at.file, OUTSIDE)
        for step in module.code.steps:
            if isinstance(step, Export):
                self._export(machine, module, step)
            elif isinstance(step, Import):
                if not step.names:
                    self.imported(machine, Imported(step.line, step.source, "*"), at)
            elif not isinstance(step, c.FunctionCode | c.ClassCode):
                machine.value(step, at)

    def _export(self, machine: Machine, module: JavaScriptModule, step: Export) -> None:
        at, exports = module.outside, module.exports.entries
        if step.inner is not None:
            before = set(module.scope.names)
            if isinstance(step.inner, c.Declare | c.CodeBlock):
                machine.value(step.inner, at)
                added = [name for name in module.scope.names if name not in before]
                exports.update((name, _own(name, at)) for name in added)
            elif isinstance(step.inner, c.FunctionCode | c.ClassCode) and not step.names:
                exports[step.inner.name] = module.scope.names[step.inner.name]
            if step.names:
                exports["default"] = v.LazyValue(step.inner, at.scope, at.file, OUTSIDE)
            return
        for name, other in step.names:
            if name == "*" and other == "*":
                everything = self.imported(machine, Imported(step.line, step.source, "*"), at)
                if isinstance(everything, v.Entries):
                    exports.update(everything.entries)
            else:
                exports[other] = _imported(step.line, step.source, name, at) if step.source else _own(name, at)

    def imported(self, machine: Machine, code: Imported, at: Activation) -> v.Value:
        """A name of another file. A file of the project that is missing is a gap; a library's name is UNKNOWN."""
        path = self._resolver.found(code.source, at.file)
        if path is None:
            is_code = not code.source.endswith((".css", ".scss", ".png", ".jpg", ".svg", ".html"))
            if self._resolver.is_own(code.source, at.file) and is_code:
                machine.trace.add_gap(f"{at.file}:{code.line} imports {code.source}, which is not in the project")
            return v.UNKNOWN
        if path.endswith(".json"):
            data = self.data(path)
            return data.entries.get(code.name, data) if isinstance(data, v.Entries) else data
        self.loaded(machine, path)
        module = self._modules[path]
        for line in module.code.broken[:1]:
            machine.trace.add_gap(f"{path}:{line} does not parse")
        return machine.read(module.exported(code.name))

    def data(self, path: str) -> v.Value:
        """What a JSON file holds; UNKNOWN if there is none, no JSON in it, or it lies outside of the project."""
        if path not in self._data:
            is_outside = path.startswith(("..", "/"))
            text = "" if is_outside else self._read(path) or ""
            try:
                self._data[path] = _value(json.loads(text[:LONGEST]), path)
            except (ValueError, RecursionError):
                self._data[path] = v.UNKNOWN
        return self._data[path]

    def is_library(self, source: str, importer: str) -> bool:
        return not self._resolver.is_own(source, importer) and self._resolver.found(source, importer) is None


def _imported(line: int, source: str, name: str, at: Activation) -> v.LazyValue:
    return v.LazyValue(Imported(line, source, name), at.scope, at.file, OUTSIDE)


def _own(name: str, at: Activation) -> v.LazyValue:
    return v.LazyValue(c.Name(0, name), at.scope, at.file, OUTSIDE)


def _value(data: object, path: str) -> v.Value:
    match data:
        case str():
            return v.Text(data, Frame(path, 1, OUTSIDE))
        case bool() | int() | float():
            return v.Text(str(data).lower(), Frame(path, 1, OUTSIDE), is_text=False)
        case list():
            return v.Items([_value(one, path) for one in data[:500]])
        case dict():
            return v.Entries({str(name): _value(one, path) for name, one in list(data.items())[:2_000]})
    return v.UNKNOWN


ENDINGS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING = re.compile(r",(\s*[}\]])")


@dataclass(frozen=True)
class Aliases:
    """`base` is where plain paths start, or None; `patterns` are pairs such as `@pages/*` and `src/pages/*`."""

    base: str | None
    patterns: tuple[tuple[str, str], ...]


class Resolver:
    """`files` are the project's; `read` also gives JSON files beside them."""

    def __init__(self, files: Iterable[str], read: Callable[[str], str | None]) -> None:
        self._files = frozenset(files)
        self._read = read
        self._aliases: dict[str, Aliases | None] = {}

    def found(self, source: str, importer: str) -> str | None:
        """The path of the file; None if it is a library's, or missing."""
        return next((path for path in self._candidates(source, importer) if path), None)

    def is_own(self, source: str, importer: str) -> bool:
        """Whether an import means a file of the project, be it there or not."""
        return source.startswith((".", "/")) or any(
            _matched(source, pattern) is not None and target.count("node_modules") == 0
            for aliases in self._around(importer)
            for pattern, target in aliases.patterns
            if pattern != "*"
        )

    def _candidates(self, source: str, importer: str) -> Iterable[str | None]:
        if source.startswith("."):
            yield self._file(posixpath.join(posixpath.dirname(importer), source))
            return
        for aliases in self._around(importer):
            for pattern, target in aliases.patterns:
                part = _matched(source, pattern)
                if part is not None:
                    yield self._file(target.replace("*", part, 1))
            if aliases.base is not None:
                yield self._file(posixpath.join(aliases.base, source))
        if source.startswith("/"):
            yield self._file(source.lstrip("/"))

    def _file(self, path: str) -> str | None:
        path = posixpath.normpath(path)
        stem, ending = posixpath.splitext(path)
        swapped = [stem + other for other in ENDINGS] if ending in (".js", ".mjs", ".cjs", ".jsx") else []
        indices = [posixpath.join(path, "index" + other) for other in ENDINGS]
        for candidate in (path, *(path + other for other in ENDINGS), *swapped, *indices):
            if candidate in self._files:
                return candidate
        for candidate in (path, path + ".json") if not path.startswith("..") else ():
            if candidate.endswith(".json") and self._read(candidate) is not None:
                return candidate
        return None

    def _around(self, importer: str) -> Iterable[Aliases]:
        """Of the directories above the importing file, the nearest first."""
        directory = posixpath.dirname(importer)
        while True:
            if directory not in self._aliases:
                self._aliases[directory] = self._read_aliases(directory)
            aliases = self._aliases[directory]
            if aliases is not None:
                yield aliases
            if not directory:
                return
            directory = posixpath.dirname(directory)

    def _read_aliases(self, directory: str) -> Aliases | None:
        for name in ("tsconfig.json", "jsconfig.json"):
            text = self._read(posixpath.join(directory, name))
            if text is not None:
                return _aliases(text, directory)
        return None


def _aliases(text: str, directory: str) -> Aliases | None:
    """Comments and trailing commas are allowed there."""
    plain = _TRAILING.sub(r"\1", _COMMENT.sub(lambda found: found.group(1) or "", text[:200_000]))
    try:
        options = json.loads(plain).get("compilerOptions", {})
        given = options.get("baseUrl")
        base = posixpath.normpath(posixpath.join(directory, given)) if isinstance(given, str) else None
        start = base if base is not None else directory
        pairs = [
            (str(pattern), posixpath.normpath(posixpath.join(start, str(target))))
            for pattern, targets in options.get("paths", {}).items()
            for target in targets
        ]
    except (ValueError, AttributeError, TypeError, RecursionError):
        return None
    return Aliases(base, tuple(pairs))


def _matched(source: str, pattern: str) -> str | None:
    """What stands for the star; an empty text for a pattern without one."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if source == pattern else None
    is_match = source.startswith(before) and source.endswith(after) and len(source) >= len(before) + len(after)
    return source[len(before) : len(source) - len(after)] if is_match else None
