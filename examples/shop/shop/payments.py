"""Ways to pay. New ones are entered in a registry on the class."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

_POLL_SECONDS = 0.05


class UnknownMethod(LookupError):
    """This way to pay has not been registered."""


class NoCard(Exception):
    """Nobody put a card into the terminal."""


@dataclass(frozen=True)
class PaymentMethod:
    name: str
    fee: int = 0

    registry: ClassVar[dict[str, PaymentMethod]] = {}

    @classmethod
    def register(cls, name: str, fee: int = 0) -> PaymentMethod:
        method = cls(name, fee)
        cls.registry[name] = method
        return method

    @classmethod
    def named(cls, name: str) -> PaymentMethod:
        try:
            return cls.registry[name]
        except KeyError:
            raise UnknownMethod(name) from None

    def charge(self, pence: int) -> int:
        return pence + self.fee


PaymentMethod.register("card", fee=30)


def wait_for_card(is_there: Callable[[], bool], seconds: float = 30.0) -> None:
    """Ask the terminal again and again until there is a card."""
    until = time.monotonic() + seconds
    while not is_there():
        if time.monotonic() > until:
            raise NoCard
        time.sleep(_POLL_SECONDS)
