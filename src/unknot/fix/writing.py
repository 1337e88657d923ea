"""A recipe, written into a test file: the fixture, the mark on the test, the imports."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from unknot.fix.import_places import import_insertions
from unknot.fix.names import Names
from unknot.fix.recipe import INDENT, Recipe
from unknot.fix.source_file import Found, SourceFile


def written(
    file: SourceFile, test: Found, recipes: Sequence[Recipe], names: Names, is_ours: Callable[[str], bool]
) -> bytes:
    """The file's new content. `names` must be those that the recipes were made with. A fixture that the file has
    already, under whatever name, is used and not written again. Raises ValueError if the result would not be Python;
    nothing that was in the file is changed or moved."""
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
        raise ValueError(f"{file.path} would not be Python any more: {problem}") from problem
    return content


def _fixtures(file: SourceFile, line: int, recipes: Sequence[Recipe], pytest: str) -> str:
    """Two blank lines before each and after the last, counting those that are there."""
    if line == 0 or (file.is_blank(line - 1) and file.is_blank(line - 2)):
        before = ""
    else:
        before = "\n" if file.is_blank(line - 1) else "\n\n"
    return before + "".join(_fixture(recipe, pytest, file.indent) + "\n\n" for recipe in recipes)


def _fixture(recipe: Recipe, pytest: str, indent: str) -> str:
    body = "".join(f"{indent}{_indented(line, indent)}\n" for line in (f'"""{recipe.says}"""', *recipe.lines))
    return f"@{pytest}.fixture\ndef {recipe.name}({', '.join(recipe.takes)}):\n{body}"


def _indented(line: str, indent: str) -> str:
    bare = line.lstrip(" ")
    return indent * ((len(line) - len(bare)) // len(INDENT)) + bare


def _known(file: SourceFile, recipe: Recipe, pytest: str) -> Recipe | None:
    """The same recipe under the name of a fixture that does the same, if the file has one."""
    wanted = _gist(ast.parse(_fixture(recipe, pytest, INDENT)).body[0])
    for node in file.tree.body:
        if isinstance(node, ast.FunctionDef) and _gist(node) == wanted:
            return replace(recipe, name=node.name)
    return None


def _gist(node: ast.stmt) -> str:
    """What a function does, without its name and what it says of itself."""
    assert isinstance(node, ast.FunctionDef)
    has_docstring = ast.get_docstring(node, clean=False) is not None
    body = node.body[1:] if has_docstring else node.body
    return ast.dump(ast.Module([*body, *map(ast.Expr, node.decorator_list)], [])) + ast.dump(node.args)
