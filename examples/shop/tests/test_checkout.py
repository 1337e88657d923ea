from __future__ import annotations

import pytest

from shop import audit, catalogue, checkout
from shop.cart import Cart
from shop.payments import PaymentMethod


def test_open_till_resumes_audit() -> None:
    checkout.open_till()
    assert not audit.is_paused()


def test_order_is_audited() -> None:
    order = checkout.place_order("dora", Cart({"mug": 1}))
    assert audit.entries("order")[-1:] == [audit.Entry("order", f"{order.reference} by dora")]


def test_pay_by_voucher() -> None:
    # Stays in the registry, which no other test looks at.
    PaymentMethod.register("voucher")
    assert PaymentMethod.named("voucher").charge(1000) == 1000


def test_order_on_credit() -> None:
    order = checkout.order_on_credit("alice", "ada@example.org")
    assert order.total == 4900


def test_code_for_open_cart() -> None:
    assert checkout.total_with_code("alice", "TEA10") == 4410


@pytest.mark.parametrize("express", [False, True], ids=["standard", "express"])
def test_order_takes_lamp_from_stock(express: bool) -> None:
    before = catalogue.stock("lamp")
    checkout.place_order("edgar", Cart({"lamp": 1}), express=express)
    assert catalogue.stock("lamp") == before - 1


def test_references_increase() -> None:
    # The counter goes on from test to test; only the difference is asserted.
    first = audit.next_reference()
    assert audit.next_reference() == first + 1
