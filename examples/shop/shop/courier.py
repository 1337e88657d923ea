"""Parcels, handed over to a courier whose service is not always there."""

from __future__ import annotations

import time
from collections.abc import Callable

Send = Callable[[str], str]
"""Sends an address to the courier; returns the number of the parcel."""

PAUSES = (0.05, 0.1, 0.15)
"""Seconds to wait after each failure before the next attempt."""


class CourierDown(Exception):
    """The courier cannot be reached."""


class UnknownParcel(LookupError):
    """No parcel with this number was handed over."""


_parcels: dict[str, str] = {}
_is_down = False


def book(address: str, send: Send) -> str:
    """Hand a parcel over and return its number.

    A courier that did not answer four times is not called again until `back_in_service`.
    """
    global _is_down
    if _is_down:
        raise CourierDown("not called again")
    for pause in (*PAUSES, None):
        try:
            number = send(address)
        except ConnectionError:
            if pause is not None:
                time.sleep(pause)
        else:
            _parcels[number] = address
            return number
    _is_down = True
    raise CourierDown("no answer")


def back_in_service() -> None:
    global _is_down
    _is_down = False


def is_down() -> bool:
    return _is_down


def destination(number: str) -> str:
    try:
        return _parcels[number]
    except KeyError:
        raise UnknownParcel(number) from None
