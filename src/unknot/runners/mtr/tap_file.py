"""What came out of an order, as TAP that grows while mtr runs: where it breaks off is where mtr came to."""

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from unknot.model.outcome import Outcome
from unknot.runners.mtr.told import MtrResult


class TapFile:
    """One test after another, each whole or not at all as far as a reader is concerned."""

    def __init__(self, file: Path, tests: int) -> None:
        self._stream: TextIO = open(file, "w", encoding="utf-8")  # noqa: SIM115 - closed by close
        self._count = 0
        self._write(f"TAP version 14\n1..{tests}\n")

    def add(self, one: MtrResult) -> None:
        self._count += 1
        self._write("".join(f"{line}\n" for line in _lines(self._count, one)))

    def close(self) -> None:
        self._stream.close()

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _lines(number: int, one: MtrResult) -> Iterator[str]:
    word = "not ok" if one.outcome is Outcome.FAILED else "ok"
    line = f"{word} {number} - {one.test.replace('#', chr(92) + '#')}"
    story = one.story.splitlines()
    if one.outcome is Outcome.SKIPPED:
        line, story = f"{line} # SKIP {' '.join(story)}", []
    yield line
    yield from ("  ---", f"  duration_ms: {one.seconds * 1000:.0f}", "  ...")
    yield from (f"# {text}" for text in story)
