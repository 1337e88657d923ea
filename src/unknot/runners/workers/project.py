"""Whether a worker on another machine sees the project that the caller sees."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from unknot.runners.protocol import Listing


@dataclass(frozen=True)
class ProjectSeen:
    """`files` are those that tests are made of; `digest` is of their names and bytes."""

    root: Path
    files: tuple[Path, ...]
    digest: str

    @classmethod
    def by(cls, listing: Listing) -> "ProjectSeen":
        """Cost: every file of the listing is read once."""
        files = tuple(sorted({*listing.files, *listing.modules}))
        return cls(listing.root, files, _digest(files))

    def problem_here(self) -> str:
        """What is different in this process's eyes; empty if nothing is."""
        if not self.root.is_dir():
            return f"the project directory {self.root} is not there"
        if missing := next((file for file in self.files if not file.exists()), None):
            return f"{missing} is not there"
        if _digest(self.files) != self.digest:
            return f"the files below {self.root} are not the same as where unknot was started"
        return ""


def _digest(files: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for file in files:
        content = file.read_bytes() if file.is_file() else b""
        found.update(f"{file}\0{len(content)}\0".encode(errors="surrogateescape") + content)
    return found.hexdigest()
