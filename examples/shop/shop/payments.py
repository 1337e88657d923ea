"""Ways to pay. New ones are entered in a registry on the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


class UnknownMethod(LookupError):
    """This way to pay has not been registered."""


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
