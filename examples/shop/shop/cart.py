"""Carts, and the carts that customers have open."""

from __future__ import annotations

from dataclasses import dataclass, field

from shop import catalogue, settings


class NoOpenCart(LookupError):
    """This customer has no open cart."""


@dataclass
class Cart:
    lines: dict[str, int] = field(default_factory=dict)

    def add(self, code: str, pieces: int = 1) -> None:
        catalogue.get(code)
        self.lines[code] = self.lines.get(code, 0) + pieces

    def net(self) -> int:
        return sum(catalogue.get(code).price * pieces for code, pieces in self.lines.items())

    def gross(self) -> int:
        """The total with value added tax, rounded down to a whole penny."""
        return self.net() * (100 + settings.vat_percent()) // 100


_open: dict[str, Cart] = {}


def open_for(customer: str) -> Cart:
    """Give the customer a new, empty cart."""
    _open[customer] = Cart()
    return _open[customer]


def of(customer: str) -> Cart:
    try:
        return _open[customer]
    except KeyError:
        raise NoOpenCart(customer) from None
