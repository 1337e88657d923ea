"""Names of kinds of pages."""

from collections.abc import Collection


def numbered(base: str, taken: Collection[str]) -> str:
    """The name, with a number if there is one like it.

    >>> numbered("/books", {"/books"})
    '/books (2)'
    """
    names = (f"{base} ({number})" for number in range(2, len(taken) + 3))
    return base if base not in taken else next(name for name in names if name not in taken)
