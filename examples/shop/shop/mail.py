"""Mail to customers, sent no faster than the provider allows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from shop import cart

PER_SECOND = 20

Deliver = Callable[[str, str], None]
"""Delivers a text to an address."""


class Undeliverable(Exception):
    """An address was refused."""


def send_all(mails: Iterable[tuple[str, str]], deliver: Deliver) -> list[str]:
    """Send each mail, with a pause in between; the addresses that were refused."""
    refused = []
    for number, (address, text) in enumerate(mails):
        if number:
            time.sleep(1 / PER_SECOND)
        try:
            deliver(address, text)
        except Undeliverable:
            refused.append(address)
    return refused


def newsletter(addresses: Iterable[str], offers: Iterable[str]) -> list[tuple[str, str]]:
    text = "This week: " + ", ".join(offers)
    return [(address, text) for address in dict.fromkeys(addresses)]


def reminder(customer: str) -> str:
    """What is still in the customer's open cart."""
    lines = (f"{pieces} x {code}" for code, pieces in cart.of(customer).lines.items())
    return "Still in your cart: " + ", ".join(lines)
