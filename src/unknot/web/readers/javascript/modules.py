"""Modules of the project: run once for what they declare, when they are first imported."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from unknot.model.recording import Frame
from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.grammars import LONGEST
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.string_trace import StringTrace
from unknot.web.readers.interpreter.values import UNKNOWN, Entries, Items, LazyValue, NameScope, Text, Value
from unknot.web.readers.javascript.import_paths import Resolver
from unknot.web.readers.javascript.lowering import Export, Import, Imported, ModuleCode, module_code

OUTSIDE = "<module>"


@dataclass(eq=False)
class JavaScriptModule:
    """`exports` are for others; `common` is `module.exports`, which may be anything."""

    path: str
    code: ModuleCode
    scope: NameScope = field(default_factory=NameScope)
    exports: Entries = field(default_factory=lambda: Entries({}, "module"))
    common: Entries = field(default_factory=lambda: Entries({"exports": Entries({}, "module")}))

    @property
    def outside(self) -> Activation:
        return Activation(self.scope, self.path, OUTSIDE)

    def exported(self, name: str) -> Value:
        """What another file gets by this name."""
        given = self.common.entries["exports"]
        is_common = not isinstance(given, Entries) or bool(given.entries)
        if name == "*":
            return given if is_common and not self.exports.entries else self.exports
        if name in self.exports.entries:
            return self.exports.entries[name]
        if isinstance(given, Entries) and name in given.entries:
            return given.entries[name]
        return given if name == "default" and is_common else UNKNOWN


class JavaScriptModules:
    """All files of the project, each parsed and run when first needed. Data files are read as what they hold."""

    def __init__(self, files: Sequence[str], read: Callable[[str], str | None]) -> None:
        self.paths = tuple(path for path in dict.fromkeys(files) if "node_modules" not in path.split("/"))
        self._read = read
        self._resolver = Resolver(self.paths, read)
        self._sources: dict[str, str] = {}
        self._modules: dict[str, JavaScriptModule] = {}
        self._data: dict[str, Value] = {}

    def source(self, path: str) -> str:
        if path not in self._sources:
            text = self._read(path) or ""
            self._sources[path] = text if len(text) <= LONGEST else ""
        return self._sources[path]

    def loaded(self, machine: Machine, path: str) -> Value:
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

    def _run(self, machine: Machine, module: JavaScriptModule) -> Value:
        """Imports and functions first, whatever their place in the file."""
        at = module.outside
        for step in module.code.steps:
            inner = step.inner if isinstance(step, Export) else step
            if isinstance(step, Import):
                for there, here in step.names:
                    module.scope.names[here] = _imported(step.line, step.source, there, at)
            elif isinstance(inner, c.FunctionCode | c.ClassCode) and inner.name:
                made = machine.closure(inner, at) if isinstance(inner, c.FunctionCode) else None
                module.scope.names[inner.name] = made or LazyValue(inner, at.scope, at.file, OUTSIDE)
        for step in module.code.steps:
            if isinstance(step, Export):
                self._export(machine, module, step)
            elif isinstance(step, Import):
                if not step.names:
                    self.imported(machine, Imported(step.line, step.source, "*"), at)
            elif not isinstance(step, c.FunctionCode | c.ClassCode):
                machine.value(step, at)
        return UNKNOWN

    def _export(self, machine: Machine, module: JavaScriptModule, step: Export) -> Value:
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
                exports["default"] = LazyValue(step.inner, at.scope, at.file, OUTSIDE)
            return UNKNOWN
        for name, other in step.names:
            if name == "*" and other == "*":
                everything = self.imported(machine, Imported(step.line, step.source, "*"), at)
                if isinstance(everything, Entries):
                    exports.update(everything.entries)
            else:
                exports[other] = _imported(step.line, step.source, name, at) if step.source else _own(name, at)
        return UNKNOWN

    def imported(self, machine: Machine, code: Imported, at: Activation) -> Value:
        """A name of another file. A file of the project that is missing is a gap; a library's name is UNKNOWN."""
        path = self._resolver.found(code.source, at.file)
        if path is None:
            is_code = not code.source.endswith((".css", ".scss", ".png", ".jpg", ".svg", ".html"))
            if self._resolver.is_own(code.source, at.file) and is_code:
                machine.trace.add_gap(f"{at.file}:{code.line} imports {code.source}, which is not in the project")
            return UNKNOWN
        if path.endswith(".json"):
            data = self.data(path)
            return data.entries.get(code.name, data) if isinstance(data, Entries) else data
        self.loaded(machine, path)
        module = self._modules[path]
        for line in module.code.broken[:1]:
            machine.trace.add_gap(f"{path}:{line} does not parse")
        return machine.read(module.exported(code.name))

    def data(self, path: str) -> Value:
        """What a JSON file holds; UNKNOWN if there is none, no JSON in it, or it lies outside of the project."""
        if path not in self._data:
            is_outside = path.startswith(("..", "/"))
            text = "" if is_outside else self._read(path) or ""
            try:
                self._data[path] = _value(json.loads(text[:LONGEST]), path)
            except (ValueError, RecursionError):
                self._data[path] = UNKNOWN
        return self._data[path]

    def is_library(self, source: str, importer: str) -> bool:
        return not self._resolver.is_own(source, importer) and self._resolver.found(source, importer) is None


def _imported(line: int, source: str, name: str, at: Activation) -> LazyValue:
    return LazyValue(Imported(line, source, name), at.scope, at.file, OUTSIDE)


def _own(name: str, at: Activation) -> LazyValue:
    return LazyValue(c.Name(0, name), at.scope, at.file, OUTSIDE)


def _value(data: object, path: str) -> Value:
    match data:
        case str():
            return Text(data, Frame(path, 1, OUTSIDE))
        case bool() | int() | float():
            return Text(str(data).lower(), Frame(path, 1, OUTSIDE), is_text=False)
        case list():
            return Items([_value(one, path) for one in data[:500]])
        case dict():
            return Entries({str(name): _value(one, path) for name, one in list(data.items())[:2_000]})
    return UNKNOWN
