"""Short texts that describe the suite's objects, made without running any of the suite's code."""

from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, cast

_module_of = type.__dict__["__module__"].__get__
_qualified_name_of = type.__dict__["__qualname__"].__get__
_contents_of_module = cast(Any, vars(ModuleType)["__dict__"]).__get__
_LONGEST = 200


def class_name(cls: type) -> str:
    """As in `shop.cart.Cart`. Bypasses a metaclass that overrides `__module__` or `__qualname__`."""
    module = _module_of(cls)
    return f"{module}.{_qualified_name_of(cls)}" if type(module) is str else _text(_qualified_name_of(cls))


def module_contents(module: ModuleType) -> dict[str, object]:
    """The globals of a module. Bypasses attribute access that its class overrides."""
    found: dict[str, object] = _contents_of_module(module)
    return found


def label(value: object) -> str:
    """What an object is: name and line of a function, name of a class, otherwise the name of the object's class.

    The same in two processes that run the same code, so labels can be compared between them. Costs about 1 µs.
    """
    kind = type(value)
    if value is None or kind in (bool, int, float, str, bytes):
        return repr(value)[:_LONGEST]
    # Not isinstance, which reads the object's `__class__`.
    if issubclass(kind, type):
        return class_name(cast(type, value))
    if kind is MethodType:
        return label(cast(MethodType, value).__func__)
    if kind is FunctionType:
        function = cast(FunctionType, value)
        return f"{_text(function.__module__)}.{_text(function.__qualname__)} (line {function.__code__.co_firstlineno})"
    if kind is BuiltinFunctionType:
        builtin = cast(BuiltinFunctionType, value)
        return f"{_text(builtin.__module__ or 'builtins')}.{_text(builtin.__name__)}"
    return f"<{class_name(kind)} object>"


def _text(name: object) -> str:
    return name if type(name) is str else "?"
