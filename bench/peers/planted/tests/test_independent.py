"""Tests that share state with others, and yet depend on none."""

import desk
import pytest


def test_region_for_one_test_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESK_REGION", "asia")
    assert desk.region() == "asia"


def test_price_of_nothing() -> None:
    assert desk.price(0) == 0
