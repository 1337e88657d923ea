"""Java's expressions in the intermediate language."""

import re
from textwrap import dedent
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.lowering import (
    Builder,
    Lowering,
    array,
    line_of,
    named,
    plain,
    silent,
    sum_or_other,
    ternary,
    text_at,
    text_of,
    unary,
    update,
)

if TYPE_CHECKING:
    from tree_sitter import Node


def string_literal(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Literal(line_of(node), text_literal(text_of(node)))


def character_literal(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Literal(line_of(node), character(text_of(node)))


def other_literal(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Literal(line_of(node), text_of(node).rstrip("lLfFdD"), is_text=False)


def identifier(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Name(line_of(node), text_of(node))


def field_access(lowering: Lowering, node: "Node") -> c.Code:
    """`Outer.this` is taken for the class: its fields are found through the object all the same."""
    of = lowering.field(node, "object")
    name = text_at(node, "field")
    return c.Name(line_of(node), "this") if name == "this" else c.Member(line_of(node), of, name)


def invocation(lowering: Lowering, node: "Node") -> c.Code:
    name = node.child_by_field_name("name")
    of = lowering.maybe(node, "object")
    line = line_of(name) if name is not None else line_of(node)
    callee = c.Own(line, text_of(name)) if of is None else c.Member(line, of, text_of(name))
    return c.Call(line, callee, lowering.all(node.child_by_field_name("arguments")))


def constructor_call(lowering: Lowering, node: "Node") -> c.Code:
    """`super(…)` or `this(…)` at the beginning of a constructor."""
    callee = c.Name(line_of(node), text_at(node, "constructor"))
    return c.Call(line_of(node), callee, lowering.all(node.child_by_field_name("arguments")))


def creation(lowering: Lowering, node: "Node") -> c.Code:
    body = next((child for child in named(node) if child.type == "class_body"), None)
    made = lowering.of(body)
    callee = c.Name(line_of(node), type_name(node.child_by_field_name("type")))
    arguments = lowering.all(node.child_by_field_name("arguments"))
    return c.New(line_of(node), callee, arguments, made if isinstance(made, c.ClassCode) else None)


def type_name(node: "Node | None") -> str:
    """The name of a type without its parameters, array brackets and annotations; empty for what is no class."""
    if node is None or node.type in ("integral_type", "void_type", "boolean_type", "floating_point_type", "array_type"):
        return ""
    return text_of(node).split("<", 1)[0].strip().split(" ")[-1]


def array_creation(lowering: Lowering, node: "Node") -> c.Code:
    return lowering.maybe(node, "value") or c.ListOf(line_of(node), ())


def array_access(lowering: Lowering, node: "Node") -> c.Code:
    return c.Index(line_of(node), lowering.field(node, "array"), lowering.field(node, "index"))


def assignment(lowering: Lowering, node: "Node") -> c.Code:
    adds = text_at(node, "operator") == "+="
    return c.Assign(line_of(node), lowering.field(node, "left"), lowering.field(node, "right"), adds)


def cast(lowering: Lowering, node: "Node") -> c.Code:
    return c.Typed(line_of(node), lowering.field(node, "value"), type_name(node.child_by_field_name("type")))


def class_literal(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Name(line_of(node), type_name(next(named(node), None)))


def lambda_expression(lowering: Lowering, node: "Node") -> c.Code:
    parameters = node.child_by_field_name("parameters")
    body = lowering.field(node, "body")
    if not isinstance(body, c.CodeBlock):
        body = c.Return(body.line, body)
    names = parameter_names(parameters)
    function = tuple(c.Name(line_of(node), name) for name in names)
    return c.FunctionCode(
        line_of(node), "lambda", lowering.file, function, body, is_arrow=True, damage=lowering.damage(node)
    )


def parameter_names(parameters: "Node | None") -> list[str]:
    if parameters is None:
        return []
    if parameters.type == "identifier":
        return [text_of(parameters)]
    nodes = list(named(parameters))
    return [text_of(node) if node.type == "identifier" else text_at(node, "name") for node in nodes]


def method_reference(lowering: Lowering, node: "Node") -> c.Code:
    """`page::open`: a function that hands its one argument on. `Type::new` and `Type::method` are no different."""
    parts = list(node.children)
    name = text_of(parts[-1]) if parts else ""
    line = line_of(node)
    given = c.Name(line, "argument")
    call = c.Call(line, c.Member(line, lowering.of(parts[0]) if parts else c.NOTHING, name), (given,))
    return c.FunctionCode(line, name, lowering.file, (given,), c.Return(line, call), is_arrow=True)


EXPRESSIONS: dict[str, Builder] = {
    "string_literal": string_literal,
    "character_literal": character_literal,
    "decimal_integer_literal": other_literal,
    "decimal_floating_point_literal": other_literal,
    "true": other_literal,
    "false": other_literal,
    "identifier": identifier,
    "this": identifier,
    "super": identifier,
    "scoped_identifier": silent,
    "field_access": field_access,
    "method_invocation": invocation,
    "explicit_constructor_invocation": constructor_call,
    "object_creation_expression": creation,
    "array_creation_expression": array_creation,
    "array_initializer": array,
    "element_value_array_initializer": array,
    "array_access": array_access,
    "binary_expression": sum_or_other,
    "unary_expression": unary,
    "ternary_expression": ternary,
    "assignment_expression": assignment,
    "update_expression": update,
    "cast_expression": cast,
    "class_literal": class_literal,
    "lambda_expression": lambda_expression,
    "method_reference": method_reference,
    "parenthesized_expression": plain,
    "type_arguments": silent,
    "scoped_type_identifier": silent,
    "generic_type": silent,
    "comment": silent,
}


_ESCAPE = re.compile(r"\\(u+[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|\n|.)", re.DOTALL)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " ", "\n": ""}


def text_literal(written: str) -> str:
    """A literal as it stands in the source, with its quotes; text blocks lose their common margin."""
    if written.startswith('"""'):
        block = written[3:].removesuffix('"""').partition("\n")[2]
        return _unescaped(dedent(block))
    return _unescaped(written.removeprefix('"').removesuffix('"'))


def character(written: str) -> str:
    return _unescaped(written.removeprefix("'").removesuffix("'"))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _meaning(found.group(1)), text)


def _meaning(escape: str) -> str:
    if escape in _NAMED:
        return _NAMED[escape]
    if escape.startswith("u") and len(escape) > 4:
        return chr(int(escape.lstrip("u"), 16))
    return chr(int(escape, 8)) if escape.isdecimal() and not set(escape) - set("01234567") else escape
