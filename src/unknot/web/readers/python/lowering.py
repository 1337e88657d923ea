"""Python's syntax trees in the intermediate language, and what Python adds to it. Bottom-up, without recursion: code
may be nested to any depth."""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from unknot.web.readers.interpreter import code as c
from unknot.web.readers.interpreter.code import ClassCode, Code, FunctionCode


class PythonFunctionCode(FunctionCode):
    """`positional` and `keyword_only` name parameters; `rest` and `keyword_rest` are those with stars, or empty.
    `defaults` are those of the last positional parameters; None stands for a keyword without one. `annotations` are
    the classes that annotations of parameters name. `accessor` is "setter" or "deleter" of a property."""

    positional: tuple[str, ...] = ()
    keyword_only: tuple[str, ...] = ()
    rest: str = ""
    keyword_rest: str = ""
    defaults: tuple[Code, ...] = ()
    keyword_defaults: tuple[Code | None, ...] = ()
    annotations: Mapping[str, Code] = field(default_factory=dict)
    decorators: tuple[Code, ...] = ()
    accessor: str = ""

    @property
    def required(self) -> list[str]:
        """The parameters that a caller must give, by name."""
        positional = self.positional
        keyword_only = zip(self.keyword_only, self.keyword_defaults, strict=True)
        return [
            *positional[: len(positional) - len(self.defaults)],
            *(name for name, default in keyword_only if default is None),
        ]


class PythonClassCode(ClassCode):
    """`fields` are the annotated names of the body, in sequence."""

    bases: tuple[Code, ...] = ()
    keywords: tuple[Code, ...] = ()
    decorators: tuple[Code, ...] = ()
    body: Code | None = None
    fields: tuple[str, ...] = ()


class ImportCode(Code):
    """`names` are pairs of the name there, empty for the whole module, and the name here. `level` is the number of dots
    before the module."""

    module: str
    names: tuple[tuple[str, str], ...]
    level: int = 0


class WithCode(Code):
    """Pairs of a context manager and what `as` names."""

    managers: tuple[tuple[Code, Code | None], ...]
    body: Code


