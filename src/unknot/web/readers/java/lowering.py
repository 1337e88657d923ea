"""Java in the intermediate language."""

import re
from dataclasses import dataclass, field
from textwrap import dedent
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.grammars import parsed
from unknot.web.readers.interpreter.lowering import (
    COMMON,
    Builder,
    Lowering,
    array,
    block,
    child_of,
    declaration,
    line_of,
    made,
    named,
    other_loop,
    silent,
    sum_or_other,
    text_at,
    text_of,
    try_statement,
    type_name,
    unwrapped,
)

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
    file = JavaFile(path, broken=lowering.broken)
    for node in unwrapped(list(named(root))):
        code = lowering.of(node)
        if node.type == "package_declaration":
            file.package = _qualified_name(node)
        elif node.type == "import_declaration":
            _import(file, node)
        elif isinstance(code, c.ClassCode):
            file.classes.append(code)
    return file


def _qualified_name(node: "Node") -> str:
    return text_of(next((part for part in named(node) if "identifier" in part.type), None))


def _import(file: JavaFile, node: "Node") -> None:
    name = _qualified_name(node)
    is_static = child_of(node, "static") is not None
    if child_of(node, "asterisk") is not None:
        (file.static_wildcards if is_static else file.wildcards).append(name)
        return
    owner, _, last = name.rpartition(".")
    if is_static:
        file.static_imports[last] = owner
    else:
        file.imports[last] = name
        file.import_lines[last] = line_of(node)


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
        _inner_classes(lowering, body),
        tuple(_constants(lowering, body, text_at(node, "name"))),
        annotations,
        modifiers,
    )


def anonymous_class(lowering: Lowering, node: "Node") -> c.Code:
    """A body that belongs to no declaration; those of declarations are made there."""
    if node.parent is None or node.parent.type not in ("object_creation_expression", "enum_constant"):
        return c.NOTHING
    members, inner = _members(lowering, node, "class"), _inner_classes(lowering, node)
    return c.ClassCode(line_of(node), "", lowering.file, members=members, inner=inner)


def _interfaces(node: "Node") -> tuple[str, ...]:
    lists = [child for child in node.children if child.type in ("super_interfaces", "extends_interfaces")]
    return tuple(type_name(one) for part in lists for names in named(part) for one in named(names))


def _inner_classes(lowering: Lowering, body: "Node | None") -> tuple[c.ClassCode, ...]:
    codes = map(lowering.of, _declarations(body))
    return tuple(code for code in codes if isinstance(code, c.ClassCode))


def _declarations(body: "Node | None") -> list["Node"]:
    """What a class body declares, also where a piece of it did not parse."""
    return [] if body is None else list(unwrapped(list(named(body))))


def _members(lowering: Lowering, body: "Node | None", kind: str) -> tuple[c.MemberCode, ...]:
    members: list[c.MemberCode] = []
    for node in _declarations(body):
        annotations, modifiers = _modifiers(lowering, node)
        is_static = "static" in modifiers
        type_of = type_name(node.child_by_field_name("type"))
        if node.type in ("field_declaration", "constant_declaration"):
            is_static = is_static or kind == "interface"
            # A field without a value uses the texts of its annotations: @FindBy(id = "login").
            trace = tuple(value for annotation in annotations for value in annotation.values.values())
            for one in node.children_by_field_name("declarator"):
                line, name, value = line_of(one), text_at(one, "name"), lowering.maybe(one, "value")
                if trace:
                    value = c.After(line, c.Together(line, trace), value or c.NOTHING)
                members.append(c.MemberCode(line, name, "field", value, is_static, type_of, annotations, modifiers))
        elif node.type in ("block", "static_initializer"):
            is_static = node.type == "static_initializer"
            members.append(c.MemberCode(line_of(node), "", "start", lowering.of(node), is_static))
        elif node.type in ("method_declaration", "constructor_declaration"):
            sort = node.type.removesuffix("_declaration")
            name, code = text_at(node, "name"), lowering.of(node)
            members.append(c.MemberCode(line_of(node), name, sort, code, is_static, type_of, annotations, modifiers))
    return tuple(members)


