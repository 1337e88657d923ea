"""A line of code with its neighbours, for a terminal."""

from dataclasses import dataclass

from unknot.model.recording import Frame
from unknot.model.sanitise import shown

_AROUND = 1
_MOST_COLUMNS = 160
_TAB = 4


@dataclass(frozen=True)
class Source:
    """The current content of a user file; `text` is None if the file no longer exists. `is_newer`: it changed after the
    recording, so line numbers may have moved."""

    text: str | None
    is_newer: bool = False


@dataclass(frozen=True)
class CodeExcerpt:
    """`label` says what happens at this line: "written", "read"."""

    label: str
    frame: Frame
    source: Source


def excerpt_lines(excerpt: CodeExcerpt) -> list[str]:
    """A header and the lines, with the line of the frame marked. Guarantee: each is one printable line of bounded
    length, whatever the file contains."""
    frame, text = excerpt.frame, excerpt.source.text
    header = f"{shown(frame.file)}:{frame.line}" + (f", in {shown(frame.function)}" if frame.function else "")
    if text is None:
        return [f"{header} (file no longer exists)"]
    if excerpt.source.is_newer:
        header += " (file changed after the recording; current line shown)"
    lines = text.split("\n")
    if not 0 < frame.line <= len(lines):
        return [f"{header} (the file no longer has this line)"]
    first, last = max(1, frame.line - _AROUND), min(len(lines), frame.line + _AROUND)
    wide = len(str(last))
    shown_lines = [
        f"{'>' if number == frame.line else ' '} {number:>{wide}} | {_code(lines[number - 1])}".rstrip()
        for number in range(first, last + 1)
    ]
    return [header, *shown_lines]


def _code(line: str) -> str:
    """The line with tabs expanded, because tabs are not printable here."""
    visible = shown(line.rstrip("\r\n\f ").expandtabs(_TAB))
    return visible if len(visible) <= _MOST_COLUMNS else visible[: _MOST_COLUMNS - 1] + "…"
