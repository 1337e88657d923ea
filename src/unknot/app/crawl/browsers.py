"""Playwright, where it is installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from unknot.model.errors import RunnerError

if TYPE_CHECKING:
    from playwright.sync_api import Playwright


@contextmanager
def open_playwright() -> "Iterator[Playwright]":
    """For use in this thread only. Raises RunnerError if it is not installed."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as problem:
        raise RunnerError(
            "Playwright is not installed",
            hint="Install it with `pip install 'unknot[web]'`; it needs no browser of its own.",
            slug="playwright-missing",
        ) from problem
    with sync_playwright() as playwright:
        yield playwright
