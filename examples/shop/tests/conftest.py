"""Only what makes plain pytest repeatable: between tests nothing is tidied up, on purpose."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from shop import settings


@pytest.fixture(scope="session", autouse=True)
def fresh_shop() -> None:
    """Start without the files and the settings of an earlier run."""
    # Run from elsewhere, say from "/", the next line would remove another directory's var.
    if not Path("shop", "settings.py").is_file():
        raise RuntimeError("run these tests in the folder that holds pyproject.toml")
    shutil.rmtree(settings.var_dir(), ignore_errors=True)
    for name in [name for name in os.environ if name.startswith("SHOP_")]:
        del os.environ[name]
