"""JavaScript's statements in the intermediate language."""

from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.lowering import (
    Builder,
    Lowering,
    block,
    counting_loop,
    if_statement,
    leaves,
    line_of,
    named,
    returns,
    text_at,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node


def declaration(lowering: Lowering, node: "Node") -> c.Code:
    """`const a = 1, {b} = c`."""
    made = tuple(
        c.Declare(line_of(one), lowering.field(one, "name"), lowering.maybe(one, "value"))
        for one in named(node)
        if one.type == "variable_declarator"
    )
    return made[0] if len(made) == 1 else c.CodeBlock(line_of(node), made, has_scope=False)


def for_each(lowering: Lowering, node: "Node") -> c.Code:
    """`for (const x of xs)`, and `for (const key in record)`."""
    keys = text_at(node, "operator") == "in"
    over, body = lowering.field(node, "right"), lowering.field(node, "body")
    return c.Loop(line_of(node), lowering.field(node, "left"), over, body, keys)


def other_loop(lowering: Lowering, node: "Node") -> c.Code:
    """The step comes before the body: a counter is unknown when the body is followed, unless all rounds are known."""
    starts, steps = node.children_by_field_name("initializer"), node.children_by_field_name("increment")
    counting = counting_loop(lowering, node, starts, node.child_by_field_name("condition"), steps)
    if counting is not None:
        return counting
    inner = (lowering.field(node, "condition"), lowering.field(node, "increment"), lowering.field(node, "body"))
    body = c.Loop(line_of(node), None, None, c.CodeBlock(line_of(node), inner))
    return c.CodeBlock(line_of(node), (lowering.field(node, "initializer"), body))


def switch(lowering: Lowering, node: "Node") -> c.Code:
    body = node.child_by_field_name("body")
    arms = tuple(
        c.CodeBlock(line_of(case), _case(lowering, case)) for case in (named(body) if body is not None else ())
    )
    return c.Branch(line_of(node), lowering.field(node, "value"), arms)


def _case(lowering: Lowering, case: "Node") -> tuple[c.Code, ...]:
    value = case.child_by_field_name("value")
    return tuple(lowering.of(child) for child in named(case) if value is None or child.id != value.id)


def try_statement(lowering: Lowering, node: "Node") -> c.Code:
    """The body runs, whatever it returns; what catches may run; what comes finally runs."""
    handler = c.Branch(line_of(node), c.NOTHING, (lowering.field(node, "handler"),))
    body = c.Together(line_of(node), (lowering.field(node, "body"),))
    return c.CodeBlock(line_of(node), (body, handler, lowering.field(node, "finalizer")))


def catch(lowering: Lowering, node: "Node") -> c.Code:
    return lowering.field(node, "body")


def enum(lowering: Lowering, node: "Node") -> c.Code:
    """A record by another name; a member without a value has its number, which is left out."""
    body = node.child_by_field_name("body")
    entries: list[tuple[c.Code | None, c.Code]] = []
    for child in named(body) if body is not None else ():
        is_given = child.type == "enum_assignment"
        name = text_at(child, "name") if is_given else text_of(child)
        value = lowering.field(child, "value") if is_given else c.NOTHING
        entries.append((c.Literal(line_of(child), name.strip("'\"")), value))
    target = c.Name(line_of(node), text_at(node, "name"))
    return c.Declare(line_of(node), target, c.RecordOf(line_of(node), tuple(entries)))


STATEMENTS: dict[str, Builder] = {
    "statement_block": block,
    "class_static_block": block,
    "lexical_declaration": declaration,
    "variable_declaration": declaration,
    "for_in_statement": for_each,
    "for_statement": other_loop,
    "while_statement": other_loop,
    "do_statement": other_loop,
    "if_statement": if_statement,
    "switch_statement": switch,
    "try_statement": try_statement,
    "catch_clause": catch,
    "return_statement": returns,
    "break_statement": leaves,
    "continue_statement": leaves,
    "throw_statement": leaves,
    "enum_declaration": enum,
}
