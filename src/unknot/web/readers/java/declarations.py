"""Java's classes, methods, fields and annotations in the intermediate language."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.grammars import parsed
from unknot.web.readers.interpreter.lowering import Builder, Lowering, line_of, named, silent, text_at, text_of
from unknot.web.readers.java.expressions import EXPRESSIONS, type_name
from unknot.web.readers.java.statements import STATEMENTS

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASSES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
}
_FUNCTIONS = frozenset({"method_declaration", "constructor_declaration", "lambda_expression"})


@dataclass(eq=False)
class JavaFile:
    """`imports` by simple name; `wildcards` are packages and, of static imports, classes. `broken`: lines that do not
    parse and lie outside methods."""

    path: str
    package: str = ""
    imports: dict[str, str] = field(default_factory=dict)
    static_imports: dict[str, str] = field(default_factory=dict)
    wildcards: list[str] = field(default_factory=list)
    static_wildcards: list[str] = field(default_factory=list)
    import_lines: dict[str, int] = field(default_factory=dict)
    classes: list[c.ClassCode] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)


def java_file(path: str, source: str) -> JavaFile:
    lowering = Lowering(path, BUILDERS, _FUNCTIONS)
    root = parsed(source, "java")
    lowering.lower(root)
    made = JavaFile(path, broken=lowering.broken)
    waiting = list(reversed(list(named(root))))
    while waiting:
        node = waiting.pop()
        if node.type == "package_declaration":
            made.package = text_of(next((part for part in named(node) if "identifier" in part.type), None))
        elif node.type == "import_declaration":
            _import(made, node)
        elif node.is_error:
            waiting.extend(reversed(list(named(node))))
        else:
            code = lowering.of(node)
            if isinstance(code, c.ClassCode):
                made.classes.append(code)
    return made


def _import(made: JavaFile, node: "Node") -> None:
    name = text_of(next((part for part in named(node) if "identifier" in part.type), None))
    is_static = any(child.type == "static" for child in node.children)
    if any(child.type == "asterisk" for child in node.children):
        (made.static_wildcards if is_static else made.wildcards).append(name)
        return
    owner, _, last = name.rpartition(".")
    if is_static:
        made.static_imports[last] = owner
    else:
        made.imports[last] = name
        made.import_lines[last] = line_of(node)


def class_declaration(lowering: Lowering, node: "Node") -> c.Code:
    kind = _CLASSES[node.type]
    body = node.child_by_field_name("body")
    annotations, modifiers = _modifiers(lowering, node)
    above = node.child_by_field_name("superclass")
    superclass = type_name(next(named(above), None)) if above is not None else ""
    members = _members(lowering, body, kind)
    if kind == "record":
        members = (*_components(node.child_by_field_name("parameters")), *members)
    return c.ClassCode(
        line_of(node),
        text_at(node, "name"),
        lowering.file,
        kind,
        c.Name(line_of(node), superclass) if superclass else None,
        _interfaces(node),
        members,
        tuple(code for code in _parts(lowering, body) if isinstance(code, c.ClassCode)),
        tuple(_constants(lowering, body, text_at(node, "name"))),
        annotations,
        modifiers,
    )


def anonymous_class(lowering: Lowering, node: "Node") -> c.Code:
    """A body that belongs to no declaration; those of declarations are made there."""
    if node.parent is None or node.parent.type not in ("object_creation_expression", "enum_constant"):
        return c.NOTHING
    inner = tuple(code for code in _parts(lowering, node) if isinstance(code, c.ClassCode))
    return c.ClassCode(line_of(node), "", lowering.file, members=_members(lowering, node, "class"), inner=inner)


def _interfaces(node: "Node") -> tuple[str, ...]:
    lists = [child for child in node.children if child.type in ("super_interfaces", "extends_interfaces")]
    return tuple(type_name(one) for part in lists for names in named(part) for one in named(names))


def _parts(lowering: Lowering, body: "Node | None") -> list[c.Code]:
    return [lowering.of(node) for node in _declarations(body)]


def _declarations(body: "Node | None") -> list["Node"]:
    """What a class body declares, also where a piece of it did not parse."""
    found: list[Node] = []
    waiting = [] if body is None else list(reversed(list(named(body))))
    while waiting:
        node = waiting.pop()
        if node.type == "enum_body_declarations" or node.is_error:
            waiting.extend(reversed(list(named(node))))
        else:
            found.append(node)
    return found


def _members(lowering: Lowering, body: "Node | None", kind: str) -> tuple[c.MemberCode, ...]:
    members: list[c.MemberCode] = []
    for node in _declarations(body):
        annotations, modifiers = _modifiers(lowering, node)
        if node.type in ("field_declaration", "constant_declaration"):
            is_static = "static" in modifiers or kind == "interface"
            members.extend(_fields(lowering, node, annotations, modifiers, is_static=is_static))
        elif node.type == "block":
            members.append(c.MemberCode(line_of(node), "", "start", lowering.of(node)))
        elif node.type == "static_initializer":
            members.append(c.MemberCode(line_of(node), "", "start", lowering.of(node), is_static=True))
        elif node.type in ("method_declaration", "constructor_declaration"):
            is_static = "static" in modifiers
            sort = node.type.removesuffix("_declaration")
            code = lowering.of(node)
            name = text_at(node, "name")
            type_of = type_name(node.child_by_field_name("type"))
            members.append(c.MemberCode(line_of(node), name, sort, code, is_static, type_of, annotations, modifiers))
    return tuple(members)


def _fields(
    lowering: Lowering,
    node: "Node",
    annotations: tuple[c.Annotation, ...],
    modifiers: frozenset[str],
    *,
    is_static: bool,
) -> list[c.MemberCode]:
    """A field without a value uses the texts of its annotations: @FindBy(id = "login")."""
    made = []
    trace = tuple(value for annotation in annotations for value in annotation.values.values())
    for one in node.children_by_field_name("declarator"):
        value = lowering.maybe(one, "value")
        if trace:
            value = c.After(line_of(one), c.Together(line_of(one), trace), value or c.NOTHING)
        type_of = type_name(node.child_by_field_name("type"))
        made.append(
            c.MemberCode(line_of(one), text_at(one, "name"), "field", value, is_static, type_of, annotations, modifiers)
        )
    return made


def _components(parameters: "Node | None") -> tuple[c.MemberCode, ...]:
    nodes = [] if parameters is None else list(named(parameters))
    return tuple(c.MemberCode(line_of(node), text_at(node, "name"), "field", None) for node in nodes)


def _constants(lowering: Lowering, body: "Node | None", name: str) -> list[tuple[str, c.New]]:
    nodes = [] if body is None else [node for node in named(body) if node.type == "enum_constant"]
    made: list[tuple[str, c.New]] = []
    for node in nodes:
        arguments = lowering.all(node.child_by_field_name("arguments"))
        inner = lowering.field(node, "body")
        anonymous = inner if isinstance(inner, c.ClassCode) else None
        made.append((text_at(node, "name"), c.New(line_of(node), c.Name(line_of(node), name), arguments, anonymous)))
    return made


def function(lowering: Lowering, node: "Node") -> c.Code:
    parameters = node.child_by_field_name("parameters")
    nodes = [one for one in named(parameters) if one.type != "receiver_parameter"] if parameters is not None else []
    return c.FunctionCode(
        line_of(node),
        text_at(node, "name"),
        lowering.file,
        tuple(c.Name(line_of(one), _parameter_name(one)) for one in nodes),
        lowering.field(node, "body"),
        tuple(type_name(one.child_by_field_name("type")) for one in nodes),
        type_name(node.child_by_field_name("type")),
        is_variadic=any(one.type == "spread_parameter" for one in nodes),
        damage=lowering.damage(node),
    )


def _parameter_name(node: "Node") -> str:
    if node.type == "spread_parameter":
        return next((text_at(child, "name") for child in named(node) if child.type == "variable_declarator"), "")
    return text_at(node, "name")


def _modifiers(lowering: Lowering, node: "Node") -> tuple[tuple[c.Annotation, ...], frozenset[str]]:
    holder = next((child for child in node.children if child.type == "modifiers"), None)
    children = [] if holder is None else holder.children
    annotations = tuple(code for code in map(lowering.of, children) if isinstance(code, c.Annotation))
    return annotations, frozenset(child.type for child in children if not child.is_named)


def annotation(lowering: Lowering, node: "Node") -> c.Code:
    values: dict[str, c.Code] = {}
    arguments = node.child_by_field_name("arguments")
    for one in [] if arguments is None else named(arguments):
        if one.type == "element_value_pair":
            values[text_at(one, "key")] = lowering.field(one, "value")
        else:
            values["value"] = lowering.of(one)
    return c.Annotation(line_of(node), text_at(node, "name").rpartition(".")[2], values)


BUILDERS: dict[str, Builder] = {
    **EXPRESSIONS,
    **STATEMENTS,
    **dict.fromkeys(_CLASSES, class_declaration),
    "class_body": anonymous_class,
    "method_declaration": function,
    "constructor_declaration": function,
    "annotation": annotation,
    "marker_annotation": annotation,
    "modifiers": silent,
    "import_declaration": silent,
    "package_declaration": silent,
}
