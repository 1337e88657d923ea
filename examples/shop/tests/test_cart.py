from __future__ import annotations

from shop import cart


def test_open_cart() -> None:
    alice = cart.open_for("alice")
    alice.add("mug", 2)
    alice.add("kettle")
    assert len(alice.lines) == 2


def test_total_of_open_cart() -> None:
    assert cart.of("alice").net() == 2 * 850 + 3200


def test_gross_total_with_usual_vat() -> None:
    goods = cart.Cart()
    goods.add("mug")
    assert goods.gross() == 1020
