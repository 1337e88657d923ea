"""Where new imports go in a file: with their own kind, as import sorters have it."""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

from unknot.fix.source_file import SourceFile

Insertion = tuple[int, str]
"""Before which line, counted from 0, and what."""

_Import = ast.Import | ast.ImportFrom
_FUTURE, _STANDARD, _OTHERS, _OURS = range(4)


def import_insertions(
    file: SourceFile, statements: Iterable[str], is_ours: Callable[[str], bool], first_fixture: int
) -> list[Insertion]:
    """`is_ours` tells the project's own modules from others by their dotted name; `first_fixture` is the line before
    which a fixture will be put in, which brings its own blank lines."""
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
    """`import a` before `from a import b`, each after those that are there."""
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