def _components(parameters: "Node | None") -> tuple[c.MemberCode, ...]:
    nodes = [] if parameters is None else list(named(parameters))
    return tuple(c.MemberCode(line_of(node), text_at(node, "name"), "field", None) for node in nodes)


def _constants(lowering: Lowering, body: "Node | None", name: str) -> list[tuple[str, c.New]]:
    nodes = [] if body is None else [node for node in named(body) if node.type == "enum_constant"]
    constants: list[tuple[str, c.New]] = []
    for node in nodes:
        arguments, inner = lowering.arguments(node), lowering.field(node, "body")
        anonymous = inner if isinstance(inner, c.ClassCode) else None
        new = c.New(line_of(node), c.Name(line_of(node), name), arguments, anonymous)
        constants.append((text_at(node, "name"), new))
    return constants


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
    holder = child_of(node, "variable_declarator") if node.type == "spread_parameter" else node
    return text_of(node) if node.type == "identifier" else text_at(holder, "name") if holder is not None else ""


def lambda_expression(lowering: Lowering, node: "Node") -> c.Code:
    line = line_of(node)
    body = lowering.field(node, "body")
    if not isinstance(body, c.CodeBlock):
        body = c.Return(body.line, body)
    listed = node.child_by_field_name("parameters")
    nodes = [] if listed is None else [listed] if listed.type == "identifier" else list(named(listed))
    parameters = tuple(c.Name(line, _parameter_name(one)) for one in nodes)
    return c.FunctionCode(line, "lambda", lowering.file, parameters, body, is_arrow=True, damage=lowering.damage(node))


def method_reference(lowering: Lowering, node: "Node") -> c.Code:
    """`page::open`: a function that hands its one argument on. `Type::new` and `Type::method` are no different."""
    line, parts = line_of(node), node.children
    name = text_of(parts[-1]) if parts else ""
    given = c.Name(line, "argument")
    call = c.Call(line, c.Member(line, lowering.of(parts[0]) if parts else c.NOTHING, name), (given,))
    return c.FunctionCode(line, name, lowering.file, (given,), c.Return(line, call), is_arrow=True)


def _modifiers(lowering: Lowering, node: "Node") -> tuple[tuple[c.Annotation, ...], frozenset[str]]:
    holder = child_of(node, "modifiers")
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


