"""Bottom-up: every node of a syntax tree is put into our small language after its children. Nothing recurses."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from unknot.web.readers.interpreter.code import NOTHING, Code, Nothing, Together

if TYPE_CHECKING:
    from tree_sitter import Node

Builder = Callable[["Lowering", "Node"], Code]


class Lowering:
    """One file on its way. A builder finds what its node's children have become with `of`. `broken` has the lines that
    do not parse and lie in no function; those in one are `damage` of the innermost. Cost: linear in the tree."""

    def __init__(self, file: str, builders: Mapping[str, Builder], functions: frozenset[str]) -> None:
        self.file = file
        self.broken: list[int] = []
        self._builders = builders
        self._functions = functions
        self._made: dict[int, Code] = {}
        self._damage: dict[int, int] = {}

    def lower(self, root: "Node") -> Code:
        stack: list[tuple[Node, bool]] = [(root, False)]
        within: list[int] = []
        while stack:
            node, is_done = stack.pop()
            is_function = node.is_named and node.type in self._functions
            if is_done:
                # Keywords have no names of their own, and some share theirs with an expression: `class`.
                builder = self._builders.get(node.type, plain) if node.is_named else silent
                self._made[node.id] = builder(self, node)
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
        """What the named children say, without those that say nothing at all."""
        return () if node is None else tuple(self.of(child) for child in named(node))

    def damage(self, node: "Node") -> int | None:
        return self._damage.get(node.id)


def plain(lowering: Lowering, node: "Node") -> Code:
    """Nodes that mean nothing to us: what their children say, in order."""
    parts = tuple(code for code in map(lowering.of, node.children) if not isinstance(code, Nothing))
    if len(parts) == 1:
        return parts[0]
    return Together(line_of(node), parts) if parts else NOTHING


def silent(lowering: Lowering, node: "Node") -> Code:  # noqa: ARG001 - a builder
    return NOTHING


def line_of(node: "Node") -> int:
    return node.start_point[0] + 1


def text_of(node: "Node | None") -> str:
    return "" if node is None or node.text is None else node.text.decode("utf-8", "replace")


def text_at(node: "Node", field: str) -> str:
    return text_of(node.child_by_field_name(field))


def named(node: "Node") -> Iterator["Node"]:
    return (child for child in node.named_children if not child.is_extra)
