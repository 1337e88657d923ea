"""Writes recipes into a test file: the fixture, the mark on the test, and the imports where import sorters put them."""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from unknot.fix.fixture_builder import INDENT, Recipe
from unknot.fix.names import Names
from unknot.fix.source_file import DefinedTest, SourceFile


def with_fixtures(
    file: SourceFile, test: DefinedTest, recipes: Sequence[Recipe], names: Names, is_ours: Callable[[str], bool]
) -> bytes:
    """The new content of the file. `names` must be those that the recipes were built with. An equivalent fixture in the
    file, under any name, is used instead of a new one. No existing line is changed or moved. Raises ValueError if the
    result would not be valid Python."""
    pytest = names.module("pytest")
    known = [_known(file, recipe, pytest) or recipe for recipe in recipes]
    new = [recipe for recipe, old in zip(recipes, known, strict=True) if recipe is old]
    marks = ", ".join(f'"{recipe.name}"' for recipe in known)
    space = file.indentation_of(test.marked)
    line = file.fixture_line(test.marked)
    content = file.with_insertions(
        [
            *import_insertions(file, names.imports, is_ours, line),
            *([(line, _fixtures(file, line, new, pytest))] if new else []),
            (file.mark_line(test.marked), f"{space}@{pytest}.mark.usefixtures({marks})\n"),
        ]
    )
    try:
        ast.parse(content)
    except SyntaxError as problem:
        raise ValueError(f"{file.path} would no longer be valid Python: {problem}") from problem
    return content


def _fixtures(file: SourceFile, line: int, recipes: Sequence[Recipe], pytest: str) -> str:
    """The fixtures, with two blank lines before each and after the last, counting existing ones."""
    if line == 0 or (file.is_blank(line - 1) and file.is_blank(line - 2)):
        before = ""
    else:
        before = "\n" if file.is_blank(line - 1) else "\n\n"
    return before + "".join(_fixture(recipe, pytest, file.indent) + "\n\n" for recipe in recipes)


def _fixture(recipe: Recipe, pytest: str, indent: str) -> str:
    body = "".join(f"{indent}{_indented(line, indent)}\n" for line in (f'"""{recipe.docstring}"""', *recipe.lines))
    return f"@{pytest}.fixture\ndef {recipe.name}({', '.join(recipe.takes)}):\n{body}"


def _indented(line: str, indent: str) -> str:
    bare = line.lstrip(" ")
    return indent * ((len(line) - len(bare)) // len(INDENT)) + bare


def _known(file: SourceFile, recipe: Recipe, pytest: str) -> Recipe | None:
    """The recipe under the name of an equivalent fixture, if the file has one."""
    wanted = _gist(ast.parse(_fixture(recipe, pytest, INDENT)).body[0])
    for node in file.tree.body:
        if isinstance(node, ast.FunctionDef) and _gist(node) == wanted:
            return replace(recipe, name=node.name)
    return None


def _gist(node: ast.stmt) -> str:
    """The code of a function without its name and docstring."""
    assert isinstance(node, ast.FunctionDef)
    has_docstring = ast.get_docstring(node, clean=False) is not None
    body = node.body[1:] if has_docstring else node.body
    return ast.dump(ast.Module([*body, *map(ast.Expr, node.decorator_list)], [])) + ast.dump(node.args)


Insertion = tuple[int, str]
"""The number of the line, counted from 0, before which the text is inserted, and the text."""

_Import = ast.Import | ast.ImportFrom
_FUTURE, _STANDARD, _OTHERS, _OURS = range(4)


def import_insertions(
    file: SourceFile, statements: Iterable[str], is_ours: Callable[[str], bool], first_fixture: int
) -> list[Insertion]:
    """`is_ours` recognises the project's own modules by their dotted names. `first_fixture` is the line before which a
    fixture will be inserted, with its own blank lines."""
    groups: dict[int, list[str]] = {}
    for statement in sorted(statements, key=lambda one: (one.startswith("from"), one)):
        groups.setdefault(_kind(statement.split()[1], is_ours), []).append(statement)
    present = [(_kind_of(node, is_ours), node) for node in file.leading_imports()]
    if not present:
        return _first_ones(file, groups, first_fixture)
    found: list[Insertion] = []
    for kind in sorted(groups):
        same = [node for other, node in present if other == kind]
        if same:
            found += _among(file, same, groups[kind])
        else:
            earlier = [node for other, node in present if other < kind]
            found.append(_new_section(file, earlier, present[0][1], groups[kind]))
    return found


def _among(file: SourceFile, same: Sequence[_Import], statements: list[str]) -> Iterator[Insertion]:
    """`import a` before `from a import b`, each after the existing ones."""
    plain = [node for node in same if isinstance(node, ast.Import)]
    for statement in statements:
        after = same if statement.startswith("from") else plain
        yield file.line_after(after) if after else same[0].lineno - 1, f"{statement}\n"


def _new_section(file: SourceFile, earlier: Sequence[_Import], first: _Import, statements: list[str]) -> Insertion:
    text = _joined(statements)
    if not earlier:
        return first.lineno - 1, f"{text}\n"
    line = file.line_after(earlier)
    return line, f"\n{text}" + ("" if file.is_blank(line) else "\n")


def _first_ones(file: SourceFile, groups: dict[int, list[str]], first_fixture: int) -> list[Insertion]:
    if not groups:
        return []
    line = file.top()
    text = "\n".join(_joined(groups[kind]) for kind in sorted(groups))
    before = "" if file.is_blank(line - 1) else "\n"
    if line != first_fixture:
        return [(line, f"{before}{text}" + ("" if file.is_blank(line) else "\n"))]
    return [(line, f"{before}{text}" + ("\n\n" if line == 0 else ""))]


def _joined(statements: list[str]) -> str:
    return "".join(f"{statement}\n" for statement in statements)


def _kind_of(node: _Import, is_ours: Callable[[str], bool]) -> int:
    if isinstance(node, ast.Import):
        return _kind(node.names[0].name, is_ours)
    return _OURS if node.level or not node.module else _kind(node.module, is_ours)


def _kind(dotted: str, is_ours: Callable[[str], bool]) -> int:
    if dotted == "__future__":
        return _FUTURE
    if dotted.partition(".")[0] in sys.stdlib_module_names:
        return _STANDARD
    return _OURS if is_ours(dotted) else _OTHERS