class SuperCode(Code):
    arguments: tuple[Code, ...]


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
                self._made[id(node)] = self._visit(node)
                continue
            waiting.append((node, True))
            children = [child for child in ast.iter_child_nodes(node) if not isinstance(child, _SKIPPED)]
            waiting.extend((child, False) for child in reversed(children))
        return self.block(tree.body, 1)

    def _visit(self, node: ast.AST) -> c.Code:
        visit: Callable[[ast.AST], c.Code] = getattr(self, f"visit_{type(node).__name__}", self._plain)
        return visit(node)

    def of(self, node: ast.AST | None) -> c.Code:
        return c.NOTHING if node is None else self._made[id(node)]

    def all(self, nodes: Sequence[ast.AST]) -> tuple[c.Code, ...]:
        return tuple(self._made[id(node)] for node in nodes)

    def block(self, nodes: Sequence[ast.stmt], line: int) -> c.CodeBlock:
        return c.CodeBlock(line, self.all(nodes), has_scope=False)

    def _plain(self, node: ast.AST) -> c.Code:
        """Code without a meaning of its own: its expressions are evaluated for their texts."""
        parts = [self.of(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        return c.Together(getattr(node, "lineno", 0), tuple(parts))

    def visit_Constant(self, node: ast.Constant) -> c.Code:
        if node.value is Ellipsis:
            return c.Nothing(node.lineno)
        return literal(node.value, node.lineno)

    def visit_Name(self, node: ast.Name) -> c.Code:
        return c.Name(node.lineno, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> c.Code:
        return c.Member(node.lineno, self.of(node.value), node.attr)

    def visit_Subscript(self, node: ast.Subscript) -> c.Code:
        of = self.of(node.value)
        if isinstance(node.slice, ast.Slice):
            bounds = (node.slice.lower, node.slice.upper, node.slice.step)
            none = literal(None, node.lineno)
            return c.Slice(node.lineno, of, tuple(none if bound is None else self.of(bound) for bound in bounds))
        return c.Index(node.lineno, of, self.of(node.slice))

    def visit_Call(self, node: ast.Call) -> c.Code:
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return SuperCode(node.lineno, self.all(node.args))
        keywords = tuple((keyword.arg, self.of(keyword.value)) for keyword in node.keywords)
        return c.Call(node.lineno, self.of(node.func), self.all(node.args), keywords)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> c.Code:
        """Its literal parts count as parts of the whole, not by themselves."""
        parts = (
            c.TextPiece(node.lineno, str(part.value)) if isinstance(part, ast.Constant) else self.of(part)
            for part in node.values
        )
        return c.Joined(node.lineno, tuple(parts))

    def visit_FormattedValue(self, node: ast.FormattedValue) -> c.Code:
        conversion = chr(node.conversion) if node.conversion > 0 else ""
        spec: str | None = ""
        if node.format_spec is not None:
            parts = node.format_spec.values if isinstance(node.format_spec, ast.JoinedStr) else []
            only = parts[0].value if len(parts) == 1 and isinstance(parts[0], ast.Constant) else None
            spec = only if isinstance(only, str) else None
        return c.Formatted(node.lineno, self.of(node.value), conversion, spec)

    def visit_BinOp(self, node: ast.BinOp) -> c.Code:
        operator = _OPERATORS.get(type(node.op), "")
        return c.Operation(node.lineno, self.of(node.left), operator, self.of(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> c.Code:
        value = self.of(node.operand)
        if isinstance(node.op, ast.Not):
            return c.Not(node.lineno, value)
        if isinstance(node.op, ast.USub):
            return c.Operation(node.lineno, literal(0, node.lineno), "-", value)
        return c.Together(node.lineno, (value,))

    def visit_BoolOp(self, node: ast.BoolOp) -> c.Code:
        return c.Logic(node.lineno, self.all(node.values), isinstance(node.op, ast.Or))

    def visit_IfExp(self, node: ast.IfExp) -> c.Code:
        options = (self.of(node.body), self.of(node.orelse))
        return c.Either(node.lineno, options, self.of(node.test))

    def visit_Compare(self, node: ast.Compare) -> c.Code:
        operators = tuple(_OPERATORS.get(type(each), "") for each in node.ops)
        return c.Compared(node.lineno, self.all((node.left, *node.comparators)), operators)

    def visit_List(self, node: ast.List | ast.Tuple | ast.Set) -> c.Code:
        parts = self.all(node.elts)
        is_target = isinstance(getattr(node, "ctx", None), ast.Store)
        return c.Unpack(node.lineno, parts) if is_target else c.ListOf(node.lineno, parts)

    visit_Tuple = visit_List
    visit_Set = visit_List

    def visit_Dict(self, node: ast.Dict) -> c.Code:
        keys = [None if key is None else self.of(key) for key in node.keys]
        return c.RecordOf(node.lineno, tuple(zip(keys, self.all(node.values), strict=True)))

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> c.Code:
        generators = tuple(
            c.Generator(node.lineno, self.of(each.target), self.of(each.iter), self.all(each.ifs))
            for each in node.generators
        )
        if isinstance(node, ast.DictComp):
            return c.Comprehension(node.lineno, self.of(node.value), generators, self.of(node.key))
        return c.Comprehension(node.lineno, self.of(node.elt), generators)

    visit_SetComp = visit_ListComp
    visit_GeneratorExp = visit_ListComp
    visit_DictComp = visit_ListComp

    def visit_Await(self, node: ast.Await) -> c.Code:
        return self.of(node.value)

    def visit_Starred(self, node: ast.Starred) -> c.Code:
        return c.Spread(node.lineno, self.of(node.value), is_open=True)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> c.Code:
        return c.Declare(node.lineno, self.of(node.target), self.of(node.value))

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> c.Code:
        value = None if node.value is None else self.of(node.value)
        return c.Yield(node.lineno, value, isinstance(node, ast.YieldFrom))

    visit_YieldFrom = visit_Yield

    def visit_Expr(self, node: ast.Expr) -> c.Code:
        # A text that stands alone is a docstring or a comment.
        return c.NOTHING if isinstance(node.value, ast.Constant) else self.of(node.value)

    def visit_Assign(self, node: ast.Assign) -> c.Code:
        targets = self.all(node.targets)
        target = targets[0] if len(targets) == 1 else c.Several(node.lineno, targets)
        return c.Declare(node.lineno, target, self.of(node.value))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> c.Code:
        if node.value is None:
            return c.NOTHING
        return c.Declare(node.lineno, self.of(node.target), self.of(node.value))

    def visit_AugAssign(self, node: ast.AugAssign) -> c.Code:
        target = self.of(node.target)
        operator = _OPERATORS.get(type(node.op), "")
        # The old value is read by itself: it is not the beginning of a longer sum.
        old = c.After(node.lineno, c.NOTHING, target) if isinstance(target, c.Operation) else target
        return c.Declare(node.lineno, target, c.Operation(node.lineno, old, operator, self.of(node.value)))

    def visit_Return(self, node: ast.Return) -> c.Code:
        return c.Return(node.lineno, None if node.value is None else self.of(node.value))

    def visit_Raise(self, node: ast.Raise) -> c.Code:
        return c.Leave(node.lineno, self._plain(node))

    def visit_Break(self, node: ast.Break | ast.Continue) -> c.Code:
        return c.Leave(node.lineno)

    visit_Continue = visit_Break

    def visit_If(self, node: ast.If) -> c.Code:
        condition = self.of(node.test)
        is_main = isinstance(node.test, ast.Compare) and isinstance(node.test.left, ast.Name)
        if is_main and node.test.left.id == "__name__":  # type: ignore[attr-defined]
            return condition
        arms = (self.block(node.body, node.lineno), self.block(node.orelse, node.lineno))
        return c.Branch(node.lineno, condition, arms, covers_all=True, is_choice=True)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> c.Code:
        body = self.block(node.body, node.lineno)
        loop = c.Loop(node.lineno, self.of(node.target), self.of(node.iter), body, assigned=_assigned_names(node.body))
        return self._with_else(loop, node.orelse)

    visit_AsyncFor = visit_For

    def visit_While(self, node: ast.While) -> c.Code:
        body = self.block(node.body, node.lineno)
        is_endless = isinstance(node.test, ast.Constant)
        loop = c.While(node.lineno, self.of(node.test), body, _assigned_names(node.body), is_endless)
        return self._with_else(loop, node.orelse)

    def _with_else(self, loop: c.Code, otherwise: list[ast.stmt]) -> c.Code:
        """The `else` of a loop runs unless a break left it, which is not known."""
        if not otherwise:
            return loop
        arm = self.block(otherwise, loop.line)
        return c.CodeBlock(loop.line, (loop, c.Branch(loop.line, c.NOTHING, (arm,))), has_scope=False)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> c.Code:
        managers = tuple(
            (self.of(item.context_expr), None if item.optional_vars is None else self.of(item.optional_vars))
            for item in node.items
        )
        return WithCode(node.lineno, managers, self.block(node.body, node.lineno))

    visit_AsyncWith = visit_With

    def visit_Try(self, node: ast.Try) -> c.Code:
        handlers = []
        for handler in node.handlers:
            steps: list[c.Code] = [] if handler.type is None else [self.of(handler.type)]
            if handler.name:
                steps.append(c.Declare(handler.lineno, c.Name(handler.lineno, handler.name), c.NOTHING))
            steps.append(self.block(handler.body, handler.lineno))
            handlers.append(c.CodeBlock(handler.lineno, tuple(steps), has_scope=False))
        line = node.lineno
        otherwise, final = self.block(node.orelse, line), self.block(node.finalbody, line)
        return c.Try(line, self.block(node.body, line), tuple(handlers), otherwise, final)

    visit_TryStar = visit_Try

    def visit_Match(self, node: ast.Match) -> c.Code:
        subject = c.Name(node.lineno, "match subject")
        steps: list[c.Code] = [c.Declare(node.lineno, subject, self.of(node.subject))]
        for case in node.cases:
            for each in ast.walk(case.pattern):
                if isinstance(each, ast.MatchValue):
                    steps.append(self.of(each.value))
                    continue
                name = each.rest if isinstance(each, ast.MatchMapping) else getattr(each, "name", None)
                if name:
                    value = subject if each is case.pattern else c.NOTHING
                    steps.append(c.Declare(node.lineno, c.Name(node.lineno, name), value))
        arms = tuple(self.block(case.body, node.lineno) for case in node.cases)
        return c.CodeBlock(node.lineno, (*steps, c.Branch(node.lineno, c.NOTHING, arms)), has_scope=False)

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> c.Code:
        return c.OuterNames(node.lineno, tuple(node.names))

    visit_Nonlocal = visit_Global

    def visit_Lambda(self, node: ast.Lambda) -> c.Code:
        return self._function_code(node, "<lambda>", c.Return(node.lineno, self.of(node.body)))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> c.Code:
        made = self._function_code(node, node.name, self.block(node.body, node.lineno))
        return c.Declare(node.lineno, c.Name(node.lineno, node.name), made)

    visit_AsyncFunctionDef = visit_FunctionDef

    def _function_code(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, name: str, body: c.Code
    ) -> PythonFunctionCode:
        declared = node.args
        positional = [*declared.posonlyargs, *declared.args]
        annotations = {}
        for each in (*positional, *declared.kwonlyargs):
            named = self._class_named(each.annotation)
            if named is not None:
                annotations[each.arg] = named
        decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
        accessors = [each.attr for each in decorators if isinstance(each, ast.Attribute)]
        return PythonFunctionCode(
            node.lineno,
            name,
            self.file,
            (),
            body,
            positional=tuple(each.arg for each in positional),
            keyword_only=tuple(each.arg for each in declared.kwonlyargs),
            rest=declared.vararg.arg if declared.vararg else "",
            keyword_rest=declared.kwarg.arg if declared.kwarg else "",
            defaults=self.all(declared.defaults),
            keyword_defaults=tuple(None if each is None else self.of(each) for each in declared.kw_defaults),
            annotations=annotations,
            decorators=self.all(decorators),
            accessor=next((each for each in accessors if each in ("setter", "deleter")), ""),
        )

    def _class_named(self, annotation: ast.expr | None) -> c.Code | None:
        if (
            isinstance(annotation, ast.Constant)
            and isinstance(annotation.value, str)
            and annotation.value.isidentifier()
        ):
            return c.Name(annotation.lineno, annotation.value)
        return self.of(annotation) if isinstance(annotation, ast.Name | ast.Attribute) else None

    def visit_ClassDef(self, node: ast.ClassDef) -> c.Code:
        targets = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
        made = PythonClassCode(
            node.lineno,
            node.name,
            self.file,
            bases=self.all(node.bases),
            keywords=tuple(self.of(keyword.value) for keyword in node.keywords),
            decorators=self.all(node.decorator_list),
            body=self.block(node.body, node.lineno),
            fields=tuple(target.id for target in targets if isinstance(target, ast.Name)),
        )
        return c.Declare(node.lineno, c.Name(node.lineno, node.name), made)

    def visit_Import(self, node: ast.Import) -> c.Code:
        return c.CodeBlock(node.lineno, tuple(_modules(node)), has_scope=False)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> c.Code:
        names = tuple((alias.name, alias.asname or alias.name) for alias in node.names)
        return ImportCode(node.lineno, node.module or "", names, node.level)


def literal(value: Any, line: int) -> c.Literal:
    return c.Literal(line, value) if isinstance(value, str) else c.Literal(line, written(value), False, value)


def written(value: object) -> str:
    """As `str` writes it; an integer of thousands of digits is not written."""
    try:
        return str(value)
    except ValueError:
        return ""


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


def _assigned_names(body: list[ast.stmt]) -> frozenset[str]:
    nodes = (each for statement in body for each in ast.walk(statement))
    return frozenset(each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))


def _modules(node: ast.Import) -> Iterator[c.Code]:
    for alias in node.names:
        dotted = alias.name if alias.asname else alias.name.partition(".")[0]
        yield ImportCode(node.lineno, dotted, (("", alias.asname or dotted),))
