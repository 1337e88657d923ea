"""Whose story a line of TAP belongs to that tells no test."""

import re
from collections.abc import Iterator

from unknot.runners.command.results.excerpt import StoryExcerpt
from unknot.runners.command.results.seconds import parse_seconds

_DURATION = re.compile(r"\s*duration_ms:\s*([0-9.eE+-]{1,30})\s*")
_SUBTEST = re.compile(r"\s*# Subtest\b|\s{4,}(?:ok\b|not ok\b|1\.\.[0-9])")


class TapStories:
    """Subtests stand before the test that they belong to, or in braces behind it; diagnostics and comments behind it.
    A wrong guess costs a story, never an outcome. `seconds` is what the diagnostics say, or 0."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._before: StoryExcerpt | None = None
        self._own: StoryExcerpt | None = None
        self._subtests: StoryExcerpt | None = None
        self._block = ""
        self._has_test = self._may_begin_block = self._in_braces = False

    @property
    def is_open(self) -> bool:
        """Whether a block of diagnostics has begun and not ended."""
        return bool(self._block)

    def begin(self, in_braces: bool) -> None:
        """A test's own line was read: what is waiting belongs to it."""
        self._before, self._own, self._subtests = self._subtests, None, None
        self.seconds, self._block = 0.0, ""
        self._has_test, self._may_begin_block, self._in_braces = True, True, in_braces

    def end(self) -> None:
        """What follows does not belong to the test that was begun."""
        self._has_test = False

    def texts(self) -> Iterator[str]:
        """The story of the test that was begun: what stood behind it, then its subtests."""
        for part in (self._own, self._before):
            if part is not None:
                yield part.text()

    def takes(self, line: str) -> bool:
        """Whether the line is part of a story; the others are the document's own."""
        is_indented, is_comment = line[:1] in (" ", "\t"), line.startswith("#")
        if self._block and (is_indented or not line):
            self._in_block(line)
            return True
        self._block = ""  # whoever was writing it has died, and another goes on
        if not is_indented and not is_comment:
            self._may_begin_block = False
            self._in_braces &= line.strip() != "}"
            return False
        if is_indented and self._may_begin_block and line.strip() == "---":
            self._block = line[: len(line) - len(line.lstrip())] + "..."
        elif not self._in_braces and _SUBTEST.match(line) and self._subtests is None:
            self._subtests = StoryExcerpt()
        elif self._subtests is not None:
            self._subtests.add_line(line)
        elif self._has_test:
            self._add_own(line[1:].removeprefix(" ") if is_comment else line)
        self._may_begin_block = False
        return True

    def _in_block(self, line: str) -> None:
        if line.rstrip() == self._block:
            self._block = ""
        elif (found := _DURATION.fullmatch(line)) and line.startswith(self._block[:-3] + "d"):
            self.seconds = parse_seconds(found[1]) / 1000
        else:
            self._add_own(line.removeprefix(self._block[:-3]))

    def _add_own(self, line: str) -> None:
        if self._own is None:
            self._own = StoryExcerpt()
        self._own.add_line(line)
