"""Short texts for things of the suite, made without running any of the suite's code."""

from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, cast

_module_of = type.__dict__["__module__"].__get__
_qualified_name_of = type.__dict__["__qualname__"].__get__
_contents_of_module = cast(Any, vars(ModuleType)["__dict__"]).__get__
_LONGEST = 200


def class_name(cls: type) -> str:
    """As in `shop.cart.Cart`. A metaclass that answers for `__module__` or `__qualname__` is not asked."""
    module = _module_of(cls)
    return f"{module}.{_qualified_name_of(cls)}" if type(module) is str else _text(_qualified_name_of(cls))


def module_contents(module: ModuleType) -> dict[str, object]:
    """The globals of a module, whatever its class makes of attribute access."""
    found: dict[str, object] = _contents_of_module(module)
    return found


def label(thing: object) -> str:
    """What a thing is: its name and line if it is a function, its name if it is a class, else the name of its class.

    The same in two processes that run the same code, so it can be compared between them. Costs about 1 µs.
    """
    kind = type(thing)
    if thing is None or kind in (bool, int, float, str, bytes):
        return repr(thing)[:_LONGEST]
    # Not isinstance, which asks objects for their `__class__`.
    if issubclass(kind, type):
        return class_name(cast(type, thing))
    if kind is MethodType:
        return label(cast(MethodType, thing).__func__)
    if kind is FunctionType:
        function = cast(FunctionType, thing)
        return f"{_text(function.__module__)}.{_text(function.__qualname__)} (line {function.__code__.co_firstlineno})"
    if kind is BuiltinFunctionType:
        builtin = cast(BuiltinFunctionType, thing)
        return f"{_text(builtin.__module__ or 'builtins')}.{_text(builtin.__name__)}"
    return f"<{class_name(kind)} object>"


def _text(name: object) -> str:
    return name if type(name) is str else "?"
