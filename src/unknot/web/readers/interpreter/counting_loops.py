"""Loops that count: `for (let i = 0; i < 3; i++)`. Each round is followed with its number, if all numbers are known."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.lowering import Lowering, line_of, named, text_at, text_of
from unknot.web.readers.interpreter.machine import Activation, Machine
from unknot.web.readers.interpreter.values import UNKNOWN, Steps, Text, UncountedRound, Value

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST_SEARCHED = 20_000
_WHOLE = re.compile(r"-?\d{1,9}", re.ASCII)


def counting_loop(
    lowering: Lowering, node: "Node", starts: Sequence["Node"], condition: "Node | None", steps: Sequence["Node"]
) -> c.Counting | None:
    """None for a loop that does not count, or whose body does not care for the number."""
    body = node.child_by_field_name("body")
    declared = [one for start in starts for one in named(start) if one.type == "variable_declarator"]
    if len(declared) != 1 or condition is None or len(steps) != 1 or body is None:
        return None
    name, operator = text_at(declared[0], "name"), text_at(condition, "operator")
    step = _step(steps[0], name)
    is_forward = operator in ("<", "<=")
    if (
        text_at(condition, "left") != name
        or (not is_forward and operator not in (">", ">="))
        or (step > 0) != is_forward
    ):
        return None
    if not step or not _mentions(body, name):
        return None
    return c.Counting(
        line_of(node),
        name,
        lowering.field(declared[0], "value"),
        lowering.field(condition, "right"),
        step,
        operator.endswith("="),
        lowering.of(body),
    )


def _mentions(body: "Node", name: str) -> bool:
    """A very long body is not searched: loops within loops would be searched again and again."""
    is_long = body.end_byte - body.start_byte > _LONGEST_SEARCHED
    return is_long or re.search(rf"\b{re.escape(name)}\b", text_of(body)) is not None


def _step(node: "Node", name: str) -> int:
    """Of `i++`, `--i`, `i += 2`; zero for anything else."""
    if node.type == "update_expression":
        written = text_of(node)
        return {f"{name}++": 1, f"++{name}": 1, f"{name}--": -1, f"--{name}": -1}.get(written.replace(" ", ""), 0)
    operator, size = text_at(node, "operator"), text_at(node, "right")
    if text_at(node, "left") != name or operator not in ("+=", "-=") or not _WHOLE.fullmatch(size):
        return 0
    return int(size) if operator == "+=" else -int(size)


def counted(machine: Machine, code: c.Counting, at: Activation) -> Steps:
    """Where the numbers are not known, or more than anybody follows, the body counts once, as something that may run;
    so it does where there seem to be none: who writes a loop means it to run."""
    start = _number((yield machine.value(code.start, at)))
    bound = _number((yield machine.value(code.bound, at)))
    most = machine.language.most_rounds
    lost = UncountedRound(loop=at.place(code.line))
    rounds: list[Value] = [lost]
    if start is not None and bound is not None:
        end = bound + (code.step > 0) - (code.step < 0) if code.is_inclusive else bound
        numbers = list(islice(range(start, end, code.step), most + 1))
        if 0 < len(numbers) <= most:
            rounds = [Text(str(number), at.place(code.line), is_text=False) for number in numbers]
    while rounds:
        number = rounds.pop(0)
        inner = at.inner()
        inner.uncertain += number is lost
        inner.scope.names[code.name] = number
        yield machine.value(code.body, inner)
        if inner.scope.names[code.name] is not number and number is not lost:
            # The body counts, too: nobody knows which round comes next.
            rounds = [lost]
    return UNKNOWN


def _number(value: Value) -> int | None:
    is_known = isinstance(value, Text) and not value.is_text and _WHOLE.fullmatch(value.text)
    return int(value.text) if isinstance(value, Text) and is_known else None


Machine.evaluators[c.Counting] = counted
