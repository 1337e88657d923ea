"""JavaScript's expressions in the intermediate language. TypeScript's types are left out."""

import re
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.lowering import (
    Builder,
    Lowering,
    array,
    line_of,
    named,
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


def string(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Literal(line_of(node), unescaped(text_of(node)[1:-1]))


def template(lowering: Lowering, node: "Node") -> c.Code:
    """Texts and what stands in `${…}` between them. Older grammars do not name the texts, so they are cut out here."""
    source, start = node.text or b"", node.start_byte
    parts: list[c.Code] = []
    end = 1
    for child in named(node):
        if child.type != "template_substitution":
            continue
        parts.append(_piece(node, source[end : child.start_byte - start]))
        parts.append(lowering.of(next(named(child), None)))
        end = child.end_byte - start
    last = _piece(node, source[end:-1])
    return c.Joined(line_of(node), (*parts, last)) if parts else last


def _piece(node: "Node", written: bytes) -> c.Literal:
    return c.Literal(line_of(node), unescaped(written.decode("utf-8", "replace")))


def other_literal(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Literal(line_of(node), text_of(node), is_text=False)


def pattern(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    """What it looks for is used; as a value nothing is known of it, since it is no text that could be typed."""
    looked_for = c.Literal(line_of(node), looked_for_by(text_at(node, "pattern")))
    return c.After(line_of(node), looked_for, c.NOTHING)


def identifier(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Name(line_of(node), text_of(node))


def member(lowering: Lowering, node: "Node") -> c.Code:
    name = node.child_by_field_name("property")
    line = line_of(name) if name is not None else line_of(node)
    return c.Member(line, lowering.field(node, "object"), text_of(name))


def subscript(lowering: Lowering, node: "Node") -> c.Code:
    return c.Index(line_of(node), lowering.field(node, "object"), lowering.field(node, "index"))


def call(lowering: Lowering, node: "Node") -> c.Code:
    arguments = node.child_by_field_name("arguments")
    callee = lowering.field(node, "function")
    is_tagged = arguments is not None and arguments.type == "template_string"
    given = (lowering.of(arguments),) if is_tagged else lowering.all(arguments)
    return c.Call(callee.line or line_of(node), callee, given)


def dynamic_import(lowering: Lowering, node: "Node") -> c.Code:  # noqa: ARG001 - a builder
    return c.Name(line_of(node), "require")


def new(lowering: Lowering, node: "Node") -> c.Code:
    arguments = lowering.all(node.child_by_field_name("arguments"))
    return c.New(line_of(node), lowering.field(node, "constructor"), arguments)


def record(lowering: Lowering, node: "Node") -> c.Code:
    entries: list[tuple[c.Code | None, c.Code]] = []
    for child in named(node):
        code = lowering.of(child)
        line = line_of(child)
        if child.type == "pair":
            entries.append((key(lowering, child.child_by_field_name("key")), lowering.field(child, "value")))
        elif child.type == "spread_element" and isinstance(code, c.Spread):
            entries.append((None, code.of))
        elif child.type == "shorthand_property_identifier":
            entries.append((c.Literal(line, text_of(child)), c.Name(line, text_of(child))))
        elif child.type == "method_definition":
            entries.append((key(lowering, child.child_by_field_name("name")), code))
    return c.RecordOf(line_of(node), tuple(entries))


def key(lowering: Lowering, node: "Node | None") -> c.Code:
    """The name of an entry, as a text; a computed one is an expression."""
    if node is None:
        return c.NOTHING
    if node.type in ("computed_property_name", "string"):
        return lowering.of(node)
    return c.Literal(line_of(node), text_of(node))


def spread(lowering: Lowering, node: "Node") -> c.Code:
    return c.Spread(line_of(node), lowering.of(next(named(node), None)))


def binary(lowering: Lowering, node: "Node") -> c.Code:
    left, right = lowering.field(node, "left"), lowering.field(node, "right")
    match text_at(node, "operator"):
        case "||" | "??":
            return c.Either(line_of(node), (left, right))
        case "&&":
            return c.After(line_of(node), left, right)
    return sum_or_other(lowering, node)


def assignment(lowering: Lowering, node: "Node") -> c.Code:
    operator = text_at(node, "operator")
    value = lowering.field(node, "right")
    if operator in ("||=", "??="):
        value = c.Either(line_of(node), (lowering.field(node, "left"), value))
    return c.Assign(line_of(node), lowering.field(node, "left"), value, operator == "+=")


def sequence(lowering: Lowering, node: "Node") -> c.Code:
    parts = lowering.all(node)
    return c.After(line_of(node), c.Together(line_of(node), parts[:-1]), parts[-1]) if parts else c.NOTHING


def first_part(lowering: Lowering, node: "Node") -> c.Code:
    """`x as T`, `x!`, `x satisfies T`, `await x`, `(x)`: the value alone."""
    return lowering.of(next(named(node), None))


def last_part(lowering: Lowering, node: "Node") -> c.Code:
    """`<T>x`."""
    parts = list(named(node))
    return lowering.of(parts[-1]) if parts else c.NOTHING


def default_pattern(lowering: Lowering, node: "Node") -> c.Code:
    return c.Default(line_of(node), lowering.field(node, "left"), lowering.field(node, "right"))


def list_pattern(lowering: Lowering, node: "Node") -> c.Code:
    """`[, second]`: an element without a name has its place, too."""
    parts: list[c.Code] = [c.NOTHING]
    for child in node.children:
        if child.type == ",":
            parts.append(c.NOTHING)
        elif child.is_named and not child.is_extra:
            parts[-1] = lowering.of(child)
    return c.ListOf(line_of(node), tuple(parts))


def record_pattern(lowering: Lowering, node: "Node") -> c.Code:
    entries: list[tuple[str | None, c.Code]] = []
    for child in named(node):
        code = lowering.of(child)
        if child.type == "pair_pattern":
            name = child.child_by_field_name("key")
            entries.append((text_of(name).strip("'\""), lowering.field(child, "value")))
        elif child.type == "object_assignment_pattern" and isinstance(code, c.Default):
            name = child.child_by_field_name("left")
            entries.append((text_of(name), code))
        elif child.type == "rest_pattern" and isinstance(code, c.Spread):
            entries.append((None, code.of))
        else:
            entries.append((text_of(child), c.Name(line_of(child), text_of(child))))
    return c.RecordPattern(line_of(node), tuple(entries))


EXPRESSIONS: dict[str, Builder] = {
    "string": string,
    "template_string": template,
    "number": other_literal,
    "true": other_literal,
    "false": other_literal,
    "identifier": identifier,
    "this": identifier,
    "super": identifier,
    "import": dynamic_import,
    "shorthand_property_identifier_pattern": identifier,
    "member_expression": member,
    "subscript_expression": subscript,
    "call_expression": call,
    "new_expression": new,
    "object": record,
    "array": array,
    "array_pattern": list_pattern,
    "spread_element": spread,
    "rest_pattern": spread,
    "binary_expression": binary,
    "unary_expression": unary,
    "ternary_expression": ternary,
    "assignment_expression": assignment,
    "augmented_assignment_expression": assignment,
    "update_expression": update,
    "sequence_expression": sequence,
    "await_expression": first_part,
    "as_expression": first_part,
    "satisfies_expression": first_part,
    "non_null_expression": first_part,
    "type_assertion": last_part,
    "assignment_pattern": default_pattern,
    "object_assignment_pattern": default_pattern,
    "object_pattern": record_pattern,
    **dict.fromkeys(
        ["type_annotation", "type_arguments", "type_parameters", "type_alias_declaration", "interface_declaration"],
        silent,
    ),
    "regex": pattern,
    "comment": silent,
}


_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_CLASS = re.compile(r"\\(?:([^\w\s])|[a-zA-Z][+*?]?)")
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


def unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _meaning(found.group(1)), text)


def looked_for_by(pattern: str) -> str:
    """The text that a regular expression looks for, as far as it is written out. Signs of the expression stay in it:
    around words they do no harm.

    >>> looked_for_by(r"^Hello,\\s+ann\\.lee\\/x$")
    '^Hello, ann.lee/x$'
    """
    return _CLASS.sub(lambda found: " " if found.group(1) is None else found.group(1), pattern)


def _meaning(escape: str) -> str:
    if escape in _NAMED:
        return _NAMED[escape]
    digits = escape[1:].strip("{}")
    if escape[0] in "ux" and digits:
        number = int(digits, 16)
        return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "?"
    return escape
