"""The files that a suite is made of, as far as anybody can know without running it."""

import glob
import os
import re
from collections.abc import Sequence
from pathlib import Path

from unknot.runners.sandbox.workdir import walked

_BORDER = re.compile(r"::|[:#/ \[]")
"""What may stand in an id behind the name of its file."""

_OURS = ".lock.json"
_PYTESTS = ".pytest_cache"


def project_files(root: Path, globs: Sequence[str]) -> tuple[Path, ...]:
    """Those that these globs name, from the root, never outside it; without any, every file that a working copy has.
    Our own lock files are not among them, nor what pytest remembers: they change with each run."""
    if not globs:
        found = {path for path in walked(root) if path.is_file() and _PYTESTS not in path.parts}
    else:
        names = (name for pattern in globs for name in glob.iglob(pattern, root_dir=root, recursive=True))
        found = {root / name for name in names if os.path.isfile(root / name)}
    return tuple(sorted(path for path in found if not path.name.endswith(_OURS) and _is_inside(path, root)))


def own_file(test: str, directory: Path, root: Path, known: frozenset[Path]) -> Path | None:
    """The longest beginning of a test's id that is one of the project's files. An id is only compared with their
    names: it leads nowhere else, whatever it looks like."""
    ends = [len(test), *(match.start() for match in reversed(list(_BORDER.finditer(test))))]
    for end in ends:
        for base in (directory, root):
            path = Path(os.path.normpath(base / test[:end])) if test[:end] else None
            if path in known:
                return path
    return None


def _is_inside(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root.resolve())
