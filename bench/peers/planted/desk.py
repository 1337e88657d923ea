"""The state that the planted tests share: a help desk whose settings, sessions and queue live in this module."""

import os
from typing import Dict, List, Optional, Set  # noqa: UP035 - runs on Python 3.9 and later

accounts: Set[str] = set()  # noqa: UP006
sessions: Set[str] = set()  # noqa: UP006
export: Dict[str, str] = {}  # noqa: UP006
plugins: List[str] = []  # noqa: UP006
settings: Dict[str, str] = {"currency": "EUR"}  # noqa: UP006
discounts: Dict[str, int] = {}  # noqa: UP006
queue: List[str] = []  # noqa: UP006
muted = False


def load_plugins() -> List[str]:  # noqa: UP006
    """Filled when first used, like many registries."""
    if not plugins:
        plugins.append("mail")
    return plugins


def price(amount: int) -> int:
    """No more than half is ever taken off; two discounts of 30 % together reach that."""
    return amount - amount * min(50, sum(discounts.values())) // 100


def region() -> str:
    """Where tickets are kept."""
    return os.environ.get("DESK_REGION", "eu")


def warn(text: str) -> Optional[str]:  # noqa: UP045
    """The text of the warning, or nothing when warnings are muted."""
    return None if muted else f"warning: {text}"
