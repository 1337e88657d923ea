"""A test file as text: its lines, its tests, where lines can be inserted; and changes as unified diffs."""

import ast
import codecs
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import unified_diff

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_BELONGS_INSIDE = ("staticmethod", "classmethod")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


@dataclass(frozen=True)
class DefinedTest:
    """The definition of a test. `marked` is what a mark is put on: the function, or its class if the function is
    inherited. `classes` are the classes around it, outermost first."""

    marked: Definition
    function: Function | None
    classes: tuple[ast.ClassDef, ...]


class SourceFile:
    """Guarantee: edits only insert lines. Everything else stays the same, byte for byte.

    Raises ValueError for bytes that are not Python source.
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
            raise ValueError(f"{path} is not valid Python: {problem}") from problem
        self.lines: list[str] = _LINE.findall(text)
        self._newline = _newline(self.lines)
        self.indent = _indent(text)

    def find(self, test: str) -> DefinedTest | None:
        """Finds a test by the names in its id after the file; None if the file does not define it."""
        names = [part for part in test.split("::")[1:] if part]
        if not names:
            return None
        # A parameter may contain anything, even `::`.
        bare = [name.partition("[")[0] for name in names]
        end = next((at for at, name in enumerate(names) if "[" in name), len(names) - 1)
        return _found(self.tree.body, bare[: end + 1], ())

    def with_insertions(self, insertions: list[tuple[int, str]]) -> bytes:
        """The content with each text, of whole lines with \\n, inserted before the line with its number, counted from
        0. Texts for one line keep their order."""
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
        """Before all decorators, so that the mark applies to their result; but below those that return no function."""
        for decorator in definition.decorator_list:
            if not (isinstance(decorator, ast.Name) and decorator.id in _BELONGS_INSIDE):
                return self._at_sign(decorator)
        return definition.lineno - 1

    def indentation_of(self, definition: Definition) -> str:
        line = self.lines[definition.lineno - 1]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def fixture_line(self, definition: Definition) -> int:
        """Before the top-level statement that contains the definition, and before its comment."""
        for statement in self.tree.body:
            if statement.lineno <= definition.lineno <= (statement.end_lineno or statement.lineno):
                break
        decorators = getattr(statement, "decorator_list", [])
        line = self._at_sign(decorators[0]) if decorators else statement.lineno - 1
        while line > 0 and self.lines[line - 1].startswith("#") and not self._is_head(line - 1):
            line -= 1
        return line

    def top(self) -> int:
        """The line for the first import in a file without imports: after the header comments and the docstring."""
        line = 0
        while line < len(self.lines) and self._is_head(line):
            line += 1
        first = self.tree.body[0] if self.tree.body else None
        if isinstance(first, ast.Expr) and _is_text(first.value):
            line = max(line, self.line_after([first]))
        return line

    def leading_imports(self) -> list[ast.Import | ast.ImportFrom]:
        """The imports at the top, before any other statement."""
        found: list[ast.Import | ast.ImportFrom] = []
        for number, statement in enumerate(self.tree.body):
            if isinstance(statement, ast.Import | ast.ImportFrom):
                found.append(statement)
            elif number > 0 or not (isinstance(statement, ast.Expr) and _is_text(statement.value)):
                break
        return found

    def line_after(self, statements: Iterable[ast.stmt]) -> int:
        """The first line after all of these where text can be inserted. A statement that starts on their last line is
        not split."""
        line = max(statement.end_lineno or statement.lineno for statement in statements)
        for statement in self.tree.body:
            if statement.lineno <= line:
                line = max(line, statement.end_lineno or statement.lineno)
        return line

    def is_blank(self, line: int) -> bool:
        """Positions before the first line and after the last count as blank."""
        return not 0 <= line < len(self.lines) or not self.lines[line].strip()

    def _is_head(self, line: int) -> bool:
        """The interpreter and encoding lines, and the comments that follow directly."""
        return all(self.lines[at].startswith("#") for at in range(line + 1))

    def _at_sign(self, decorator: ast.expr) -> int:
        """The line of the @ sign: the decorator's expression may start below it, in brackets."""
        line = decorator.lineno - 1
        while line > 0 and not self.lines[line].lstrip().startswith("@"):
            line -= 1
        return line

    def _ours(self, text: str) -> str:
        """The text with the file's line ends and encoding; characters that the encoding lacks are escaped."""
        safe = text.encode(self._encoding, "backslashreplace").decode(self._encoding)
        return safe.replace("\n", self._newline)


def _found(body: list[ast.stmt], names: list[str], classes: tuple[ast.ClassDef, ...]) -> DefinedTest | None:
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
            return DefinedTest(node, node, classes)
    return None


def _inherited(node: ast.ClassDef, rest: list[str], classes: tuple[ast.ClassDef, ...]) -> DefinedTest | None:
    return DefinedTest(node, None, (*classes, node)) if len(rest) == 1 and node.bases else None


def _definitions(body: list[ast.stmt]) -> Iterator[Definition]:
    """Also those in an `if`, a `try` or a `with`."""
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
    """The indentation of the file: that of its first indented line."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.INDENT:
                return token.string
    except (tokenize.TokenError, SyntaxError):
        pass
    return "    "


_NO_NEWLINE = "\n\\ No newline at end of file\n"


def unified_diff_bytes(path: str, before: bytes, after: bytes) -> bytes:
    """A diff for `git apply` and `patch -p1`, in the directory that the path is relative to, exact to the byte. Empty
    if nothing changes."""
    # Latin-1 maps every byte to a character and back; lines are split as git and patch split them.
    name = path.encode("utf-8", "surrogateescape").decode("latin-1")
    lines = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else line + _NO_NEWLINE for line in lines).encode("latin-1")


def _lines(content: bytes) -> list[str]:
    *whole, last = content.decode("latin-1").split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
