"""Source maps: from what a browser ran back to what was written. Format: ECMA-426, version 3."""

import hashlib
import json
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from unknot.model.web.code_coverage import Ranges, merged

_DIGITS = {char: value for value, char in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
_CONTINUES, _BITS, _MOST_BITS = 32, 5, 60


class BadSourceMap(ValueError):
    """It cannot be read, or does not hold the sources."""


def vlq_numbers(text: str) -> Iterator[int]:
    """The numbers of a segment of `mappings`: base 64, five bits a digit, the sign in the lowest bit.

    >>> list(vlq_numbers("AAgBC"))
    [0, 0, 16, 1]
    """
    value = shift = 0
    for char in text:
        if char not in _DIGITS:
            raise BadSourceMap(f"there is no digit {char!r}")
        if shift > _MOST_BITS:
            raise BadSourceMap("a number is too large")
        digit = _DIGITS[char]
        value |= (digit & ~_CONTINUES) << shift
        shift += _BITS
        if not digit & _CONTINUES:
            yield -(value >> 1) if value & 1 else value >> 1
            value = shift = 0


def content_name(path: str, content: str) -> str:
    """The path and a digest: other content is other code."""
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{path}#{digest[:12]}"


class MappedScript:
    """A script with its map.

    Idea
        The positions that the map knows cut each source into pieces, from one to the next, the last to its end. A piece
        ran if anything ran that was made of it. What is before the first one, or made no code, such as types, belongs
        to the piece before it, or to none.
    Assumptions
        The map holds the contents of its sources, and is not one of sections.
    Cost
        Linear in the map once; then a search for each range, and the pieces in it.
    """

    def __init__(self, script: str, source_map: str, own: Callable[[str], str]) -> None:
        """`own` says under which path a source is known; an empty one leaves it out. Raises BadSourceMap."""
        try:
            read = json.loads(source_map.removeprefix(")]}'"))
            sources, contents, mappings = read["sources"], read["sourcesContent"], read["mappings"]
            texts = {number: str(contents[number]) for number, name in enumerate(sources) if own(str(name))}
            names = {number: content_name(own(str(sources[number])), text) for number, text in texts.items()}
            self._read(script, str(mappings), texts, names)
        except (ValueError, KeyError, IndexError, TypeError, RecursionError) as problem:
            raise BadSourceMap(str(problem)) from problem

    def _read(self, script: str, mappings: str, texts: dict[int, str], names: dict[int, str]) -> None:
        starts = line_starts(script)
        source_starts = {number: line_starts(text) for number, text in texts.items()}
        self._offsets: list[int] = []
        """Where in the script segments begin; and what each was made of."""
        self._origins: list[tuple[str, int] | None] = []
        positions: defaultdict[str, set[int]] = defaultdict(set)
        source = line = column = 0
        for number, segments in enumerate(mappings.split(";")):
            if number >= len(starts):
                break
            place = 0
            for segment in filter(None, segments.split(",")):
                given = list(vlq_numbers(segment))
                place += given[0]
                origin = None
                if len(given) >= 4:
                    source, line, column = source + given[1], line + given[2], column + given[3]
                    if source in names:
                        origin = names[source], source_starts[source][line] + column
                        positions[origin[0]].add(origin[1])
                self._offsets.append(starts[number] + place)
                self._origins.append(origin)
        if self._offsets != sorted(self._offsets):
            raise BadSourceMap("segments are not in sequence")
        ends = {names[number]: each[-1] for number, each in source_starts.items()}
        self._borders = {name: (*sorted(each), ends[name]) for name, each in positions.items()}

    def known(self) -> dict[str, Ranges]:
        """All pieces of all own sources."""
        ranges = {name: merged([(borders[0], borders[-1])]) for name, borders in self._borders.items()}
        return {name: each for name, each in ranges.items() if each}

    def original(self, ranges: Ranges) -> dict[str, Ranges]:
        """The pieces of own sources that ranges of the script were made of."""
        found: defaultdict[str, set[int]] = defaultdict(set)
        for start, end in ranges:
            first = max(bisect_right(self._offsets, start) - 1, 0)
            for origin in self._origins[first : bisect_left(self._offsets, end)]:
                if origin is not None:
                    found[origin[0]].add(origin[1])
        pieces = {name: merged(self._piece(name, offset) for offset in offsets) for name, offsets in found.items()}
        return {name: each for name, each in pieces.items() if each}

    def origin(self, offset: int) -> tuple[str, int] | None:
        """The source and the offset in it that this offset of the script was made of."""
        place = bisect_right(self._offsets, offset) - 1
        return self._origins[place] if place >= 0 else None

    def _piece(self, name: str, offset: int) -> tuple[int, int]:
        borders = self._borders[name]
        return offset, borders[min(bisect_right(borders, offset), len(borders) - 1)]


def line_starts(text: str) -> Sequence[int]:
    """Offsets in UTF-16 units, as browsers and maps count: where each line begins, and the end of the text.

    >>> line_starts("ab\\nc")
    [0, 3, 4]
    """
    starts = [0]
    for line in text.split("\n"):
        units = len(line) if line.isascii() else len(line.encode("utf-16-le", "surrogatepass")) // 2
        starts.append(starts[-1] + units + 1)
    starts[-1] -= 1
    return starts
