"""Settings, read from the environment each time they are asked for."""

from __future__ import annotations

import os
from pathlib import Path

DEFAULT_VAT = 20
DEFAULT_BANNER = "Open all hours"


def var_dir() -> Path:
    """The folder for everything the shop writes, relative to where it is run."""
    return Path("var")


def vat_percent() -> int:
    """The rate of value added tax, from SHOP_VAT."""
    return int(os.environ.get("SHOP_VAT", DEFAULT_VAT))


def banner() -> str:
    """The line above the shop door, from SHOP_BANNER."""
    return os.environ.get("SHOP_BANNER", DEFAULT_BANNER)
