from __future__ import annotations

import os

import pytest

from shop import settings


def test_vat_from_environment() -> None:
    os.environ["SHOP_VAT"] = "7"
    assert settings.vat_percent() == 7


def test_vat_for_one_test_only(monkeypatch: pytest.MonkeyPatch) -> None:
    # The same variable as above, but put back at the end.
    monkeypatch.setenv("SHOP_VAT", "5")
    assert settings.vat_percent() == 5


def test_banner_is_taken_down_again() -> None:
    os.environ["SHOP_BANNER"] = "Sale"
    assert settings.banner() == "Sale"
    del os.environ["SHOP_BANNER"]
    assert settings.banner() == settings.DEFAULT_BANNER
