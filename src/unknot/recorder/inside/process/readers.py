"""Which calls read the state of the process, as far as they can be recorded."""

import sys
from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from unknot.recorder.inside.labels import module_contents
from unknot.recorder.inside.process.logging_probe import logging_slots
from unknot.recorder.inside.process.random_probes import NUMPY, RANDOM
from unknot.recorder.inside.process.states import STATES, State

_SEEDING = {
    RANDOM: ("random", frozenset({"seed", "setstate"})),
    NUMPY: ("numpy.random", frozenset({"seed", "set_state", "set_bit_generator"})),
}
"""The functions of a module that seed its shared generator: all the others draw from it."""

Slot = tuple[object, str]
"""A module, class or other object, and the name of its attribute."""

_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType, type)


def readers(name: str, among: Iterable[ModuleType] = ()) -> list[Slot]:
    """The attributes whose access means that this state is about to be read: functions of imported modules, and the
    same functions under the names by which the modules in `among` have imported them.

    Chosen so that each access is listed once: `os.path.abspath` looks up `os.getcwd` when it needs it, and only then.
    Some are attributes of C classes, which may be impossible to watch.
    """
    resolved = [slot for path in _state(name).readers.split() if (slot := _slot(path)) is not None]
    slots = logging_slots(name) or resolved or _methods_of_generator(name) or _attribute(name)
    return [*slots, *_aliases(slots, among)]


def unseen_readers(name: str) -> str:
    """Which uses of this state cannot be recorded; empty if all can."""
    return _state(name).unseen


def _state(name: str) -> State:
    """`signal.getsignal(SIGUSR1)` belongs to `signal.getsignal()`."""
    return STATES.get(name) or STATES.get(f"{name.partition('(')[0]}()") or State()


def _slot(path: str) -> Slot | None:
    """None if its module is not imported; this imports none."""
    module_name, _, attribute = path.partition(":")
    holder: object = sys.modules.get(module_name)
    cls, _, method = attribute.rpartition(".")
    if cls:
        holder, attribute = _contents(holder).get(cls), method
    return (holder, attribute) if attribute in _contents(holder) else None


def _contents(holder: object) -> dict[str, object]:
    if issubclass(type(holder), ModuleType):
        return module_contents(holder)  # type: ignore[arg-type]
    return dict(type.__dict__["__dict__"].__get__(holder)) if issubclass(type(holder), type) else {}


def _methods_of_generator(name: str) -> list[Slot]:
    """`random.choice` and similar functions are bound methods of one hidden object."""
    module_name, seeding = _SEEDING.get(name, ("", frozenset()))
    module = sys.modules.get(module_name)
    if module is None:
        return []
    hidden = getattr(module, "_inst", None) or getattr(sys.modules.get("numpy.random.mtrand"), "_rand", None)
    bound: dict[str, Any] = {
        key: value for key, value in module_contents(module).items() if type(value) in (MethodType, BuiltinFunctionType)
    }
    return [(module, key) for key, value in bound.items() if value.__self__ is hidden and key not in seeding]


def _attribute(name: str) -> list[Slot]:
    """State that is itself an attribute of a module: `sys.excepthook`."""
    slot = _slot(":".join(name.rsplit(".", 1)))
    return [slot] if slot else []


def _aliases(slots: list[Slot], among: Iterable[ModuleType]) -> list[Slot]:
    """Only functions: an equal number or text in a module may be unrelated."""
    known = {id(_contents(holder).get(attribute)) for holder, attribute in slots}
    here = {(id(holder), attribute) for holder, attribute in slots}
    return [
        (module, key)
        for module in among
        for key, value in list(module_contents(module).items())
        if id(value) in known and type(value) in _FUNCTIONS and (id(module), key) not in here
    ]
