"""What a call is given, and how the parameters of a function take it."""

import ast
from dataclasses import dataclass, field

from unknot.web.readers.python.speech import Place
from unknot.web.readers.python.things import UNKNOWN, Constant, Function, Keyed, Listed, Values


@dataclass(slots=True)
class Arguments:
    """`is_open` says that there may be more of which nothing is known."""

    place: Place
    positional: list[Values] = field(default_factory=list)
    keywords: dict[str, Values] = field(default_factory=dict)
    is_open: bool = False

    def after(self, *first: Values) -> "Arguments":
        return Arguments(self.place, [*first, *self.positional], self.keywords, self.is_open)

    def get(self, position: int, name: str = "") -> Values | None:
        if name in self.keywords:
            return self.keywords[name]
        return self.positional[position] if position < len(self.positional) else None

    @property
    def all(self) -> list[Values]:
        return [*self.positional, *self.keywords.values()]


def bound(function: Function, arguments: Arguments) -> dict[str, Values]:
    """Each parameter with its argument, its default, or nothing known. What does not fit is dropped."""
    declared = function.node.args
    names = [each.arg for each in (*declared.posonlyargs, *declared.args)]
    taken: dict[str, Values] = dict(zip(names[len(names) - len(function.defaults) :], function.defaults, strict=False))
    keyword_only = [each.arg for each in declared.kwonlyargs]
    taken |= dict(zip(keyword_only, function.keyword_defaults, strict=False))
    taken |= dict(zip(names, arguments.positional, strict=False))
    known = {*names, *keyword_only}
    taken |= {name: values for name, values in arguments.keywords.items() if name in known}
    if declared.vararg:
        taken[declared.vararg.arg] = (Listed(arguments.positional[len(names) :], _rest(arguments)),)
    if declared.kwarg:
        others: dict[Constant, Values] = {n: v for n, v in arguments.keywords.items() if n not in known}
        taken[declared.kwarg.arg] = (Keyed(others, _rest(arguments)),)
    return {name: taken.get(name) or UNKNOWN for name in (*names, *keyword_only)} | taken


def _rest(arguments: Arguments) -> Values:
    return UNKNOWN if arguments.is_open else ()


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    """Those that a caller must give, by name."""
    declared = node.args
    positional = [each.arg for each in (*declared.posonlyargs, *declared.args)]
    required = positional[: len(positional) - len(declared.defaults)]
    keyword_only = zip(declared.kwonlyargs, declared.kw_defaults, strict=True)
    return [*required, *(each.arg for each, default in keyword_only if default is None)]
