"""Calls of tests: a test that only makes state can be called by whoever needs the state."""

import ast
from collections.abc import Callable, Iterable

from unknot.fix.modules import Modules
from unknot.fix.names import Names
from unknot.fix.source_file import Found, SourceFile
from unknot.model.suite import TestId

_NEEDS_PYTEST = ("parametrize", "usefixtures", "skip", "skipif", "xfail")
_SET_UP = ("setup_method", "setup_class", "setup", "__init__")


def calls_of(
    tests: Iterable[TestId],
    file_of: Callable[[TestId], SourceFile | None],
    modules: Modules,
    names: Names,
) -> tuple[str, ...]:
    """Statements that run these tests as plain functions; none at all if one of them cannot be called so: it asks for
    fixtures, has parameters, is a coroutine, or its definition is not found.

    A test of another file is reached through its module, imported where it is called: imported at the top of a file,
    pytest would take it for a test of that file.
    """
    imports: dict[str, None] = {}
    found: list[str] = []
    for test in tests:
        file = file_of(test)
        definition = file.find(test) if file is not None and "[" not in test else None
        call = _call(definition) if definition is not None else ""
        if file is None or not call:
            return ()
        module = modules.name_of(file.path)
        if not names.is_own(module):
            imports[f"import {module}"] = None
            call = f"{module}.{call}"
        found.append(call)
    return (*imports, *found)


def _call(found: Found) -> str:
    function = found.function
    if not isinstance(function, ast.FunctionDef) or any(map(_needs_pytest, function.decorator_list)):
        return ""
    arguments = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    if not found.classes:
        return "" if arguments or function.args.kwonlyargs else f"{function.name}()"
    if len(found.classes) > 1 or arguments != ["self"] or function.args.kwonlyargs:
        return ""
    (cls,) = found.classes
    if _is_test_case(cls):
        return f'{cls.name}("{function.name}").debug()'
    is_bare = not cls.bases and not any(map(_needs_pytest, cls.decorator_list)) and not _has_set_up(cls)
    return f"{cls.name}().{function.name}()" if is_bare else ""


def _is_test_case(cls: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith("TestCase") for base in cls.bases)


def _has_set_up(cls: ast.ClassDef) -> bool:
    return any(isinstance(node, ast.FunctionDef) and node.name in _SET_UP for node in cls.body)


def _needs_pytest(decorator: ast.expr) -> bool:
    return any(word in ast.unparse(decorator) for word in _NEEDS_PYTEST)
