"""Command lines that a reader copies into a shell."""

import shlex
from collections.abc import Iterable

from unknot.model.suite import Order


def printable_command(prefix: Iterable[str], order: Order) -> str:
    """The command that runs this order, on one line and without unprintable characters, for a terminal or a page.
    Guarantee: a shell reads back exactly the prefix and the ids.

    An argument that holds an unprintable character is quoted as `$'...'`, which bash, zsh, ksh and POSIX shells since
    2024 understand and which is harmless to the terminal that shows it.
    """
    return " ".join(_printable(argument) for argument in [*prefix, *order])


def _printable(argument: str) -> str:
    if argument.isprintable():
        return shlex.quote(argument)
    return "$'" + "".join(_ansi_c(char) for char in argument) + "'"


def _ansi_c(char: str) -> str:
    if char in "\\'":
        return "\\" + char
    if char.isprintable():
        return char
    # Octal, because it ends after three digits in every shell; a hexadecimal escape may swallow what follows it.
    # A lone surrogate is how Python holds a byte of a file name that is not UTF-8: the byte is what the shell needs.
    try:
        raw = char.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raw = char.encode("utf-8", "surrogatepass")
    return "".join(f"\\{byte:03o}" for byte in raw)
