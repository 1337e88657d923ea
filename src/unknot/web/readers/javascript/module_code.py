"""What modules add to the small language: names from other files, and names for other files."""

from dataclasses import dataclass

from unknot.web.readers.syntax.code import Code


@dataclass(frozen=True, eq=False, repr=False)
class Import(Code):
    """`names` are pairs of the name there and the name here; "*" there is everything, as one object."""

    source: str
    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False, repr=False)
class Imported(Code):
    """One name of another file, found when it is read."""

    source: str
    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Export(Code):
    """`inner` declares something; `names` are pairs of the name here and the name for others. `source` is the file that
    the names are of, if it is another one; then "*" is all of them."""

    inner: Code | None
    names: tuple[tuple[str, str], ...] = ()
    source: str = ""
