from __future__ import annotations

from decimal import Decimal

import pytest

from shop import pricing
from shop.pricing import Discount


def test_price_in_euros() -> None:
    assert pricing.price_in("EUR", 1000) == Decimal("12.00")


def test_price_in_dollars() -> None:
    # Remembers the rate, but the bank gives the same one whichever test is first.
    assert pricing.price_in("USD", 2000) == Decimal("25.00")
    assert "USD" in pricing.remembered_rates()


def test_coupon_takes_a_fifth_off() -> None:
    assert pricing.price(10_000, Discount("coupon", 20)) == 8000


def test_codes_are_listed() -> None:
    assert pricing.codes() == ["SPRING25", "TEA10"]


def test_lookup_of_standard_code() -> None:
    assert pricing.lookup("SPRING25").percent == 25


def test_price_tag_shows_code(capsys: pytest.CaptureFixture[str]) -> None:
    pricing.print_price_tag("Mug", 850, "TEA10")
    assert capsys.readouterr().out == "Mug: 8.50, with TEA10 7.65\n"


def test_rate_of_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    # The function is put back at the end; the rate it gave stays remembered.
    pricing.refresh_rates()
    monkeypatch.setattr(pricing, "fetch_rate", lambda currency: Decimal("2"))
    assert pricing.price_in("EUR", 1000) == Decimal("20.00")


def test_refresh_forgets_rates() -> None:
    pricing.refresh_rates()
    assert pricing.remembered_rates() == []


def test_loyalty_discount() -> None:
    pricing.add_automatic(Discount("loyalty", 5))
    assert pricing.price(10_000) == 9500


def test_discounts_add_up() -> None:
    pricing.allow_stacking()
    assert pricing.combined_percent([Discount("one", 10), Discount("two", 15)]) == 25
