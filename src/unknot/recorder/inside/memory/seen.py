"""What differs from the look before."""

import hashlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

_LONGEST = 200


class Seen(NamedTuple):
    """A location whose content is another than at the former look.

    Signs are fingerprints of contents: of now, of the former look, and of the first look, which is the clean state.
    0 stands for what was not there. They can be compared between processes.
    """

    kind: str
    name: str
    shown: str
    sign: int
    sign_before: int
    sign_clean: int


class Comparison:
    """Remembers what was seen last and first, as texts by name."""

    def __init__(self, kind: str, at_first: Callable[[str], str | None] = lambda name: None) -> None:
        """`at_first` gives the content of a location of which nothing has been said so far; None: it is not there."""
        self._kind = kind
        self._at_first = at_first
        self._last: dict[str, str] = {}
        self._clean: dict[str, str] = {}

    def begin(self, values: Mapping[str, str]) -> None:
        self._last.update(values)
        self._clean.update(values)

    def last(self, name: str) -> str | None:
        return self._last.get(name, self._at_first(name))

    def clean(self, name: str) -> str | None:
        return self._clean.get(name, self._at_first(name))

    def differences(self, values: Mapping[str, str]) -> list[Seen]:
        """Names that are not among the values have not been looked at."""
        found = []
        for name, value in values.items():
            before = self.last(name)
            if value != before:
                signs = sign(value), sign(before), sign(self.clean(name))
                found.append(Seen(self._kind, name, value[:_LONGEST], *signs))
                self._last[name] = value
        return found


def sign(value: str | None) -> int:
    if value is None:
        return 0
    return int.from_bytes(hashlib.blake2b(value.encode(errors="replace"), digest_size=7).digest(), "big")
