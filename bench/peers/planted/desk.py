"""The state that the planted tests share: a help desk whose accounts, settings and queue live in this module."""

from __future__ import annotations

import os

accounts: set[str] = set()
sessions: set[str] = set()
export: dict[str, str] = {}
plugins: list[str] = []
settings = {"currency": "EUR"}
discounts: dict[str, int] = {}
queue: list[str] = []
switches = {"muted": False}


def load_plugins() -> list[str]:
    """Filled when first used, like many registries."""
    if not plugins:
        plugins.append("mail")
    return plugins


def price(amount: int) -> int:
    """Discounts add up, but never to more than half."""
    return amount - amount * min(50, sum(discounts.values())) // 100


def region() -> str:
    """Where tickets are kept."""
    return os.environ.get("DESK_REGION", "eu")


def warn(text: str) -> str:
    """The warning as shown; empty while warnings are muted."""
    return "" if switches["muted"] else f"warning: {text}"
