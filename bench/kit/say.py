"""Progress goes to stderr, so that stdout holds nothing but the result."""

import sys


def say(text: str) -> None:
    """One line about what is going on."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
