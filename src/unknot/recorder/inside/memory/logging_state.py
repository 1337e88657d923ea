"""What tests leave changed in the tree of loggers."""

import logging
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import Any, cast

from unknot.recorder.inside.labels import label
from unknot.recorder.inside.memory.seen import Comparison, Seen, sign

ATTRIBUTES = ("level", "propagate", "disabled", "handlers", "filters")
DISABLE = "logging.root.manager.disable"

_AT_FIRST = dict(zip(ATTRIBUTES, ("NOTSET", "True", "False", "[]", "[]"), strict=True))
_PYTESTS = ("<_pytest.",)
_CAPTURING = "<_pytest.logging.LogCaptureHandler"

# Attributes are taken from the instance's dictionary, and lists by the methods of `list` itself: what a class of the
# suite makes of them is not asked. Nor is `isinstance` used, which asks objects for their `__class__`.
_contents_of = logging.Filterer.__dict__["__dict__"].__get__
_flags = itemgetter("level", "propagate", "disabled")
_handlers, _filters = itemgetter("handlers"), itemgetter("filters")
_each, _length = list.__iter__, list.__len__
_root, _Logger, _Handler, _level_name = logging.root, logging.Logger, logging.Handler, logging.getLevelName

Contents = dict[str, Any]


class LoggingState:
    """Levels, handlers, filters, `disabled` and `propagate` of every logger, and what `logging.disable` has set.

    Kind "memory", named as in `logging.getLogger('shop').level`. A logger that is made later was as new loggers are.
    pytest's own handlers, and the level that pytest sets together with them while a test runs, are left out.
    Never raises, runs none of the suite's code. A look costs about 1 µs for each logger when nothing has changed.
    """

    def __init__(self) -> None:
        self._key: object = None
        self._comparison = Comparison("memory", _at_first)

    def look(self) -> list[Seen]:
        """What differs from the former look. The first one is the clean state and says nothing."""
        seen = loggers()
        try:
            key = _key([*map(_contents_of, seen)])
        except (KeyError, TypeError):
            seen = [logger for logger in seen if _is_whole(_contents_of(logger))]
            key = _key([*map(_contents_of, seen)])
        if key == self._key:
            return []
        first, self._key = self._key is None, key
        values = _values(seen)
        if first:
            self._comparison.begin(values)
            return []
        return self._comparison.differences(values)


def loggers() -> list[logging.Logger]:
    """The root first, then in the order in which they were made."""
    named = cast(Iterable[logging.Logger], _root.manager.loggerDict.values())
    # Names between two others have a place holder.
    return [_root, *[logger for logger in named if issubclass(type(logger), _Logger)]]


def logging_sign(name: str) -> int:
    """The fingerprint of what is there now, for a name of `LoggingState`; 0 if nothing is. About 1 µs a logger."""
    if name == DISABLE:
        return sign(label(_disabled_below()))
    of, _, attribute = name.rpartition(".")
    for logger in loggers():
        if name_of(logger) == of:
            contents = _contents_of(logger)
            return sign(_shown(contents)[attribute]) if attribute in ATTRIBUTES and _is_whole(contents) else 0
    return 0


def name_of(logger: logging.Logger) -> str:
    """As in `logging.getLogger('shop')`; empty if somebody has given it a strange name."""
    name = _contents_of(logger).get("name")
    return "logging.getLogger()" if logger is _root else f"logging.getLogger({name!r})" if type(name) is str else ""


def _key(contents: list[Contents]) -> object:
    # Levels and truth values are one object each, so identity is enough, and runs nobody's __eq__.
    return (
        id(_disabled_below()),
        [*map(id, chain.from_iterable(map(_flags, contents)))],
        [*map(_length, map(_handlers, contents))],
        [*map(id, chain.from_iterable(map(_each, map(_handlers, contents))))],
        [*map(_length, map(_filters, contents))],
        [*map(id, chain.from_iterable(map(_each, map(_filters, contents))))],
    )


def _is_whole(contents: Contents) -> bool:
    return contents.keys() >= {*ATTRIBUTES} and all(
        issubclass(type(contents[each]), list) for each in ("handlers", "filters")
    )


def _disabled_below() -> object:
    return vars(_root.manager).get("_disable", 0)


def _values(seen: list[logging.Logger]) -> dict[str, str]:
    found = {DISABLE: label(_disabled_below())}
    for logger in seen:
        if name := name_of(logger):
            shown = _shown(_contents_of(logger))
            found.update((f"{name}.{attribute}", text) for attribute, text in shown.items())
    if _pytest_has_set_level():
        found.pop("logging.getLogger().level", None)
    return found


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


def _at_first(name: str) -> str | None:
    return _AT_FIRST.get(name.rpartition(".")[2])
