"""Questions to the person at the terminal."""

import sys

from unknot.model.errors import UsageError


def check_terminal() -> None:
    """Raises UsageError where nobody is there to answer."""
    # Whoever starts us may have closed it altogether.
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "--review asks questions, and standard input is no terminal",
            hint='name the values instead: `--free-values VALUE`, or `free-values = ["…"]` in the configuration',
        )


def ask_in_terminal(question: str) -> str:
    """What was typed. Raises EOFError at the end of input."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
