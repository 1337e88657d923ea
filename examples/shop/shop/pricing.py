"""Discounts, discount codes and exchange rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal


class UnknownCode(LookupError):
    """No discount has this code."""


@dataclass(frozen=True)
class Discount:
    name: str
    percent: int

    def off(self, pence: int) -> int:
        return pence * (100 - self.percent) // 100


# Discount codes. The standard codes are entered when a list of them is first wanted.

_codes: dict[str, Discount] = {}


def _load_standard_codes() -> None:
    for discount in (Discount("TEA10", 10), Discount("SPRING25", 25)):
        _codes.setdefault(discount.name, discount)


def codes() -> list[str]:
    _load_standard_codes()
    return sorted(_codes)


def lookup(code: str) -> Discount:
    _load_standard_codes()
    try:
        return _codes[code]
    except KeyError:
        raise UnknownCode(code) from None


def redeem(code: str, pence: int) -> int:
    """The price with this code, which takes the place of all other discounts."""
    return lookup(code).off(pence)


def print_price_tag(name: str, pence: int, code: str) -> None:
    reduced = redeem(code, pence)
    print(f"{name}: {pence / 100:.2f}, with {code} {reduced / 100:.2f}")


# Discounts that every customer gets, and whether discounts add up.

_automatic: list[Discount] = []
_stacking = False


def add_automatic(discount: Discount) -> None:
    _automatic.append(discount)


def allow_stacking() -> None:
    """From now on discounts add up; until then only the best one counts."""
    global _stacking
    _stacking = True


def combined_percent(discounts: Sequence[Discount]) -> int:
    percents = [discount.percent for discount in discounts]
    return sum(percents) if _stacking else max(percents, default=0)


def price(pence: int, *coupons: Discount) -> int:
    """The price with these coupons and all automatic discounts."""
    return pence * (100 - combined_percent([*_automatic, *coupons])) // 100


# Exchange rates, fetched once and then remembered.

_BANK = {"EUR": Decimal("1.20"), "USD": Decimal("1.25")}
_rates: dict[str, Decimal] = {}


def fetch_rate(currency: str) -> Decimal:
    """Ask the bank. This demonstration carries its own bank."""
    return _BANK[currency]


def rate(currency: str) -> Decimal:
    if currency not in _rates:
        _rates[currency] = fetch_rate(currency)
    return _rates[currency]


def refresh_rates() -> None:
    """Forget the rates, so that they are fetched again."""
    _rates.clear()


def remembered_rates() -> list[str]:
    return sorted(_rates)


def price_in(currency: str, pence: int) -> Decimal:
    return (Decimal(pence) / 100 * rate(currency)).quantize(Decimal("0.01"))