def other_literal(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Literal(line_of(node), text_of(node).rstrip("lLfFdD"), is_text=False)


def field_access(lowering: Lowering, node: "Node") -> c.Code:
    """`Outer.this` is taken for the class: its fields are found through the object all the same."""
    name = text_at(node, "field")
    is_this = name == "this"
    return c.Name(line_of(node), name) if is_this else c.Member(line_of(node), lowering.field(node, "object"), name)


def invocation(lowering: Lowering, node: "Node") -> c.Code:
    name = node.child_by_field_name("name")
    of = lowering.maybe(node, "object")
    line = line_of(name) if name is not None else line_of(node)
    callee = c.Own(line, text_of(name)) if of is None else c.Member(line, of, text_of(name))
    return c.Call(line, callee, lowering.arguments(node))


def constructor_call(lowering: Lowering, node: "Node") -> c.Code:
    """`super(…)` or `this(…)` at the beginning of a constructor."""
    callee = c.Name(line_of(node), text_at(node, "constructor"))
    return c.Call(line_of(node), callee, lowering.arguments(node))


def creation(lowering: Lowering, node: "Node") -> c.Code:
    body = lowering.of(child_of(node, "class_body"))
    callee = c.Name(line_of(node), type_name(node.child_by_field_name("type")))
    return c.New(line_of(node), callee, lowering.arguments(node), body if isinstance(body, c.ClassCode) else None)


def array_creation(lowering: Lowering, node: "Node") -> c.Code:
    return lowering.maybe(node, "value") or c.ListOf(line_of(node), ())


def assignment(lowering: Lowering, node: "Node") -> c.Code:
    adds = text_at(node, "operator") == "+="
    return c.Assign(line_of(node), lowering.field(node, "left"), lowering.field(node, "right"), adds)


def cast(lowering: Lowering, node: "Node") -> c.Code:
    return c.Typed(line_of(node), lowering.field(node, "value"), type_name(node.child_by_field_name("type")))


def class_literal(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Name(line_of(node), type_name(next(named(node), None)))


def for_each(lowering: Lowering, node: "Node") -> c.Code:
    target = c.Name(line_of(node), text_at(node, "name"))
    return c.Loop(line_of(node), target, lowering.field(node, "value"), lowering.field(node, "body"))


def switch(lowering: Lowering, node: "Node") -> c.Code:
    line, condition = line_of(node), lowering.field(node, "condition")
    body = node.child_by_field_name("body")
    arms = tuple(lowering.all(child) for child in named(body)) if body is not None else ()
    if body is not None and child_of(body, "switch_rule") is not None:
        return c.After(line, condition, c.Either(line, tuple(c.Either(line, arm[-1:]) for arm in arms)))
    return c.Branch(line, condition, tuple(c.CodeBlock(line, arm) for arm in arms))


def resource(lowering: Lowering, node: "Node") -> c.Code:
    name = c.Name(line_of(node), text_at(node, "name"))
    return c.Declare(line_of(node), name, lowering.maybe(node, "value"), type_name(node.child_by_field_name("type")))


def resources(lowering: Lowering, node: "Node") -> c.Code:
    return c.CodeBlock(line_of(node), lowering.all(node), has_scope=False)


_ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|\n|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " ", "\n": ""}


def text_literal(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    """Text blocks lose their common margin."""
    written = text_of(node)
    if written.startswith('"""'):
        text = dedent(written[3:].removesuffix('"""').partition("\n")[2])
    else:
        quote = written[:1]
        text = written.removeprefix(quote).removesuffix(quote)
    return c.Literal(line_of(node), _ESCAPE.sub(lambda found: _meaning(found.group(1)), text))


def _meaning(escape: str) -> str:
    if escape in _NAMED:
        return _NAMED[escape]
    if escape.startswith("u") and len(escape) > 4:
        return chr(int(escape.lstrip("u"), 16))
    return chr(int(escape, 8)) if escape.isdecimal() and not set(escape) - set("01234567") else escape


BUILDERS: dict[str, Builder] = {
    **COMMON,
    **dict.fromkeys(("string_literal", "character_literal"), text_literal),
    **dict.fromkeys(
        ("decimal_integer_literal", "decimal_floating_point_literal", "true", "false"),
        other_literal,
    ),
    "field_access": field_access,
    "method_invocation": invocation,
    "explicit_constructor_invocation": constructor_call,
    "object_creation_expression": creation,
    "array_creation_expression": array_creation,
    "array_initializer": array,
    "element_value_array_initializer": array,
    "array_access": made(c.Index, "array", "index"),
    "binary_expression": sum_or_other,
    "assignment_expression": assignment,
    "cast_expression": cast,
    "class_literal": class_literal,
    "lambda_expression": lambda_expression,
    "method_reference": method_reference,
    "block": block,
    "constructor_body": block,
    "local_variable_declaration": declaration,
    "enhanced_for_statement": for_each,
    **dict.fromkeys(("for_statement", "while_statement", "do_statement"), other_loop("init", "update")),
    "switch_expression": switch,
    "try_with_resources_statement": try_statement,
    "resource_specification": resources,
    "resource": resource,
    **dict.fromkeys(_CLASSES, class_declaration),
    "class_body": anonymous_class,
    "method_declaration": function,
    "constructor_declaration": function,
    "annotation": annotation,
    "marker_annotation": annotation,
    **dict.fromkeys(
        (
            *("scoped_identifier", "type_arguments", "scoped_type_identifier", "generic_type", "switch_label"),
            *("modifiers", "import_declaration", "package_declaration"),
        ),
        silent,
    ),
}
