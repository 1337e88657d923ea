"""Java's statements in the intermediate language."""

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
    silent,
    text_at,
)
from unknot.web.readers.java.expressions import type_name

if TYPE_CHECKING:
    from tree_sitter import Node


def local_variable(lowering: Lowering, node: "Node") -> c.Code:
    type_of = type_name(node.child_by_field_name("type"))
    return c.CodeBlock(
        line_of(node),
        tuple(
            c.Declare(line_of(one), c.Name(line_of(one), text_at(one, "name")), lowering.maybe(one, "value"), type_of)
            for one in node.children_by_field_name("declarator")
        ),
        has_scope=False,
    )


def for_each(lowering: Lowering, node: "Node") -> c.Code:
    target = c.Name(line_of(node), text_at(node, "name"))
    return c.Loop(line_of(node), target, lowering.field(node, "value"), lowering.field(node, "body"))


def other_loop(lowering: Lowering, node: "Node") -> c.Code:
    """The step comes before the body: a counter is unknown when the body is followed, unless all rounds are known."""
    starts, steps = node.children_by_field_name("init"), node.children_by_field_name("update")
    counting = counting_loop(lowering, node, starts, node.child_by_field_name("condition"), steps)
    if counting is not None:
        return counting
    body = c.CodeBlock(
        line_of(node),
        (
            lowering.field(node, "condition"),
            *(lowering.of(step) for step in steps),
            lowering.field(node, "body"),
        ),
    )
    start = tuple(lowering.of(step) for step in starts)
    return c.CodeBlock(line_of(node), (*start, c.Loop(line_of(node), None, None, body)))


def switch(lowering: Lowering, node: "Node") -> c.Code:
    body = node.child_by_field_name("body")
    arms = tuple(lowering.all(child) for child in named(body)) if body is not None else ()
    blocks = tuple(c.CodeBlock(line_of(node), arm) for arm in arms)
    if blocks and body is not None and any(child.type == "switch_rule" for child in named(body)):
        values = tuple(c.Either(line_of(node), arm[-1:]) for arm in arms)
        return c.After(line_of(node), lowering.field(node, "condition"), c.Either(line_of(node), values))
    return c.Branch(line_of(node), lowering.field(node, "condition"), blocks)


def try_statement(lowering: Lowering, node: "Node") -> c.Code:
    """The body runs; what catches may run; what comes finally runs."""
    steps: list[c.Code] = [lowering.field(node, "resources")]
    after: list[c.Code] = []
    for child in named(node):
        if child.type == "catch_clause":
            after.append(c.Branch(line_of(child), c.NOTHING, (lowering.field(child, "body"),)))
        elif child.type == "finally_clause":
            after.extend(lowering.all(child))
        elif child.type == "block":
            # A return in the body does not keep what comes finally from running.
            steps.append(c.Together(line_of(child), (lowering.of(child),)))
    return c.CodeBlock(line_of(node), (*steps, *after))


def resource(lowering: Lowering, node: "Node") -> c.Code:
    name = c.Name(line_of(node), text_at(node, "name"))
    return c.Declare(line_of(node), name, lowering.maybe(node, "value"), type_name(node.child_by_field_name("type")))


def resources(lowering: Lowering, node: "Node") -> c.Code:
    return c.CodeBlock(line_of(node), lowering.all(node), has_scope=False)


STATEMENTS: dict[str, Builder] = {
    "block": block,
    "constructor_body": block,
    "local_variable_declaration": local_variable,
    "if_statement": if_statement,
    "enhanced_for_statement": for_each,
    "for_statement": other_loop,
    "while_statement": other_loop,
    "do_statement": other_loop,
    "switch_expression": switch,
    "switch_label": silent,
    "try_statement": try_statement,
    "try_with_resources_statement": try_statement,
    "resource_specification": resources,
    "resource": resource,
    "return_statement": returns,
    "break_statement": leaves,
    "continue_statement": leaves,
    "throw_statement": leaves,
}
