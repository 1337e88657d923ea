"""The text of a test file, divided into what belongs to one test and what all its tests share.

Idea
    A test function that nothing else in its file names can change without changing another test. So its lines count for
    itself alone, and the rest of the file for all tests in it.
Assumptions
    Marks of pytest, and the decorators of Hypothesis and unittest.mock, do nothing when they are evaluated. No code
    finds a function by a name that it computes.
Guarantee
    If a test has the same parts as before, nothing in the file that can change it is different, but for comments and
    blank lines. Only functions whose names begin with `test` have a part of their own, and only if no other function
    has the same name, nothing mentions it and it has no other decorators. Which tests are selected does not matter.
Cost
    Parses the file and visits each of its nodes three times.
"""

import ast
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_PREFIX = "test"

_HARMLESS = (
    *("pytest.mark.", "mark.", "given(", "settings(", "example(", "hypothesis."),
    *("patch(", "patch.", "mock.patch", "unittest.mock."),
)
"""How decorators begin that only concern the function. Any other may register it, or make a fixture of it."""


@dataclass(frozen=True)
class DividedSource:
    """`own` has the lines of each test that has a part of its own, by its name in the file: `Class::test`."""

    shared: tuple[bytes, ...] = ()
    own: dict[str, bytes] = field(default_factory=dict)


def divided(source: bytes) -> DividedSource:
    """The parts of a Python file. Nothing has a part of its own if it cannot be parsed."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return DividedSource()
    functions = list(_functions(tree))
    times = Counter(name for name, _ in functions)
    mentioned = _mentioned(tree)
    own = {name: node for name, node in functions if times[name] == 1 and _is_apart(node, mentioned)}
    lines = source.splitlines()
    inside = {line for node in own.values() for line in range(_first_line(node), (node.end_lineno or node.lineno) + 1)}
    shared = [line.rstrip() for number, line in enumerate(lines, start=1) if number not in inside and _counts(line)]
    return DividedSource(
        (*shared, *_long_strings(tree, inside), *(text for node in own.values() for text in _defaults(node))),
        {name: b"\n".join(lines[_first_line(node) - 1 : node.end_lineno]) for name, node in own.items()},
    )


def _functions(node: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[tuple[str, _Function]]:
    """Those of the module and its classes, with their names in the file."""
    for child in node.body:
        if isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}::")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{child.name}", child


def _is_apart(node: _Function, mentioned: Collection[str]) -> bool:
    return (
        node.name.startswith(_PREFIX)
        and node.name not in mentioned
        and all(ast.unparse(decorator).startswith(_HARMLESS) for decorator in node.decorator_list)
    )


def _mentioned(tree: ast.Module) -> set[str]:
    """Names that are read, imported, used for a parameter or written out as a string."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.Constant(value=str() as name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.update((name.rpartition(".")[2], other or ""))
    return found


def _first_line(node: _Function) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _counts(line: bytes) -> bool:
    """Whether it is more than a comment. Lines of long strings that look like one are covered by their values."""
    text = line.strip()
    return bool(text) and not text.startswith(b"#")


def _long_strings(tree: ast.Module, without: Collection[int]) -> Iterator[bytes]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.lineno != node.end_lineno and node.lineno not in without:
            yield repr(node.value).encode()


def _defaults(node: _Function) -> Iterator[bytes]:
    """Evaluated when the function is defined: that may do something to all tests."""
    defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
    yield from (ast.dump(default).encode() for default in defaults)
