"""What tests leave changed in the tree of loggers, and which attributes logging reads."""

import logging
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import Any, cast

from unknot.recorder.inside.labels import label
from unknot.recorder.inside.process.state import SnapshotComparison, StateChange, fingerprint

ATTRIBUTES = ("level", "propagate", "disabled", "handlers", "filters")
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


class LoggingState:
    """Levels, handlers, filters, `disabled` and `propagate` of every logger, and the value set by `logging.disable`.

    Kind "memory", named as in `logging.getLogger('shop').level`. A logger that is made later starts with the defaults.
    pytest's own handlers, and the level that pytest sets together with them while a test runs, are left out.
    Never raises, runs none of the suite's code. Costs about 1 µs for each logger when nothing has changed.
    """

    def __init__(self) -> None:
        self._key: object = None
        self._comparison = SnapshotComparison("memory", _default)

    def compare(self) -> list[StateChange]:
        """What differs from the last snapshot. The first call takes the clean state and returns nothing."""
        found = loggers()
        try:
            key = _key([*map(_contents_of, found)])
        except (KeyError, TypeError):
            found = [logger for logger in found if _is_complete(_contents_of(logger))]
            key = _key([*map(_contents_of, found)])
        if key == self._key:
            return []
        first, self._key = self._key is None, key
        values = _values(found)
        if first:
            self._comparison.begin(values)
            return []
        return self._comparison.differences(values)


def loggers() -> list[logging.Logger]:
    """The root first, then in the order in which they were made."""
    named = cast(Iterable[logging.Logger], _root.manager.loggerDict.values())
    # A name between two others has a placeholder.
    return [_root, *[logger for logger in named if issubclass(type(logger), _Logger)]]


def logging_fingerprint(name: str) -> int:
    """Of the current content, for a name of `LoggingState`; 0 if it does not exist. About 1 µs a logger."""
    if name == DISABLE:
        return fingerprint(label(_disabled_below()))
    of, _, attribute = name.rpartition(".")
    for logger in loggers():
        if name_of(logger) == of:
            contents = _contents_of(logger)
            return fingerprint(_shown(contents)[attribute]) if attribute in ATTRIBUTES and _is_complete(contents) else 0
    return 0


def logging_slots(name: str) -> list[Slot]:
    """The attributes that code reads when it logs, for a name of `LoggingState`. Empty for any other name.

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


def _values(found: list[logging.Logger]) -> dict[str, str]:
    values = {DISABLE: label(_disabled_below())}
    for logger in found:
        if name := name_of(logger):
            shown = _shown(_contents_of(logger))
            values.update((f"{name}.{attribute}", text) for attribute, text in shown.items())
    if _pytest_has_set_level():
        values.pop("logging.getLogger().level", None)
    return values


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


def _default(name: str) -> str | None:
    return _DEFAULTS.get(name.rpartition(".")[2])
