"""Which attributes of which loggers are read by whoever logs."""

import logging

from unknot.recorder.inside.memory.logging_state import ATTRIBUTES, DISABLE, loggers, name_of

Slot = tuple[object, str]


def logging_slots(name: str) -> list[Slot]:
    """For a name of `LoggingState`. Empty for any other.

    Loggers remember whether a level is enabled, for themselves, from what their ancestors say. So whoever looks at
    such a memory looks at the levels above it, too.
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
