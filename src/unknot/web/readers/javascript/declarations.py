"""JavaScript's functions, classes and modules in the intermediate language."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.code import Code
from unknot.web.readers.interpreter.grammars import parsed
from unknot.web.readers.interpreter.lowering import Builder, Lowering, line_of, named, text_at, text_of
from unknot.web.readers.interpreter.values import words
from unknot.web.readers.javascript.expressions import EXPRESSIONS, key
from unknot.web.readers.javascript.statements import STATEMENTS


@dataclass(frozen=True, eq=False, repr=False)
class Import(Code):
    """`names` are pairs of the name there and the name here; "*" there is everything, as one object."""

    source: str
    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Imported(Code):
    """One name of another file, found when it is read."""

    source: str
    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Export(Code):
    """`inner` declares something; `names` are pairs of the name here and the name for others. `source` is the file that
    the names are of, if it is another one; then "*" is all of them."""

    inner: Code | None
    names: tuple[tuple[str, str], ...] = ()
    source: str = ""


if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = words(
    "function_declaration function_expression generator_function_declaration generator_function arrow_function",
    "method_definition",
)


@dataclass(frozen=True, eq=False)
class ModuleCode:
    """`broken`: lines that do not parse and lie outside functions."""

    path: str
    steps: tuple[c.Code, ...]
    broken: list[int] = field(default_factory=list)


def module_code(path: str, source: str) -> ModuleCode:
    grammar = "tsx" if path.endswith("x") else "typescript" if path.endswith("ts") else "javascript"
    lowering = Lowering(path, BUILDERS, _FUNCTIONS)
    root = parsed(source, grammar)
    lowering.lower(root)
    steps: list[c.Code] = []
    waiting = list(reversed(list(named(root))))
    while waiting:
        node = waiting.pop()
        if node.is_error:
            waiting.extend(reversed(list(named(node))))
        else:
            steps.append(lowering.of(node))
    return ModuleCode(path, tuple(steps), lowering.broken)


def function(lowering: Lowering, node: "Node") -> c.Code:
    is_arrow = node.type == "arrow_function"
    only = lowering.maybe(node, "parameter")
    listed = node.child_by_field_name("parameters")
    body = lowering.field(node, "body")
    if is_arrow and not isinstance(body, c.CodeBlock):
        body = c.Return(body.line or line_of(node), body)
    kept = _parameter_fields(listed)
    if kept and isinstance(body, c.CodeBlock):
        body = c.CodeBlock(body.line, (*kept, *body.steps))
    return c.FunctionCode(
        line_of(node),
        text_at(node, "name") or _name_around(node),
        lowering.file,
        lowering.all(listed) if only is None else (only,),
        body,
        is_arrow=is_arrow,
        damage=lowering.damage(node),
    )


def _name_around(node: "Node") -> str:
    """An unnamed function goes by what it is assigned to; one that is an argument, by a text before it: a test's
    title."""
    around = node.parent
    if around is None:
        return ""
    if around.type == "arguments":
        first = next(named(around), None)
        return text_of(first)[1:-1] if first is not None and first.type in ("string", "template_string") else ""
    field_name = {"variable_declarator": "name", "pair": "key", "assignment_expression": "left"}.get(around.type, "")
    return text_at(around, field_name) if field_name else ""


def _parameter_fields(parameters: "Node | None") -> tuple[c.Code, ...]:
    """TypeScript's `constructor(private page: Page)`: a field of the same name."""
    made: list[c.Code] = []
    for one in [] if parameters is None else named(parameters):
        pattern = one.child_by_field_name("pattern")
        is_field = any(child.type in ("accessibility_modifier", "readonly") for child in one.children)
        if is_field and pattern is not None:
            line, name = line_of(one), text_of(pattern)
            made.append(c.Assign(line, c.Member(line, c.Name(line, "this"), name), c.Name(line, name)))
    return tuple(made)


