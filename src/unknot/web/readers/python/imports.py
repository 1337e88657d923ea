"""What imported names mean: found when they are used, in the project or nowhere."""

import ast
from typing import TYPE_CHECKING

from unknot.web.readers.python.collected import elements
from unknot.web.readers.python.scope import Module, Scope
from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import Foreign, Import, Values, joined, texts_of

if TYPE_CHECKING:
    from unknot.web.readers.python.interpreter import Interpreter

_MOST_HOPS = 20
"""Packages hand names on to each other; two that do so in a circle must not keep us."""


def bind_module(reader: "Interpreter", node: ast.Import, scope: Scope) -> bool:
    for alias in node.names:
        dotted = alias.name if alias.asname else alias.name.partition(".")[0]
        bound = Import(scope.module, dotted, "", 0, node.lineno)
        _bind(reader, scope, alias.asname or dotted, (bound,))
    return False


def bind_imported(reader: "Interpreter", node: ast.ImportFrom, scope: Scope) -> bool:
    dotted = node.module or ""
    for alias in node.names:
        if alias.name == "*":
            _bind_all(reader, node, scope)
        else:
            bound = Import(scope.module, dotted, alias.name, node.level, node.lineno)
            _bind(reader, scope, alias.asname or alias.name, (bound,))
    return False


def _bind(reader: "Interpreter", scope: Scope, name: str, values: Values) -> None:
    # Where one of two imports is tried after the other, either may be the one that works.
    known = scope.names.get(name, ()) if reader.heap.doubts else ()
    scope.names[name] = joined(known, values) if known else values


def _bind_all(reader: "Interpreter", node: ast.ImportFrom, scope: Scope) -> None:
    module = reader.project.imported(scope.module, node.module or "", node.level)
    if module is None:
        scope.module.is_open = True
        return
    reader.touch(module)
    scope.module.is_open |= module.is_open or module.is_being_read
    named = {text for each in elements(reader, module.scope.names.get("__all__", ()))[0] for text in texts_of(each)}
    known = module.scope.names.items()
    scope.names |= {name: values for name, values in known if name in named or not name.startswith("_")}


def followed(reader: "Interpreter", values: Values, place: Place, hops: int = 0) -> Values:
    """With every import replaced by what it means. One that can only mean something of ours, and is not there, is a
    gap, unless another of the values is found."""
    if not any(isinstance(thing, Import) for thing in values):
        return values
    found: list[Values] = []
    missing: list[str] = []
    for thing in values:
        if not isinstance(thing, Import):
            found.append((thing,))
            continue
        meant = _meaning(reader, thing, place, hops)
        if isinstance(meant, str):
            missing.append(meant)
        else:
            found.append(meant)
    if missing and not found:
        reader.speech.misses(missing[0])
    return joined(*found, *((Foreign(),) for _ in missing))


def _meaning(reader: "Interpreter", bound: Import, place: Place, hops: int) -> Values | str:
    """The values, or what is missing, in words."""
    module = reader.project.imported(bound.importer, bound.dotted, bound.level)
    if module is None:
        if reader.project.seems_ours(bound.importer, bound.dotted, bound.level):
            where = f"{bound.importer.path}:{bound.line}"
            return f"{where}: the module {'.' * bound.level}{bound.dotted} is not in the project"
        return (Foreign(".".join(filter(None, (bound.dotted, bound.name)))),)
    reader.touch(module)
    if not bound.name:
        return (module,)
    known = member(reader, module, bound.name, place, hops + 1)
    if known is not None:
        return known
    if module.path.endswith("/"):
        return (Foreign(f"{bound.dotted}.{bound.name}"),)
    return f"{bound.importer.path}:{bound.line}: {bound.name} is not in {module.path}"


def member(reader: "Interpreter", module: Module, name: str, place: Place, hops: int = 0) -> Values | None:
    """A name of a module, or a module of a package; None where it surely has none."""
    changed = reader.heap.global_names(module).get(name)
    if changed is not None:
        return changed
    if name in module.scope.names and hops < _MOST_HOPS:
        return followed(reader, module.scope.names[name], place, hops)
    below = reader.project.submodule(module, name)
    if below is not None:
        reader.touch(below)
        return (below,)
    is_given = name.startswith("__")
    if is_given or module.is_open or module.is_being_read or hops >= _MOST_HOPS or "__getattr__" in module.scope.names:
        return (Foreign(f".{name}"),)
    return None
