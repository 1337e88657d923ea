"""Bottom-up: every node of a syntax tree is put into the intermediate language after its children. Nothing recurses.
What Java and JavaScript write alike, down to the names in their grammars, is here."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.code import NOTHING, Code, Nothing, Together
from unknot.web.readers.interpreter.values import whole_number

if TYPE_CHECKING:
    from tree_sitter import Node


class Lowering:
    """One file on its way. For each kind of node there is a method with the name that the grammar has for it; it finds
    what the node's children have become with `of`. `broken` has the lines that do not parse and lie in no function;
    those in one are `damage` of the innermost. Cost: linear in the tree.

    A language says which nodes are `functions`, which are `silent`, and what the start and the step of a loop are
    called."""

    functions: ClassVar[frozenset[str]]
    silent: ClassVar[frozenset[str]]
    loop_fields: ClassVar[tuple[str, str]]

    def __init__(self, file: str) -> None:
        self.file = file
        self.broken: list[int] = []
        self._made: dict[int, Code] = {}
        self._damage: dict[int, int] = {}

    def lower(self, root: "Node") -> Code:
        stack: list[tuple[Node, bool]] = [(root, False)]
        within: list[int] = []
        while stack:
            node, is_done = stack.pop()
            is_function = node.is_named and node.type in self.functions
            if is_done:
                # Keywords have no names of their own, and some share theirs with an expression: `class`.
                is_silent = not node.is_named or node.type in self.silent
                self._made[node.id] = NOTHING if is_silent else self._visit(node)
                if is_function:
                    within.pop()
                continue
            if is_function:
                within.append(node.id)
            if node.is_error or node.is_missing:
                self._note(node, within)
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(node.children))
        return self._made[root.id]

    def _visit(self, node: "Node") -> Code:
        visit: Callable[[Node], Code] = getattr(self, f"visit_{node.type}", self.plain)
        return visit(node)

    def _note(self, node: "Node", within: list[int]) -> None:
        if within:
            self._damage.setdefault(within[-1], line_of(node))
        else:
            self.broken.append(line_of(node))

    def of(self, node: "Node | None") -> Code:
        return NOTHING if node is None else self._made.get(node.id, NOTHING)

    def field(self, node: "Node", name: str) -> Code:
        return self.of(node.child_by_field_name(name))

    def maybe(self, node: "Node", name: str) -> Code | None:
        child = node.child_by_field_name(name)
        return None if child is None else self.of(child)

    def all(self, node: "Node | None") -> tuple[Code, ...]:
        """The code of the named children."""
        return () if node is None else tuple(self.of(child) for child in named(node))

    def arguments(self, node: "Node") -> tuple[Code, ...]:
        return self.all(node.child_by_field_name("arguments"))

    def damage(self, node: "Node") -> int | None:
        return self._damage.get(node.id)

    def plain(self, node: "Node") -> Code:
        """Nodes without a meaning of their own: their children, in order."""
        parts = tuple(code for code in map(self.of, node.children) if not isinstance(code, Nothing))
        if len(parts) == 1:
            return parts[0]
        return Together(line_of(node), parts) if parts else NOTHING

    def visit_for_statement(self, node: "Node") -> c.Code:
        """The step comes before the body: a counter is unknown when the body is followed, unless all rounds are
        known."""
        starts, steps = (node.children_by_field_name(name) for name in self.loop_fields)
        counting = self._counting(node, starts, node.child_by_field_name("condition"), steps)
        if counting is not None:
            return counting
        inner = (self.field(node, "condition"), *map(self.of, steps), self.field(node, "body"))
        loop = c.Loop(line_of(node), None, None, c.CodeBlock(line_of(node), inner))
        return c.CodeBlock(line_of(node), (*map(self.of, starts), loop))

    visit_while_statement = visit_for_statement
    visit_do_statement = visit_for_statement

    def _counting(
        self, node: "Node", starts: Sequence["Node"], condition: "Node | None", steps: Sequence["Node"]
    ) -> c.Counting | None:
        """None for a loop that does not count, or whose body does not use the number."""
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
            self.field(declared[0], "value"),
            self.field(condition, "right"),
            step,
            operator.endswith("="),
            self.of(body),
        )

    def visit_binary_expression(self, node: "Node") -> c.Code:
        left, right = self.field(node, "left"), self.field(node, "right")
        operator = text_at(node, "operator")
        if operator in ("==", "===", "!=", "!=="):
            return c.Compared(line_of(node), (left, right), (operator[:2],))
        if operator != "+":
            return c.Together(line_of(node), (left, right))
        if isinstance(left, c.Joined) and len(left.parts) < LONGEST_SUM:
            return c.Joined(left.line, (*left.parts, right))
        return c.Joined(line_of(node), (left, right))

    def visit_identifier(self, node: "Node") -> c.Code:
        return c.Name(line_of(node), text_of(node))

    visit_this = visit_identifier
    visit_super = visit_identifier

    def visit_ternary_expression(self, node: "Node") -> c.Code:
        options = (self.field(node, "consequence"), self.field(node, "alternative"))
        return c.Either(line_of(node), options, self.field(node, "condition"))

    def visit_unary_expression(self, node: "Node") -> c.Code:
        """`-7` is a number; `!x`, `-x` and `typeof x` are unknown, but `x` is evaluated."""
        operand = self.maybe(node, "operand") or self.field(node, "argument")
        sign = text_at(node, "operator")
        if sign in ("-", "+") and isinstance(operand, c.Literal) and operand.text[:1].isdigit() and not operand.is_text:
            return c.Literal(line_of(node), sign.strip("+") + operand.text, is_text=False)
        return c.Together(line_of(node), (operand,))

    def visit_array(self, node: "Node") -> c.Code:
        return c.ListOf(line_of(node), self.all(node))

    visit_array_initializer = visit_array
    visit_element_value_array_initializer = visit_array

    def visit_update_expression(self, node: "Node") -> c.Code:
        """`i++`: from here on, the number is unknown."""
        return c.Assign(line_of(node), self.of(next(named(node), None)), c.NOTHING)

    def visit_block(self, node: "Node") -> c.Code:
        return c.CodeBlock(line_of(node), self.all(node))

    visit_statement_block = visit_block
    visit_constructor_body = visit_block
    visit_class_static_block = visit_block

    def visit_variable_declaration(self, node: "Node") -> c.Code:
        """`User a = b, c`, and `const a = 1, {b} = c`."""
        type_of = type_name(node.child_by_field_name("type"))
        steps = [
            c.Declare(line_of(one), self.field(one, "name"), self.maybe(one, "value"), type_of)
            for one in named(node)
            if one.type == "variable_declarator"
        ]
        return c.CodeBlock(line_of(node), tuple(steps), has_scope=False)

    visit_lexical_declaration = visit_variable_declaration
    visit_local_variable_declaration = visit_variable_declaration

    def visit_if_statement(self, node: "Node") -> c.Code:
        arms = tuple(
            code for code in (self.maybe(node, "consequence"), self.maybe(node, "alternative")) if code is not None
        )
        return c.Branch(line_of(node), self.field(node, "condition"), arms, covers_all=len(arms) == 2, is_choice=True)

    def visit_try_statement(self, node: "Node") -> c.Code:
        """Resources are opened and the body runs; what catches may run; what comes finally runs."""
        steps: list[c.Code] = []
        for child in named(node):
            if child.type == "catch_clause":
                steps.append(c.Branch(line_of(child), c.NOTHING, (self.field(child, "body"),)))
            elif child.type == "finally_clause":
                steps.extend(self.all(child))
            elif child.type in ("block", "statement_block", "resource_specification"):
                # A return in the body does not keep what comes finally from running.
                steps.append(c.Together(line_of(child), (self.of(child),)))
        return c.CodeBlock(line_of(node), tuple(steps))

    visit_try_with_resources_statement = visit_try_statement

    def visit_return_statement(self, node: "Node") -> c.Code:
        return c.Return(line_of(node), next(iter(self.all(node)), None))

    def visit_break_statement(self, node: "Node") -> c.Code:
        return c.Leave(line_of(node), next(iter(self.all(node)), None) if node.type == "throw_statement" else None)

    visit_continue_statement = visit_break_statement
    visit_throw_statement = visit_break_statement


def line_of(node: "Node") -> int:
    return node.start_point[0] + 1


def text_of(node: "Node | None") -> str:
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def text_at(node: "Node", field: str) -> str:
    return text_of(node.child_by_field_name(field))


def named(node: "Node") -> Iterator["Node"]:
    return (child for child in node.named_children if not child.is_extra)


_LONGEST_SEARCHED = 20_000


def _mentions(body: "Node", name: str) -> bool:
    """A very long body is not searched: loops within loops would be searched again and again."""
    is_long = body.end_byte - body.start_byte > _LONGEST_SEARCHED
    return is_long or re.search(rf"\b{re.escape(name)}\b", text_of(body)) is not None


def _step(node: "Node", name: str) -> int:
    """Of `i++`, `--i`, `i += 2`; zero for anything else."""
    if node.type == "update_expression":
        written = text_of(node)
        return {f"{name}++": 1, f"++{name}": 1, f"{name}--": -1, f"--{name}": -1}.get(written.replace(" ", ""), 0)
    size = whole_number(text_at(node, "right")) or 0
    signs = {"+=": 1, "-=": -1}
    return size * signs.get(text_at(node, "operator"), 0) if text_at(node, "left") == name else 0


LONGEST_SUM = 200
"""So many texts put together are kept as one sum; a longer one is one of sums."""


def child_of(node: "Node", type_name: str) -> "Node | None":
    return next((child for child in node.children if child.type == type_name), None)


def type_name(node: "Node | None") -> str:
    """The name of a type without its parameters, array brackets and annotations; empty for what is no class."""
    if node is None or node.type in ("integral_type", "void_type", "boolean_type", "floating_point_type", "array_type"):
        return ""
    return text_of(node).split("<", 1)[0].strip().split(" ")[-1]


def unwrapped(nodes: "Sequence[Node]") -> Iterator["Node"]:
    """The nodes, and in the place of what does not parse its parts."""
    waiting = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        if node.is_error or node.type == "enum_body_declarations":
            waiting.extend(reversed(list(named(node))))
        else:
            yield node