def parameter(lowering: Lowering, node: "Node") -> c.Code:
    """TypeScript's, with its type and default."""
    pattern, value = lowering.field(node, "pattern"), lowering.maybe(node, "value")
    return pattern if value is None else c.Default(line_of(node), pattern, value)


def class_code(lowering: Lowering, node: "Node") -> c.Code:
    body = node.child_by_field_name("body")
    heritage = next((child for child in node.children if child.type == "class_heritage"), None)
    members = [_member(lowering, child) for child in (named(body) if body is not None else ())]
    return c.ClassCode(
        line_of(node),
        text_at(node, "name") or _name_around(node) or "class",
        lowering.file,
        superclass=_superclass(lowering, heritage),
        members=tuple(member for member in members if member is not None),
    )


def _superclass(lowering: Lowering, heritage: "Node | None") -> c.Code | None:
    for child in [] if heritage is None else named(heritage):
        if child.type == "extends_clause":
            return lowering.field(child, "value")
        if child.type != "implements_clause":
            return lowering.of(child)
    return None


def _member(lowering: Lowering, node: "Node") -> c.MemberCode | None:
    words = {child.type for child in node.children if not child.is_named}
    is_static = "static" in words
    if node.type == "method_definition":
        named_by = key(lowering, node.child_by_field_name("name"))
        name = named_by.text if isinstance(named_by, c.Literal) else ""
        kind = "constructor" if name == "constructor" else "getter" if "get" in words else "method"
        return None if "set" in words else c.MemberCode(line_of(node), name, kind, lowering.of(node), is_static)
    if node.type in ("public_field_definition", "field_definition"):
        name = text_at(node, "name") or text_at(node, "property")
        return c.MemberCode(line_of(node), name, "field", lowering.maybe(node, "value"), is_static)
    return None


def imports(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    source = text_at(node, "source")[1:-1]
    names: list[tuple[str, str]] = []
    waiting = [child for child in named(node) if child.type == "import_clause"]
    while waiting:
        part = waiting.pop()
        if part.type == "import_specifier":
            name = text_at(part, "name").strip("'\"")
            names.append((name, text_at(part, "alias") or name))
        elif part.type == "namespace_import":
            names.append(("*", text_of(next(named(part), None))))
        elif part.type == "identifier":
            names.append(("default", text_of(part)))
        else:
            waiting.extend(named(part))
    return Import(line_of(node), source, tuple(names))


def exports(lowering: Lowering, node: "Node") -> c.Code:
    source = text_at(node, "source")[1:-1]
    line = line_of(node)
    words = {child.type for child in node.children}
    declared = node.child_by_field_name("declaration") or node.child_by_field_name("value")
    if declared is not None:
        inner = lowering.of(declared)
        name = "default" if "default" in words else ""
        return Export(line, inner, (("", name),) if name else ())
    clause = next((child for child in named(node) if child.type == "export_clause"), None)
    if clause is not None:
        specifiers = [child for child in named(clause) if child.type == "export_specifier"]
        pairs = [(text_at(one, "name"), text_at(one, "alias") or text_at(one, "name")) for one in specifiers]
        return Export(line, None, tuple(pairs), source)
    space = next((child for child in named(node) if child.type == "namespace_export"), None)
    if source:
        return Export(line, None, (("*", text_of(next(named(space), None)) if space is not None else "*"),), source)
    return Export(line, lowering.of(next(named(node), None)), (("", "default"),))


def namespace(lowering: Lowering, node: "Node") -> c.Code:
    return lowering.field(node, "body")


BUILDERS: dict[str, Builder] = {
    **EXPRESSIONS,
    **STATEMENTS,
    **dict.fromkeys(_FUNCTIONS, function),
    "required_parameter": parameter,
    "optional_parameter": parameter,
    "class_declaration": class_code,
    "abstract_class_declaration": class_code,
    "class": class_code,
    "import_statement": imports,
    "export_statement": exports,
    "internal_module": namespace,
}
