"""Python's syntax trees in the intermediate language. Bottom-up, without recursion: code may be nested to any depth."""

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.python.code import (
    ImportCode,
    PythonClassCode,
    PythonFunctionCode,
    PythonSignature,
    SuperCode,
    WithCode,
)

_SKIPPED = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


def lowered(tree: ast.Module, file: str) -> c.CodeBlock:
    """The code of a module. Cost: linear in the tree."""
    return _Lowering(file).module(tree)


class _Lowering:
    def __init__(self, file: str) -> None:
        self.file = file
        self._made: dict[int, c.Code] = {}

    def module(self, tree: ast.Module) -> c.CodeBlock:
        waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
        while waiting:
            node, is_done = waiting.pop()
            if is_done:
                self._made[id(node)] = _BUILDERS.get(type(node), _plain)(self, node)
                continue
            waiting.append((node, True))
            children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, _SKIPPED)]
            waiting.extend((child, False) for child in reversed(children))
        return self.block(tree.body, 1)

    def of(self, node: ast.AST | None) -> c.Code:
        return c.NOTHING if node is None else self._made[id(node)]

    def all(self, nodes: Sequence[ast.AST]) -> tuple[c.Code, ...]:
        return tuple(self._made[id(node)] for node in nodes)

    def block(self, nodes: Sequence[ast.stmt], line: int) -> c.CodeBlock:
        return c.CodeBlock(line, self.all(nodes), has_scope=False)


