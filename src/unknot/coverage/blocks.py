"""A Python source, cut into blocks: the body of each function, and the module around them."""

import ast
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

MODULE = "<module>"

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Block:
    """The body of a function, or of the module, without the bodies of the functions in it.

    `text` is what the block says, without comments, layout and line numbers; docstrings are part of it, as programs
    read them. `number` counts the blocks of a file, inner ones before outer ones. Signature, decorators and defaults
    belong to the block around a function. The block stands on the lines `start` to `end`, those of inner functions
    among them. `reach` goes on to the next statement, and so may take in the decorators of the next function.
    """

    name: str
    number: int
    text: str
    start: int
    end: int
    reach: int

    @property
    def is_module(self) -> bool:
        return self.name == MODULE

    @property
    def lines(self) -> range:
        return range(self.start, self.end + 1)

    @property
    def wide_lines(self) -> range:
        """What pytest-testmon takes for the lines of the block, or more: whoever ran one of them, ran the block."""
        return range(self.start, self.reach + 1)


@lru_cache(maxsize=512)
def blocks_of(source: str) -> tuple[Block, ...] | None:
    """The blocks, the module last; None for what this Python cannot parse. An empty module is one empty block.

    Two sources with equal texts, block by block, compile to the same program but for line numbers.
    Cost: linear in the source.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # A NUL is a ValueError to some versions; the others are what an expression of a million terms may cost.
        return None
    try:
        return _cut(tree, source.count("\n") + 1)
    except RecursionError:
        return None


def _cut(tree: ast.Module, last: int) -> tuple[Block, ...]:
    cutting = _Cutting()
    cutting.cut(tree.body, last, "")
    cutting.add(MODULE, tree.body, last)
    *functions, module = cutting.blocks
    return (*functions, Block(MODULE, module.number, module.text, 1, last, last))


class _Cutting:
    """Empties the functions of a tree from the inside out, keeping what was in them."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []

    def cut(self, nodes: Sequence[ast.AST], last: int, path: str) -> None:
        """`last` is the line up to which these nodes have their surroundings for themselves."""
        for node, following in zip_longest(nodes, nodes[1:]):
            line = getattr(following, "lineno", None)
            self._cut_one(node, last if line is None else line - 1, path)

    def _cut_one(self, node: ast.AST, last: int, path: str) -> None:
        inner = path
        if isinstance(node, _Function | ast.ClassDef):
            inner = f"{path}{node.name}."
        for _, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                self._cut_one(value, last, inner)
            elif isinstance(value, list):
                self.cut([item for item in value if isinstance(item, ast.AST)], last, inner)
        if isinstance(node, _Function):
            self.add(f"{path}{node.name}", node.body, last)
            node.body = []

    def add(self, name: str, body: Sequence[ast.stmt], last: int) -> None:
        start = min((_first_line(statement) for statement in body), default=1)
        end = max((statement.end_lineno or start for statement in body), default=1)
        text = "\n".join(ast.dump(statement) for statement in body)
        self.blocks.append(Block(name, len(self.blocks), text, start, end, max(end, last)))


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
