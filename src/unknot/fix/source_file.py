"""A test file as text: its lines, its tests, and where something can be put in."""

import ast
import codecs
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_BELONGS_INSIDE = ("staticmethod", "classmethod")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


@dataclass(frozen=True)
class Found:
    """A test's definition. `marked` is what a mark goes on: the function, or its class where the function is
    inherited. `classes` are the classes around it, outermost first."""

    marked: Definition
    function: Function | None
    classes: tuple[ast.ClassDef, ...]


class SourceFile:
    """Guarantee: every edit only puts lines in. Whatever was there stays, byte for byte.

    Raises ValueError for bytes that are no Python source.
    """

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.content = content
        self._bom = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
        try:
            self._encoding, _ = tokenize.detect_encoding(io.BytesIO(content[len(self._bom) :]).readline)
            text = content[len(self._bom) :].decode(self._encoding)
            self.tree = ast.parse(text)
        except (SyntaxError, UnicodeDecodeError, RecursionError) as problem:
            raise ValueError(f"{path} cannot be read as Python: {problem}") from problem
        self.lines: list[str] = _LINE.findall(text)
        self._newline = _newline(self.lines)
        self.indent = _indent(text)

    def find(self, test: str) -> Found | None:
        """By the id's names after the file; None where the file does not say where the test comes from."""
        names = [part for part in test.split("::")[1:] if part]
        if not names:
            return None
        # A parameter may hold anything, `::` too.
        bare = [name.partition("[")[0] for name in names]
        end = next((at for at, name in enumerate(names) if "[" in name), len(names) - 1)
        return _found(self.tree.body, bare[: end + 1], ())

    def with_insertions(self, insertions: list[tuple[int, str]]) -> bytes:
        """Each text, of whole lines with \\n, before the line of that number, counted from 0. Those for one line go
        in as they are listed."""
        at: dict[int, list[str]] = {}
        for place, text in insertions:
            at.setdefault(place, []).append(self._ours(text))
        found: list[str] = []
        for number, line in enumerate(self.lines):
            found += at.get(number, ())
            found.append(line)
        if last := at.get(len(self.lines)):
            if found and not found[-1].endswith(("\n", "\r")):
                found.append(self._newline)
            found += last
        return self._bom + "".join(found).encode(self._encoding)

    def mark_line(self, definition: Definition) -> int:
        """Before all decorators, so that the mark goes on what they make; but inside of what makes no function."""
        for decorator in definition.decorator_list:
            if not (isinstance(decorator, ast.Name) and decorator.id in _BELONGS_INSIDE):
                return self._at_sign(decorator)
        return definition.lineno - 1

    def indentation_of(self, definition: Definition) -> str:
        line = self.lines[definition.lineno - 1]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def fixture_line(self, definition: Definition) -> int:
        """Before the statement at the top of the file in which the definition stands, and before its comment."""
        for statement in self.tree.body:
            if statement.lineno <= definition.lineno <= (statement.end_lineno or statement.lineno):
                break
        decorators = getattr(statement, "decorator_list", [])
        line = self._at_sign(decorators[0]) if decorators else statement.lineno - 1
        while line > 0 and self.lines[line - 1].startswith("#") and not self._is_head(line - 1):
            line -= 1
        return line

    def top(self) -> int:
        """Where the first import goes in a file without any: after the docstring and what must come first."""
        line = 0
        while line < len(self.lines) and self._is_head(line):
            line += 1
        first = self.tree.body[0] if self.tree.body else None
        if isinstance(first, ast.Expr) and _is_text(first.value):
            line = max(line, self.line_after([first]))
        return line

    def leading_imports(self) -> list[ast.Import | ast.ImportFrom]:
        """Those at the top, before anything else is done."""
        found: list[ast.Import | ast.ImportFrom] = []
        for number, statement in enumerate(self.tree.body):
            if isinstance(statement, ast.Import | ast.ImportFrom):
                found.append(statement)
            elif number > 0 or not (isinstance(statement, ast.Expr) and _is_text(statement.value)):
                break
        return found

    def line_after(self, statements: Iterable[ast.stmt]) -> int:
        """The first line at which something can be put in after all of these: what follows on their last line, and
        may go on below it, is left whole."""
        line = max(statement.end_lineno or statement.lineno for statement in statements)
        for statement in self.tree.body:
            if statement.lineno <= line:
                line = max(line, statement.end_lineno or statement.lineno)
        return line

    def is_blank(self, line: int) -> bool:
        """What is before the first line and after the last counts as blank."""
        return not 0 <= line < len(self.lines) or not self.lines[line].strip()

    def _is_head(self, line: int) -> bool:
        """The lines that say how the file is to be run and read, and the comments that follow at once."""
        return all(self.lines[at].startswith("#") for at in range(line + 1))

    def _at_sign(self, decorator: ast.expr) -> int:
        """The decorator's own line: its expression may begin below the sign, in brackets."""
        line = decorator.lineno - 1
        while line > 0 and not self.lines[line].lstrip().startswith("@"):
            line -= 1
        return line

    def _ours(self, text: str) -> str:
        """In the file's own line ends and encoding; what the encoding lacks is escaped."""
        safe = text.encode(self._encoding, "backslashreplace").decode(self._encoding)
        return safe.replace("\n", self._newline)


def _found(body: list[ast.stmt], names: list[str], classes: tuple[ast.ClassDef, ...]) -> Found | None:
    name, *rest = names
    # The last definition of a name is the one that counts.
    for node in reversed(list(_definitions(body))):
        if node.name != name:
            continue
        if isinstance(node, ast.ClassDef):
            if not rest:
                return None
            return _found(node.body, rest, (*classes, node)) or _inherited(node, rest, classes)
        if not rest:
            return Found(node, node, classes)
    return None


def _inherited(node: ast.ClassDef, rest: list[str], classes: tuple[ast.ClassDef, ...]) -> Found | None:
    return Found(node, None, (*classes, node)) if len(rest) == 1 and node.bases else None


def _definitions(body: list[ast.stmt]) -> Iterator[Definition]:
    """Also those that stand below an `if`, a `try` or a `with`."""
    for node in body:
        if isinstance(node, Definition):
            yield node
            continue
        for part in ("body", "handlers", "orelse", "finalbody"):
            for inner in getattr(node, part, ()):
                yield from _definitions(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _newline(lines: list[str]) -> str:
    for newline in ("\r\n", "\n", "\r"):
        if lines and lines[0].endswith(newline):
            return newline
    return "\n"


def _indent(text: str) -> str:
    """What the file indents by: what its first indented line begins with."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.INDENT:
                return token.string
    except (tokenize.TokenError, SyntaxError):
        pass
    return "    "
