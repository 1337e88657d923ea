"""A Python source, split into blocks (the body of each function, and the module around them), and what changed."""

import ast
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

MODULE = "<module>"

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class SourceBlock:
    """The body of a function, or of the module, without the bodies of the functions in it.

    `text` is the code of the block without comments, layout and line numbers; docstrings are part of it, as programs
    can read them. `number` counts the blocks of a file, inner ones before outer ones. Signature, decorators and
    defaults belong to the block around a function. The block spans the lines `start` to `end`, including those of inner
    functions. `reach` extends to the next statement, and so may include the decorators of the next function.
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
        """At least the lines that pytest-testmon assigns to the block: a test that ran one of them ran the block."""
        return range(self.start, self.reach + 1)


@lru_cache(maxsize=512)
def blocks_of(source: str) -> tuple[SourceBlock, ...] | None:
    """The blocks, the module last; None if this Python cannot parse the source. An empty module is one empty block.

    Two sources with equal texts, block by block, compile to the same program except for line numbers.
    Cost: linear in the source.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Some versions raise ValueError for a NUL; very large expressions may raise the others.
        return None
    try:
        return _cut(tree, source.count("\n") + 1)
    except RecursionError:
        return None


def _cut(tree: ast.Module, last: int) -> tuple[SourceBlock, ...]:
    cutting = _Cutting()
    cutting.cut(tree.body, last, "")
    cutting.add(MODULE, tree.body, last)
    *functions, module = cutting.blocks
    return (*functions, SourceBlock(MODULE, module.number, module.text, 1, last, last))


class _Cutting:
    """Empties the functions of a tree from the inside out and keeps their bodies as blocks."""

    def __init__(self) -> None:
        self.blocks: list[SourceBlock] = []

    def cut(self, nodes: Sequence[ast.AST], last: int, path: str) -> None:
        """`last` is the last line before the next statement that is not among these nodes."""
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
        self.blocks.append(SourceBlock(name, len(self.blocks), text, start, end, max(end, last)))


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


@dataclass(frozen=True)
class SourceChange:
    """What differs between two versions of a source. `blocks` are those of the measured source that the other one does
    not have. `whole` is the reason, in words, if only the whole file can be compared; empty otherwise."""

    blocks: tuple[SourceBlock, ...] = ()
    whole: str = ""

    def __bool__(self) -> bool:
        return bool(self.blocks or self.whole)

    def __or__(self, other: "SourceChange") -> "SourceChange":
        known = {block.number for block in self.blocks}
        added = tuple(block for block in other.blocks if block.number not in known)
        return SourceChange(self.blocks + added, self.whole or other.whole)


NOTHING = SourceChange()


def source_change(measured: str, other: str) -> SourceChange:
    """How `other` differs from the source that was measured. Comments and layout make no difference.

    A block is identified by its text and its number among the blocks of its file, as in pytest-testmon, so that every
    test that testmon would run again is selected here too. The price is a few extra tests after a nested function was
    added.
    """
    if measured == other:
        return NOTHING
    before, after = blocks_of(measured), blocks_of(other)
    if before is None:
        return SourceChange(whole="it could not be parsed when it was recorded")
    if after is None:
        return SourceChange(whole="it cannot be parsed")
    there = {(block.number, block.text) for block in after}
    return SourceChange(tuple(block for block in before if (block.number, block.text) not in there))
