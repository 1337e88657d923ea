"""By which calls the state of the process is looked at and set, as far as that can be seen."""

import sys
from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from unknot.recorder.inside.labels import module_contents
from unknot.recorder.inside.memory.logging_uses import logging_slots
from unknot.recorder.inside.process.calls import READERS, SETTERS, UNSEEN
from unknot.recorder.inside.process.random_probes import NumpyRandomNumbers, RandomNumbers

Slot = tuple[object, str]
"""A module, class or other object, and the name of its attribute."""

_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType, type)


def readers(name: str, among: Iterable[ModuleType] = ()) -> list[Slot]:
    """The attributes whose reading means that somebody is about to look at this state: functions of modules that are
    imported, and the same functions under the names that the modules in `among` have imported them by.

    Chosen so that one road is named once: `os.path.abspath` looks up `os.getcwd` when it needs it, and only then.
    Some are attributes of C classes, which perhaps cannot be watched.
    """
    slots = logging_slots(name) or _resolved(READERS, name) or _methods_of_generator(name) or _attribute(name)
    return [*slots, *_also_known_as(slots, among)]


def setters(name: str, among: Iterable[ModuleType] = ()) -> list[Slot]:
    """The attributes whose reading means that somebody is about to set this state. What a test reads after that, is
    its own. Saving and restoring, as `os.umask` or `locale.setlocale` without a value do it, looks the same."""
    slots = _resolved(SETTERS, name)
    return [*slots, *_also_known_as(slots, among)]


def unseen_readers(name: str) -> str:
    """Who uses this state without being seen; empty if nobody does."""
    return UNSEEN.get(name) or UNSEEN.get(_general(name), "")


def _general(name: str) -> str:
    """`signal.getsignal(SIGUSR1)` is one of `signal.getsignal()`."""
    return f"{name.partition('(')[0]}()"


def _resolved(table: dict[str, str], name: str) -> list[Slot]:
    paths = table.get(name) or table.get(_general(name), "")
    return [slot for path in paths.split() if (slot := _slot(path)) is not None]


def _slot(path: str) -> Slot | None:
    """Modules that are not imported are not imported for this."""
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
    """`random.choice` and its like are methods of one hidden object, bound once and for all."""
    module_name, hidden = {
        RandomNumbers.NAME: ("random", getattr(sys.modules.get("random"), "_inst", None)),
        NumpyRandomNumbers.NAME: ("numpy.random", getattr(sys.modules.get("numpy.random.mtrand"), "_rand", None)),
    }.get(name, ("", None))
    if hidden is None:
        return []
    module = sys.modules[module_name]
    their = {attribute for _, attribute in setters(name)}
    bound: dict[str, Any] = {
        key: value for key, value in module_contents(module).items() if type(value) in (MethodType, BuiltinFunctionType)
    }
    return [(module, key) for key, value in bound.items() if value.__self__ is hidden and key not in their]


def _attribute(name: str) -> list[Slot]:
    """State that is itself an attribute of a module: `sys.excepthook`."""
    slot = _slot(":".join(name.rsplit(".", 1)))
    return [slot] if slot else []


def _also_known_as(slots: list[Slot], among: Iterable[ModuleType]) -> list[Slot]:
    """Only functions are looked for: a number or a text in a module may be anybody's."""
    known = {id(_contents(holder).get(attribute)) for holder, attribute in slots}
    here = {(id(holder), attribute) for holder, attribute in slots}
    return [
        (module, key)
        for module in among
        for key, value in list(module_contents(module).items())
        if id(value) in known and type(value) in _FUNCTIONS and (id(module), key) not in here
    ]
