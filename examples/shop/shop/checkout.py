"""From a cart to an order."""

from __future__ import annotations

from dataclasses import dataclass

from shop import accounts, audit, cart, catalogue, pricing
from shop.cart import Cart


class CreditRefused(Exception):
    """The account has too little credit for this order."""


@dataclass(frozen=True)
class Order:
    reference: int
    customer: str
    total: int
    express: bool = False


def open_till() -> None:
    """Make ready to sell: what is sold must be in the audit log."""
    audit.resume()


def place_order(customer: str, goods: Cart, express: bool = False) -> Order:
    for code, pieces in goods.lines.items():
        catalogue.take(code, pieces)
    order = Order(audit.next_reference(), customer, goods.net(), express)
    audit.record("order", f"{order.reference} by {customer}")
    return order


def order_on_credit(customer: str, email: str) -> Order:
    """Order what is in the customer's open cart and charge it to an account."""
    goods = cart.of(customer)
    if accounts.credit(email) < goods.net():
        raise CreditRefused(email)
    return place_order(customer, goods)


def total_with_code(customer: str, code: str) -> int:
    """What the customer's open cart would cost with a discount code."""
    return pricing.redeem(code, cart.of(customer).net())
