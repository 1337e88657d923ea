"""The result of a verb: to standard output, or whole into a file."""

import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from unknot.report.text.lines import print_text
from unknot.store.atomic import write_atomically


def emit(text: str, output: Path | None) -> None:
    """Plain text as it is, but for half characters, which no file can hold: they are written as their escape."""
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    if output is not None:
        write_atomically(output, text)
        return
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))


def emit_told(text: str, output: Path | None, console: Console) -> None:
    """The same, and says where it was written."""
    emit(text, output)
    if output is not None:
        console.print(f"written: {output}", markup=False)


def emit_rich(text: Text, output: Path | None) -> None:
    """Coloured on a terminal, plain in a file."""
    if output is not None:
        emit(text.plain, output)
    else:
        print_text(Console(highlight=False), text)
