"""Builders for what both languages write alike, down to the names in their grammars."""

from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.lowering import Lowering, line_of, named, text_at

if TYPE_CHECKING:
    from tree_sitter import Node

LONGEST_SUM = 200
"""So many texts put together are kept as one sum; a longer one is one of sums."""


def sum_or_other(lowering: Lowering, node: "Node") -> c.Code:
    left, right = lowering.field(node, "left"), lowering.field(node, "right")
    operator = text_at(node, "operator")
    if operator in ("==", "===", "!=", "!=="):
        return c.Compared(line_of(node), (left, right), (operator[:2],))
    if operator != "+":
        return c.Together(line_of(node), (left, right))
    if isinstance(left, c.Joined) and len(left.parts) < LONGEST_SUM:
        return c.Joined(left.line, (*left.parts, right))
    return c.Joined(line_of(node), (left, right))


def ternary(lowering: Lowering, node: "Node") -> c.Code:
    options = (lowering.field(node, "consequence"), lowering.field(node, "alternative"))
    return c.Either(line_of(node), options, lowering.field(node, "condition"))


def unary(lowering: Lowering, node: "Node") -> c.Code:
    """`-7` is a number; of `!x`, `-x` and `typeof x` only what x says is known."""
    operand = lowering.field(node, "operand" if node.child_by_field_name("operand") is not None else "argument")
    sign = text_at(node, "operator")
    if sign in ("-", "+") and isinstance(operand, c.Literal) and operand.text[:1].isdigit() and not operand.is_text:
        return c.Literal(line_of(node), sign.strip("+") + operand.text, is_text=False)
    return c.Together(line_of(node), (operand,))


def array(lowering: Lowering, node: "Node") -> c.Code:
    return c.ListOf(line_of(node), lowering.all(node))


def update(lowering: Lowering, node: "Node") -> c.Code:
    """`i++`: from here on, nobody knows the number."""
    target = next((lowering.of(child) for child in named(node)), c.NOTHING)
    return c.Assign(line_of(node), target, c.NOTHING)


def block(lowering: Lowering, node: "Node") -> c.Code:
    return c.Block(line_of(node), lowering.all(node))


def if_statement(lowering: Lowering, node: "Node") -> c.Code:
    arms = tuple(
        code for code in (lowering.maybe(node, "consequence"), lowering.maybe(node, "alternative")) if code is not None
    )
    return c.Branch(line_of(node), lowering.field(node, "condition"), arms, covers_all=len(arms) == 2, is_choice=True)


def returns(lowering: Lowering, node: "Node") -> c.Code:
    return c.Return(line_of(node), next(iter(lowering.all(node)), None))


def leaves(lowering: Lowering, node: "Node") -> c.Code:
    return c.Leave(line_of(node), next(iter(lowering.all(node)), None) if node.type == "throw_statement" else None)
