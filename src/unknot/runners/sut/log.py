"""What an instance printed: kept in a file, read from its end."""

import os
from pathlib import Path
from typing import IO

_LINES = 40
_BYTES_READ = 64 * 1024
_BYTES_KEPT = 8 * 1024 * 1024
_LINE_LENGTH = 500


class Log:
    """Grows while a program writes; `cut` throws the old part away, so that a chatty program does not fill the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def opened(self) -> IO[bytes]:
        """For a program to write to. Appending, so that it can be cut under the writer's hands."""
        return open(self.path, "ab", buffering=0)

    def clear(self) -> None:
        self.path.write_bytes(b"")

    def cut(self) -> None:
        if self.path.exists() and self.path.stat().st_size > _BYTES_KEPT:
            kept = self._end()
            os.truncate(self.path, 0)
            with self.opened() as file:
                file.write(kept)

    def story(self) -> str:
        """The last lines, at most some dozen; empty if there are none. Cost does not depend on the log's size."""
        lines = self._end().decode(errors="replace").strip().splitlines()[-_LINES:]
        return "\n".join(line if len(line) <= _LINE_LENGTH else f"{line[:_LINE_LENGTH]}…" for line in lines)

    def told(self, who: str = "it") -> str:
        """The same as the end of a message; empty if there is nothing."""
        story = self.story()
        return f"; {who} printed:\n{story}" if story else ""

    def _end(self) -> bytes:
        try:
            with open(self.path, "rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - _BYTES_READ))
                return file.read(_BYTES_READ)
        except FileNotFoundError:
            return b""
