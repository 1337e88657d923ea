"""How a method of a page object can end: what it returns, and what has to hold for that."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unknot.web.pages.classes import FunctionNode, last_name

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.In: ast.NotIn,
    ast.Is: ast.IsNot,
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
}
_OPPOSITES |= {opposite: kind for kind, opposite in _OPPOSITES.items()}

_CHECKING = ("expect", "assert_")
"""Calls that only check: what comes after them is not made possible by them."""


@dataclass(frozen=True)
class MethodEnding:
    """One way in which a method ends without an error. `value` is what it returns, None where it falls off its end.
    `guards` would raise if they did not hold; `conditions` decide between this ending and others."""

    value: ast.expr | None
    guards: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()


def endings_of(method: FunctionNode) -> list[MethodEnding]:
    """In the order of the code. A guard is an assertion or a raised exception with an action after it or in its other
    branch, or the argument of a decorator `requires`: what is only checked at the end is none.
    Loops and handlers are read as code that may run or not. Cost: linear in the method, times its branches."""
    guards = tuple(_required(method))
    found: list[MethodEnding] = []
    for ending in _walk(method.body, guards, (), acts_after=False):
        if isinstance(ending, MethodEnding):
            found.append(ending)
        else:
            found.append(MethodEnding(None, *ending))
    return found


_Path = tuple[tuple[str, ...], tuple[str, ...]]
"""Guards and conditions of a way through some statements that does not end there."""


def _walk(
    statements: Sequence[ast.stmt], guards: tuple[str, ...], conditions: tuple[str, ...], *, acts_after: bool
) -> Iterator[MethodEnding | _Path]:
    if not statements:
        yield guards, conditions
        return
    statement, *rest = statements
    acts_later = acts_after or _acts(rest)
    ways: Iterator[MethodEnding | _Path] = iter([(guards, conditions)])
    match statement:
        case ast.Return(value=value):
            yield MethodEnding(value, guards, conditions)
            return
        case ast.Raise():
            return
        case ast.Assert(test=test) if acts_later:
            ways = iter([((*guards, ast.unparse(test)), conditions)])
        case ast.If():
            ways = _branches(statement, guards, conditions, acts_later=acts_later)
        case ast.With(body=body) | ast.AsyncWith(body=body):
            ways = _walk(body, guards, conditions, acts_after=acts_later)
        case ast.Try(body=body, orelse=orelse, handlers=handlers, finalbody=finalbody):
            ways = _all(
                [[*body, *orelse, *finalbody], *([*handler.body, *finalbody] for handler in handlers)],
                guards,
                conditions,
                acts_later,
            )
        case ast.For(body=body, orelse=orelse) | ast.While(body=body, orelse=orelse):
            ways = _all([body, orelse], guards, conditions, acts_later)
        case ast.Match(subject=subject, cases=cases):
            ways = _cases(ast.unparse(subject), cases, guards, conditions, acts_later)
    for way in ways:
        if isinstance(way, MethodEnding):
            yield way
        else:
            yield from _walk(rest, *way, acts_after=acts_after)


def _branches(
    statement: ast.If, guards: tuple[str, ...], conditions: tuple[str, ...], *, acts_later: bool
) -> Iterator[MethodEnding | _Path]:
    test, otherwise = ast.unparse(statement.test), negated(statement.test)
    if _only_raises(statement.body):
        acts = acts_later or _acts(statement.orelse)
        more = (*guards, otherwise) if acts else guards
        yield from _walk(statement.orelse, more, conditions, acts_after=acts_later)
    elif _only_raises(statement.orelse):
        yield from _walk(statement.body, (*guards, test), conditions, acts_after=acts_later)
    else:
        yield from _walk(statement.body, guards, (*conditions, test), acts_after=acts_later)
        yield from _walk(statement.orelse, guards, (*conditions, otherwise), acts_after=acts_later)


def _all(
    blocks: Sequence[Sequence[ast.stmt]], guards: tuple[str, ...], conditions: tuple[str, ...], acts_later: bool
) -> Iterator[MethodEnding | _Path]:
    """Each block may be what runs. Ways out of them at the end count once."""
    seen: set[_Path] = set()
    for block in blocks:
        for way in _walk(block, guards, conditions, acts_after=acts_later):
            if isinstance(way, MethodEnding):
                yield way
            elif way not in seen:
                seen.add(way)
                yield way


def _cases(
    subject: str,
    cases: Sequence[ast.match_case],
    guards: tuple[str, ...],
    conditions: tuple[str, ...],
    acts_later: bool,
) -> Iterator[MethodEnding | _Path]:
    for case in cases:
        which = f"{subject} is {ast.unparse(case.pattern)}"
        yield from _walk(case.body, guards, (*conditions, which), acts_after=acts_later)


def negated(test: ast.expr) -> str:
    """
    >>> negated(ast.parse("name in self.names", mode="eval").body)
    'name not in self.names'
    >>> negated(ast.parse("not self.problem", mode="eval").body)
    'self.problem'
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return ast.unparse(test.operand)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return ast.unparse(ast.Compare(test.left, [_OPPOSITES[type(test.ops[0])]()], test.comparators))
    return ast.unparse(ast.UnaryOp(ast.Not(), test))


def _only_raises(statements: Sequence[ast.stmt]) -> bool:
    return bool(statements) and isinstance(statements[-1], ast.Raise) and not _acts(statements[:-1])


def _acts(statements: Sequence[ast.stmt]) -> bool:
    """Whether something is done with the page: by a call without a result, or a method whose result is returned."""
    for statement in statements:
        for node in ast.walk(statement):
            match node:
                case ast.With() | ast.AsyncWith():
                    return True
                case ast.Expr(value=ast.Call() as call) if not _checks(call):
                    return True
                case ast.Return(value=ast.Call(func=ast.Attribute(attr=name))) if not name.lstrip("_")[:1].isupper():
                    return True
    return False


def _checks(call: ast.Call) -> bool:
    """Whether it is an assertion of a library, such as `expect(rows).to_have_count(1)`."""
    node: ast.expr = call
    while isinstance(node, ast.Call | ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
        name = last_name(node)
        if name.startswith(_CHECKING):
            return True
    return False


def _required(method: FunctionNode) -> Iterator[str]:
    for decorator in method.decorator_list:
        if isinstance(decorator, ast.Call) and last_name(decorator.func) == "requires":
            for argument in decorator.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value
                elif isinstance(argument, ast.Lambda):
                    yield ast.unparse(argument.body)
                else:
                    yield ast.unparse(argument)