def _plain(lowering: _Lowering, node: ast.AST) -> c.Code:
    """Code without a meaning of its own: its expressions are evaluated for their texts."""
    parts = [lowering.of(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return c.Together(getattr(node, "lineno", 0), tuple(parts))


def _constant(_lowering: _Lowering, node: ast.Constant) -> c.Code:
    if node.value is Ellipsis:
        return c.Nothing(node.lineno)
    return literal(node.value, node.lineno)


def literal(value: Any, line: int) -> c.Literal:
    return c.Literal(line, value) if isinstance(value, str) else c.Literal(line, written(value), False, value)


def written(value: object) -> str:
    """As `str` writes it; an integer of thousands of digits is not written."""
    try:
        return str(value)
    except ValueError:
        return ""


def _name(_lowering: _Lowering, node: ast.Name) -> c.Code:
    return c.Name(node.lineno, node.id)


def _attribute(lowering: _Lowering, node: ast.Attribute) -> c.Code:
    return c.Member(node.lineno, lowering.of(node.value), node.attr)


def _subscript(lowering: _Lowering, node: ast.Subscript) -> c.Code:
    of = lowering.of(node.value)
    if isinstance(node.slice, ast.Slice):
        bounds = (node.slice.lower, node.slice.upper, node.slice.step)
        none = literal(None, node.lineno)
        return c.Slice(node.lineno, of, tuple(none if bound is None else lowering.of(bound) for bound in bounds))
    return c.Index(node.lineno, of, lowering.of(node.slice))


def _call(lowering: _Lowering, node: ast.Call) -> c.Code:
    if isinstance(node.func, ast.Name) and node.func.id == "super":
        return SuperCode(node.lineno, lowering.all(node.args))
    keywords = tuple((keyword.arg, lowering.of(keyword.value)) for keyword in node.keywords)
    return c.Call(node.lineno, lowering.of(node.func), lowering.all(node.args), keywords)


def _joined_text(lowering: _Lowering, node: ast.JoinedStr) -> c.Code:
    """Its literal parts count as parts of the whole, not by themselves."""
    parts = (
        c.TextPiece(node.lineno, str(part.value)) if isinstance(part, ast.Constant) else lowering.of(part)
        for part in node.values
    )
    return c.Joined(node.lineno, tuple(parts))


def _formatted(lowering: _Lowering, node: ast.FormattedValue) -> c.Code:
    conversion = chr(node.conversion) if node.conversion > 0 else ""
    spec: str | None = ""
    if node.format_spec is not None:
        parts = node.format_spec.values if isinstance(node.format_spec, ast.JoinedStr) else []
        only = parts[0].value if len(parts) == 1 and isinstance(parts[0], ast.Constant) else None
        spec = only if isinstance(only, str) else None
    return c.Formatted(node.lineno, lowering.of(node.value), conversion, spec)


_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitOr: "|",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "==",
    ast.IsNot: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def _operation(lowering: _Lowering, node: ast.BinOp) -> c.Code:
    operator = _OPERATORS.get(type(node.op), "")
    return c.Operation(node.lineno, lowering.of(node.left), operator, lowering.of(node.right))


def _unary(lowering: _Lowering, node: ast.UnaryOp) -> c.Code:
    value = lowering.of(node.operand)
    if isinstance(node.op, ast.Not):
        return c.Not(node.lineno, value)
    if isinstance(node.op, ast.USub):
        return c.Operation(node.lineno, literal(0, node.lineno), "-", value)
    return c.Together(node.lineno, (value,))


def _logic(lowering: _Lowering, node: ast.BoolOp) -> c.Code:
    return c.Logic(node.lineno, lowering.all(node.values), isinstance(node.op, ast.Or))


def _conditional(lowering: _Lowering, node: ast.IfExp) -> c.Code:
    options = (lowering.of(node.body), lowering.of(node.orelse))
    return c.Either(node.lineno, options, lowering.of(node.test))


def _comparison(lowering: _Lowering, node: ast.Compare) -> c.Code:
    operators = tuple(_OPERATORS.get(type(each), "") for each in node.ops)
    return c.Compared(node.lineno, lowering.all((node.left, *node.comparators)), operators)


def _sequence(lowering: _Lowering, node: ast.List | ast.Tuple | ast.Set) -> c.Code:
    parts = lowering.all(node.elts)
    is_target = isinstance(getattr(node, "ctx", None), ast.Store)
    return c.Unpack(node.lineno, parts) if is_target else c.ListOf(node.lineno, parts)


def _mapping(lowering: _Lowering, node: ast.Dict) -> c.Code:
    keys = [None if key is None else lowering.of(key) for key in node.keys]
    return c.RecordOf(node.lineno, tuple(zip(keys, lowering.all(node.values), strict=True)))


def _comprehension(lowering: _Lowering, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> c.Code:
    generators = tuple(
        c.Generator(node.lineno, lowering.of(each.target), lowering.of(each.iter), lowering.all(each.ifs))
        for each in node.generators
    )
    if isinstance(node, ast.DictComp):
        return c.Comprehension(node.lineno, lowering.of(node.value), generators, lowering.of(node.key))
    return c.Comprehension(node.lineno, lowering.of(node.elt), generators)


def _value(lowering: _Lowering, node: ast.Await) -> c.Code:
    return lowering.of(node.value)


def _starred(lowering: _Lowering, node: ast.Starred) -> c.Code:
    return c.Spread(node.lineno, lowering.of(node.value), is_open=True)


def _named(lowering: _Lowering, node: ast.NamedExpr) -> c.Code:
    return c.Declare(node.lineno, lowering.of(node.target), lowering.of(node.value))


def _yield(lowering: _Lowering, node: ast.Yield | ast.YieldFrom) -> c.Code:
    value = None if node.value is None else lowering.of(node.value)
    return c.Yield(node.lineno, value, isinstance(node, ast.YieldFrom))


def _expression(lowering: _Lowering, node: ast.Expr) -> c.Code:
    # A text that stands alone is a docstring or a comment.
    return c.NOTHING if isinstance(node.value, ast.Constant) else lowering.of(node.value)


def _assignment(lowering: _Lowering, node: ast.Assign) -> c.Code:
    targets = lowering.all(node.targets)
    target = targets[0] if len(targets) == 1 else c.Several(node.lineno, targets)
    return c.Declare(node.lineno, target, lowering.of(node.value))


def _annotated(lowering: _Lowering, node: ast.AnnAssign) -> c.Code:
    if node.value is None:
        return c.NOTHING
    return c.Declare(node.lineno, lowering.of(node.target), lowering.of(node.value))


def _augmented(lowering: _Lowering, node: ast.AugAssign) -> c.Code:
    target = lowering.of(node.target)
    operator = _OPERATORS.get(type(node.op), "")
    # The old value is read by itself: it is not the beginning of a longer sum.
    old = c.After(node.lineno, c.NOTHING, target) if isinstance(target, c.Operation) else target
    return c.Declare(node.lineno, target, c.Operation(node.lineno, old, operator, lowering.of(node.value)))


def _return(lowering: _Lowering, node: ast.Return) -> c.Code:
    return c.Return(node.lineno, None if node.value is None else lowering.of(node.value))


def _raise(lowering: _Lowering, node: ast.Raise) -> c.Code:
    return c.Leave(node.lineno, _plain(lowering, node))


def _jump(_lowering: _Lowering, node: ast.Break | ast.Continue) -> c.Code:
    return c.Leave(node.lineno)


def _if(lowering: _Lowering, node: ast.If) -> c.Code:
    condition = lowering.of(node.test)
    is_main = isinstance(node.test, ast.Compare) and isinstance(node.test.left, ast.Name)
    if is_main and node.test.left.id == "__name__":  # type: ignore[attr-defined]
        return condition
    arms = (lowering.block(node.body, node.lineno), lowering.block(node.orelse, node.lineno))
    return c.Branch(node.lineno, condition, arms, covers_all=True, is_choice=True)


def _for(lowering: _Lowering, node: ast.For | ast.AsyncFor) -> c.Code:
    body = lowering.block(node.body, node.lineno)
    loop = c.Loop(
        node.lineno, lowering.of(node.target), lowering.of(node.iter), body, assigned=_assigned_names(node.body)
    )
    return _with_else(lowering, loop, node.orelse)


def _while(lowering: _Lowering, node: ast.While) -> c.Code:
    body = lowering.block(node.body, node.lineno)
    is_endless = isinstance(node.test, ast.Constant)
    loop = c.While(node.lineno, lowering.of(node.test), body, _assigned_names(node.body), is_endless)
    return _with_else(lowering, loop, node.orelse)


def _with_else(lowering: _Lowering, loop: c.Code, otherwise: list[ast.stmt]) -> c.Code:
    """The `else` of a loop runs unless a break left it, which is not known."""
    if not otherwise:
        return loop
    arm = lowering.block(otherwise, loop.line)
    return c.CodeBlock(loop.line, (loop, c.Branch(loop.line, c.NOTHING, (arm,))), has_scope=False)


def _assigned_names(body: list[ast.stmt]) -> frozenset[str]:
    nodes = (each for statement in body for each in ast.walk(statement))
    return frozenset(each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))


def _with(lowering: _Lowering, node: ast.With | ast.AsyncWith) -> c.Code:
    managers = tuple(
        (lowering.of(item.context_expr), None if item.optional_vars is None else lowering.of(item.optional_vars))
        for item in node.items
    )
    return WithCode(node.lineno, managers, lowering.block(node.body, node.lineno))


def _try(lowering: _Lowering, node: ast.Try) -> c.Code:
    handlers = []
    for handler in node.handlers:
        steps: list[c.Code] = [] if handler.type is None else [lowering.of(handler.type)]
        if handler.name:
            steps.append(c.Declare(handler.lineno, c.Name(handler.lineno, handler.name), c.NOTHING))
        steps.append(lowering.block(handler.body, handler.lineno))
        handlers.append(c.CodeBlock(handler.lineno, tuple(steps), has_scope=False))
    line = node.lineno
    otherwise, final = lowering.block(node.orelse, line), lowering.block(node.finalbody, line)
    return c.Try(line, lowering.block(node.body, line), tuple(handlers), otherwise, final)


def _match(lowering: _Lowering, node: ast.Match) -> c.Code:
    subject = c.Name(node.lineno, "match subject")
    steps: list[c.Code] = [c.Declare(node.lineno, subject, lowering.of(node.subject))]
    for case in node.cases:
        for each in ast.walk(case.pattern):
            if isinstance(each, ast.MatchValue):
                steps.append(lowering.of(each.value))
                continue
            name = each.rest if isinstance(each, ast.MatchMapping) else getattr(each, "name", None)
            if name:
                value = subject if each is case.pattern else c.NOTHING
                steps.append(c.Declare(node.lineno, c.Name(node.lineno, name), value))
    arms = tuple(lowering.block(case.body, node.lineno) for case in node.cases)
    return c.CodeBlock(node.lineno, (*steps, c.Branch(node.lineno, c.NOTHING, arms)), has_scope=False)


def _outer_names(_lowering: _Lowering, node: ast.Global | ast.Nonlocal) -> c.Code:
    return c.OuterNames(node.lineno, tuple(node.names))


def _lambda(lowering: _Lowering, node: ast.Lambda) -> c.Code:
    return _function_code(lowering, node, "<lambda>", c.Return(node.lineno, lowering.of(node.body)))


def _function(lowering: _Lowering, node: ast.FunctionDef | ast.AsyncFunctionDef) -> c.Code:
    made = _function_code(lowering, node, node.name, lowering.block(node.body, node.lineno))
    return c.Declare(node.lineno, c.Name(node.lineno, node.name), made)


def _function_code(
    lowering: _Lowering, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, name: str, body: c.Code
) -> PythonFunctionCode:
    declared = node.args
    positional = [*declared.posonlyargs, *declared.args]
    signature = PythonSignature(
        tuple(each.arg for each in positional),
        tuple(each.arg for each in declared.kwonlyargs),
        declared.vararg.arg if declared.vararg else "",
        declared.kwarg.arg if declared.kwarg else "",
    )
    annotations = {}
    for each in (*positional, *declared.kwonlyargs):
        named = _class_named(lowering, each.annotation)
        if named is not None:
            annotations[each.arg] = named
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    accessors = [each.attr for each in decorators if isinstance(each, ast.Attribute)]
    return PythonFunctionCode(
        node.lineno,
        name,
        lowering.file,
        (),
        body,
        signature=signature,
        defaults=lowering.all(declared.defaults),
        keyword_defaults=tuple(None if each is None else lowering.of(each) for each in declared.kw_defaults),
        annotations=annotations,
        decorators=lowering.all(decorators),
        accessor=next((each for each in accessors if each in ("setter", "deleter")), ""),
    )


def _class_named(lowering: _Lowering, annotation: ast.expr | None) -> c.Code | None:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str) and annotation.value.isidentifier():
        return c.Name(annotation.lineno, annotation.value)
    return lowering.of(annotation) if isinstance(annotation, ast.Name | ast.Attribute) else None


def _class(lowering: _Lowering, node: ast.ClassDef) -> c.Code:
    targets = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
    made = PythonClassCode(
        node.lineno,
        node.name,
        lowering.file,
        bases=lowering.all(node.bases),
        keywords=tuple(lowering.of(keyword.value) for keyword in node.keywords),
        decorators=lowering.all(node.decorator_list),
        body=lowering.block(node.body, node.lineno),
        fields=tuple(target.id for target in targets if isinstance(target, ast.Name)),
    )
    return c.Declare(node.lineno, c.Name(node.lineno, node.name), made)


def _import(_lowering: _Lowering, node: ast.Import) -> c.Code:
    return c.CodeBlock(node.lineno, tuple(_modules(node)), has_scope=False)


def _modules(node: ast.Import) -> Iterator[c.Code]:
    for alias in node.names:
        dotted = alias.name if alias.asname else alias.name.partition(".")[0]
        yield ImportCode(node.lineno, dotted, (("", alias.asname or dotted),))


def _import_from(_lowering: _Lowering, node: ast.ImportFrom) -> c.Code:
    names = tuple((alias.name, alias.asname or alias.name) for alias in node.names)
    return ImportCode(node.lineno, node.module or "", names, node.level)


_BUILDERS: dict[type[ast.AST], Callable[[_Lowering, Any], c.Code]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.JoinedStr: _joined_text,
    ast.FormattedValue: _formatted,
    ast.BinOp: _operation,
    ast.UnaryOp: _unary,
    ast.BoolOp: _logic,
    ast.IfExp: _conditional,
    ast.Compare: _comparison,
    **dict.fromkeys((ast.List, ast.Tuple, ast.Set), _sequence),
    ast.Dict: _mapping,
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp), _comprehension),
    ast.Lambda: _lambda,
    ast.Await: _value,
    ast.Starred: _starred,
    ast.NamedExpr: _named,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.Expr: _expression,
    ast.Assign: _assignment,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Return: _return,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.Match: _match,
    ast.Raise: _raise,
    ast.Break: _jump,
    ast.Continue: _jump,
    ast.Global: _outer_names,
    ast.Nonlocal: _outer_names,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
}
