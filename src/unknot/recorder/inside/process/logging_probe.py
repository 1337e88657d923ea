"""What tests leave changed in the tree of loggers, and which attributes logging reads."""

import logging
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import Any, cast

from unknot.recorder.inside.labels import label
from unknot.recorder.inside.process.probes import Probe

ATTRIBUTES = ("level", "propagate", "disabled", "handlers", "filters")
LOGGING = "logging."
"""All names of this state begin so."""

DISABLE = "logging.root.manager.disable"

_DEFAULTS = dict(zip(ATTRIBUTES, ("NOTSET", "True", "False", "[]", "[]"), strict=True))
_PYTESTS = ("<_pytest.",)
_CAPTURING = "<_pytest.logging.LogCaptureHandler"

# Attributes are taken from the instance's dictionary, and lists by the methods of `list` itself, to bypass overrides in
# classes of the suite. Nor is `isinstance` used, which reads the object's `__class__`.
_contents_of = logging.Filterer.__dict__["__dict__"].__get__
_flags = itemgetter("level", "propagate", "disabled")
_handlers, _filters = itemgetter("handlers"), itemgetter("filters")
_each, _length = list.__iter__, list.__len__
_root, _Logger, _Handler, _level_name = logging.root, logging.Logger, logging.Handler, logging.getLevelName

Contents = dict[str, Any]
Slot = tuple[object, str]


class LoggingProbe(Probe):
    """Levels, handlers, filters, `disabled` and `propagate` of every logger, and the value set by `logging.disable`.

    Kind "memory", named as in `logging.getLogger('shop').level`. A logger that is made later starts with the defaults.
    pytest's own handlers, and the level that pytest sets together with them while a test runs, are left out; the level
    can be included, to find the line that sets it.
    Never raises, runs none of the suite's code. Costs about 1 µs for each logger when nothing has changed.
    """

    kind = "memory"

    def __init__(self, *, with_level_of_pytest: bool = False) -> None:
        self._with_level_of_pytest = with_level_of_pytest

    def key(self) -> object:
        found = [*map(_contents_of, loggers())]
        try:
            return _key(found)
        except (KeyError, TypeError):
            return _key([*filter(_is_complete, found)])

    def values(self) -> dict[str, str]:
        values = {DISABLE: label(_disabled_below())}
        for logger in loggers():
            name, contents = name_of(logger), _contents_of(logger)
            if name and _is_complete(contents):
                values.update((f"{name}.{attribute}", text) for attribute, text in _shown(contents).items())
        if not self._with_level_of_pytest and _pytest_has_set_level():
            values.pop("logging.getLogger().level", None)
        return values

    def default(self, name: str) -> str | None:
        return _DEFAULTS.get(name.rpartition(".")[2])


def loggers() -> list[logging.Logger]:
    """The root first, then in the order in which they were made."""
    named = cast(Iterable[logging.Logger], _root.manager.loggerDict.values())
    # A name between two others has a placeholder.
    return [_root, *[logger for logger in named if issubclass(type(logger), _Logger)]]


def logging_slots(name: str) -> list[Slot]:
    """The attributes that code reads when it logs, for a name of `LoggingProbe`. Empty for any other name.

    Loggers cache whether a level is enabled, from the levels of their ancestors. So reading such a cache also reads the
    levels above it.
    """
    if name == DISABLE:
        manager = logging.root.manager
        return [(manager, "disable"), (manager, "_disable"), *[(logger, "_cache") for logger in loggers()]]
    of, _, attribute = name.rpartition(".")
    if attribute not in ATTRIBUTES:
        return []
    logger = next((each for each in loggers() if name_of(each) == of), None)
    if logger is None:
        return []
    below = [(each, "_cache") for each in loggers() if attribute == "level" and _inherits(each, logger)]
    return [(logger, attribute), *below]


def _inherits(logger: logging.Logger, ancestor: logging.Logger) -> bool:
    """Whether the level of a logger is its ancestor's; a logger is its own ancestor."""
    each: logging.Logger | None = logger
    while each is not None:
        if each is ancestor:
            return True
        if each.level:
            return False
        each = each.parent
    return False


def name_of(logger: logging.Logger) -> str:
    """As in `logging.getLogger('shop')`; empty if its name is not a string."""
    name = _contents_of(logger).get("name")
    return "logging.getLogger()" if logger is _root else f"logging.getLogger({name!r})" if type(name) is str else ""


def _key(contents: list[Contents]) -> object:
    # Levels and booleans are one object each, so identity is enough, and runs no `__eq__`.
    return (
        id(_disabled_below()),
        [*map(id, chain.from_iterable(map(_flags, contents)))],
        [*map(_length, map(_handlers, contents))],
        [*map(id, chain.from_iterable(map(_each, map(_handlers, contents))))],
        [*map(_length, map(_filters, contents))],
        [*map(id, chain.from_iterable(map(_each, map(_filters, contents))))],
    )


def _is_complete(contents: Contents) -> bool:
    return contents.keys() >= {*ATTRIBUTES} and all(
        issubclass(type(contents[each]), list) for each in ("handlers", "filters")
    )


def _disabled_below() -> object:
    return vars(_root.manager).get("_disable", 0)


def _shown(contents: Contents) -> dict[str, str]:
    level = contents["level"]
    return {
        "level": str(_level_name(level)) if type(level) is int else label(level),
        "propagate": label(contents["propagate"]),
        "disabled": label(contents["disabled"]),
        "handlers": _list(map(_handler, _each(contents["handlers"]))),
        "filters": _list(map(label, _each(contents["filters"]))),
    }


def _handler(handler: object) -> str:
    level = _contents_of(handler).get("level") if issubclass(type(handler), _Handler) else None
    return f"{label(handler)} of level {_level_name(level)}" if type(level) is int and level else label(handler)


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(text for text in texts if not text.startswith(_PYTESTS))}]"


def _pytest_has_set_level() -> bool:
    """With `log_level` in its configuration, pytest changes the root's level for each phase of a test."""
    found = [each for each in _each(_root.handlers) if label(each).startswith(_CAPTURING)]
    return any(_contents_of(each).get("level") for each in found)
