"""Plain module globals: rebound, added, removed; and immutable values in a container."""

import enum

LIMIT = 3
CURRENCY = "EUR"
LEGACY = "yes"
OPENING = (9, 18)


class Phase(enum.Enum):
    DRAFT = "draft"
    PAID = "paid"


STATUS = {"phase": Phase.DRAFT, "greeting": "hello", "retries": 1, "window": (1, 2), "colour": "red"}


def raise_limit(limit):
    global LIMIT
    LIMIT = limit  # writes: shop.settings.LIMIT


def is_within_limit(count):
    return count <= LIMIT  # reads: shop.settings.LIMIT
