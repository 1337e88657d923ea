"""Parses JSON that may have been edited by hand, and trusts nothing in it."""

import json
from collections.abc import Mapping
from typing import Any

from unknot.model.sanitise import shown
from unknot.store.cursor import Fault


def parsed(text: str) -> Any:
    """The values in the text. Stricter than Python's own reader: no NaN, no key twice in one object. Raises Fault."""
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise Fault("", f"not JSON: {error.msg}, line {error.lineno} column {error.colno}") from error
    except RecursionError as error:
        raise Fault("", "not JSON of ours: nested too deeply") from error
    except ValueError as error:
        # A whole number of more digits than Python converts.
        raise Fault("", "not JSON of ours: a number too large") from error


def _no_constant(name: str) -> float:
    raise Fault("", f"not JSON: {name} is no number")


def _object(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Fault("", f'the key "{shown(key)}" stands twice in one object')
        found[key] = value
    return found
