"""The line of code in question with its neighbours, for a terminal."""

from dataclasses import dataclass

from unknot.model.recording import Frame, Stack
from unknot.model.sanitise import shown
from unknot.report.text.lines import Lines

_AROUND = 1
_MOST_COLUMNS = 160
_TAB = 4


@dataclass(frozen=True)
class Source:
    """A file of the user's as it is now; `text` is None if it is gone. `is_newer` says that it was changed after the
    recording, so that the line may be another now."""

    text: str | None
    is_newer: bool = False


@dataclass(frozen=True)
class CodeExcerpt:
    """`label` says what happens there: "written", "read"."""

    label: str
    frame: Frame
    source: Source


def users_frame(stack: Stack) -> Frame | None:
    """The innermost line of the user's own code: that is a file from the project's root."""
    return next((frame for frame in stack if not frame.file.startswith("/")), None)


def excerpt_lines(excerpt: CodeExcerpt) -> list[str]:
    """A header and the lines, the one in question marked. Guarantee: each is one printable line, whatever the file
    holds, and none is longer than a bounded length."""
    frame, text = excerpt.frame, excerpt.source.text
    header = f"{shown(frame.file)}:{frame.line}" + (f", in {shown(frame.function)}" if frame.function else "")
    if text is None:
        return [f"{header} (the file is gone)"]
    if excerpt.source.is_newer:
        header += " (the file was changed after the recording; this is what the line is now)"
    lines = text.split("\n")
    if not 0 < frame.line <= len(lines):
        return [f"{header} (the file has no such line now)"]
    first, last = max(1, frame.line - _AROUND), min(len(lines), frame.line + _AROUND)
    wide = len(str(last))
    shown_lines = [
        f"{'>' if number == frame.line else ' '} {number:>{wide}} | {_code(lines[number - 1])}".rstrip()
        for number in range(first, last + 1)
    ]
    return [header, *shown_lines]


def add_excerpt(lines: Lines, excerpt: CodeExcerpt) -> None:
    lines.field(excerpt.label, excerpt_lines(excerpt))


def _code(line: str) -> str:
    """Tabs, which would not print as they are, are spaces here."""
    visible = shown(line.rstrip("\r\n\f ").expandtabs(_TAB))
    return visible if len(visible) <= _MOST_COLUMNS else visible[: _MOST_COLUMNS - 1] + "…"
