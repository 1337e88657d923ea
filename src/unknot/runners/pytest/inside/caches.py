"""Caches that are filled the same whoever comes first, and dear to fill again in every child."""

import contextlib
import sys


def fill_caches() -> None:
    """Hypothesis reads, or works out in seconds, a table of all characters when text is drawn for the first time."""
    charmap = sys.modules.get("hypothesis.internal.charmap")
    if charmap is not None:
        with contextlib.suppress(Exception):  # internals of another project: without them it is only slower
            charmap.charmap()
